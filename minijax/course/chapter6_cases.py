"""The cases of chapter 6's exercises on threefry, counters, keys of steps and derivatives of draws, as text.

Programs are interpreted (`numbers`, `rounded`): what a wrong answer makes of them is not compiled.
"""

from collections.abc import Iterator
from typing import Any

from .exercise import Case, names_of


def names() -> dict[str, Any]:
    """What the cases may name: what the first cells of the notebook bring, and what expected values need."""
    modules = [f"minijax.course.chapter{k}" for k in ("3_given", "4_given", "5_given", "6_given", "6_expected")]
    shown = names_of(*modules, jax="minijax", jnp="minijax.numpy", lax="minijax.lax", np="numpy")
    own = names_of(threefry="minijax.layer6_random.threefry", of="minijax.extend.random")
    of = vars(own.pop("of"))
    return shown | own | {name: of[name] for name in ("define_prng_impl", "threefry2x32_p")}


# ---- 6.1

_BLOCKS = (  # the two words of a key, the words of counters
    ("words(0), words(0)", "words(0)", "words(0)"),
    ("words(0), words(0)", "words(0)", "words(1)"),
    ("words(0), words(0)", "words(2**32 - 1)", "words(7)"),
    ("words(1), words(0)", "words(0)", "words(0)"),
    ("words(0), words(2**31)", "words(5)", "words(0)"),
    ("words(466688986), words(1234567890)", "words(0, 0, 1, 2**31)", "words(0, 1, 0, 5)"),
)


def undone_cases() -> Iterator[Case]:
    for key, x0, x1 in _BLOCKS:
        setup = f"k0, k1 = {key}\nx0, x1 = {x0}, {x1}\ny0, y1 = threefry.block(k0, k1, x0, x1)"
        yield Case("[*numbers(block_undone, k0, k1, y0, y1)]", "numbers(lambda: [x0, x1])", setup)
    setup = "k0, k1 = words(3), words(4)\ny0, y1 = threefry.block(k0, k1, *threefry.counters(2**32 - 2, 5))"
    yield Case("[*numbers(block_undone, k0, k1, y0, y1)]", "numbers(lambda: [*threefry.counters(2**32 - 2, 5)])", setup)


# ---- 6.2

_SLICES = (  # of a draw of this shape: starts, sizes
    ((4,), (0,), (2,)),
    ((4,), (1,), (2,)),
    ((4,), (3,), (1,)),
    ((), (), ()),
    ((2, 3), (0, 0), (2, 2)),
    ((2, 3), (1, 0), (1, 3)),
    ((3, 4), (1, 2), (2, 2)),
    ((2, 3, 4), (1, 0, 2), (1, 2, 2)),
    ((5, 1, 2), (2, 0, 1), (3, 1, 1)),
)
_PARTS = (  # the same, of draws that nobody could make
    ((2**32,), (2**32 - 1,), (1,)),
    ((2**33,), (2**32 - 1,), (3,)),
    ((2**40, 3), (2**39 + 5, 1), (2, 2)),
    ((7, 2**30, 5), (6, 2**30 - 2, 0), (1, 2, 5)),
    ((2**63,), (2**63 - 2,), (2,)),
)


def block_cases() -> Iterator[Case]:
    call = "numbers(bits_of_block, key, {}, {}, {})"
    for i, (shape, starts, sizes) in enumerate(_SLICES):
        at = ", ".join(f"{start}:{start + size}" for start, size in zip(starts, sizes, strict=True)) or "..."
        expected = f"numbers(lambda: jax.random.bits(key, {shape})[{at}])"
        yield Case(call.format(shape, starts, sizes), expected, f"key = jax.random.key({i})")
    for i, part in enumerate(_PARTS):
        expected = f"block_by_hand(key_words(key), {', '.join(map(str, part))})"
        yield Case(call.format(*part), expected, f"key = jax.random.key({i})")
    setup = "keys = jax.random.split(jax.random.key(1), 3)\nf = lambda key: bits_of_block(key, (2, 3), (1, 1), (1, 2))"
    expected = "numbers(lambda: jax.vmap(lambda key: jax.random.bits(key, (2, 3))[1:2, 1:3])(keys))"
    for mapped in ("jax.vmap(f)", "jax.jit(jax.vmap(f))"):
        yield Case(f"numbers({mapped}, keys)", expected, setup)


# ---- 6.3

_BITS = "lambda key, count, x: (count, jax.random.bits(key))"
_WALK = "lambda key, at, x: (at + jax.random.rademacher(key), at)"
_LOOPS = (  # a step, a carry to begin with, what the steps run along, the number of the first step
    (_BITS, "0", "jnp.zeros(1)", 0),
    (_BITS, "0", "jnp.zeros(2)", 0),
    (_BITS, "0", "jnp.zeros(2)", 1),
    (_BITS, "0", "jnp.zeros(4)", 1000),
    ("lambda key, total, x: (total + x * jax.random.bernoulli(key), total)", "0", "jnp.arange(1, 6)", 0),
    (_WALK, "0", "jnp.zeros(8)", 3),
    ("lambda key, s, x: ({'sum': s['sum'] + x['a'], 'n': s['n'] + 1}, [jax.random.bits(key, (2,)), x['b']])",
     "{'sum': 0, 'n': 0}", "{'a': jnp.arange(3), 'b': jnp.arange(6).reshape(3, 2)}", 2),
)  # fmt: skip


def step_cases() -> Iterator[Case]:
    for f, init, xs, start in _LOOPS:
        setup = f"f = {f}\nkey, init, xs = jax.random.key(3), {init}, {xs}"
        args = f"f, key, init, xs{f', {start}' if start else ''}"
        yield Case(f"numbers(scan_with_keys, {args})", f"by_steps({args})", setup)
    setup = f"f = {_WALK}\nkey, xs = jax.random.key(4), jnp.zeros(6)"
    second = "scan_with_keys(f, key, scan_with_keys(f, key, 0, xs[:2])[0], xs[2:], 2)"
    yield Case(f"numbers(lambda: {second}[0])", "by_steps(f, key, 0, xs)[0]", setup)
    traced = "lambda key, start: scan_with_keys(f, key, 0, xs, start)"
    yield Case(f"numbers(jax.jit({traced}), key, 7)", "by_steps(f, key, 0, xs, 7)", setup)
    setup += "\nkeys = jax.random.split(key, 2)"
    each = "[[*state] for state in zip(*(by_steps(f, key, 0, xs, 7) for key in keys))]"
    yield Case(f"[*numbers(jax.vmap({traced}, in_axes=(0, None)), keys, 7)]", each, setup)
    setup = (
        f"f = {_BITS}\nprogram = jax.make_jaxpr(lambda key: scan_with_keys(f, key, 0, jnp.zeros(9)))(jax.random.key(0))"
    )
    counts = "[count(name, program) for name in ('scan', 'random_fold_in', 'random_bits')]"
    yield Case(counts, "[1, 1, 1]", setup, "program")


# ---- 6.4

_EXPONENTIAL = "lambda key, rate: jax.random.exponential(key) / rate", "lambda x, rate: 1.0 - jnp.exp(-rate * x)"
_LOGISTIC = (
    "lambda key, loc, scale: loc + scale * jax.random.logistic(key)",
    "lambda x, loc, scale: jax.nn.sigmoid((x - loc) / scale)",
)
_FAMILIES = (  # a draw, its distribution function, its parameters
    (*_EXPONENTIAL, ("1.0", "2.0")),
    (*_LOGISTIC, ("0.0, 1.0", "0.5, 2.0")),
    ("lambda key, mode: jax.random.triangular(key, 0.0, mode, 1.0)",
     "lambda x, mode: jnp.where(x < mode, x * x / mode, 1.0 - (1.0 - x) ** 2 / (1.0 - mode))", ("0.25", "0.5")),
    ("lambda key, a, b: (1.0 - jax.random.uniform(key) ** (1.0 / b)) ** (1.0 / a)",
     "lambda x, a, b: 1.0 - (1.0 - x ** a) ** b", ("2.0, 3.0",)),
)  # fmt: skip
_HIDDEN = "hidden = lambda key, *params: lax.stop_gradient(sample(key, *params))"
_DRAW = "differentiable(hidden, cdf)"
_REJECTING = """\
def sample(key, a):
    def one_round(state):
        key, for_x, for_u = jax.random.split(state[0], 3)
        x = jax.random.uniform(for_x)
        return key, x, jax.random.uniform(for_u) < x ** (a - 1.0)
    return lax.while_loop(lambda state: ~state[2], one_round, (key, 0.5, False))[1]
cdf = lambda x, a: x ** a
a = 3.0
"""


def _family(sample: str, cdf: str) -> str:
    return f"sample = {sample}\ncdf = {cdf}\n{_HIDDEN}\nkey = jax.random.key(1)"


def slope_cases() -> Iterator[Case]:
    for sample, cdf, values in _FAMILIES:
        for params in values:
            setup = f"{_family(sample, cdf)}\nparams = ({params},)"
            yield Case(f"rounded({_DRAW}, key, *params)", "rounded(sample, key, *params)", setup)
            for i in range(1, 2 + params.count(",")):
                expected = f"rounded(jax.value_and_grad(sample, {i}), key, *params)"
                yield Case(f"rounded(jax.value_and_grad({_DRAW}, {i}), key, *params)", expected, setup)
    setup = _family(*_EXPONENTIAL)
    second = "rounded(jax.grad(jax.grad({}, 1), 1), key, 2.0)"
    yield Case(second.format(_DRAW), second.format("sample"), setup)
    setup = _family("lambda key, rate: jax.random.exponential(key, (3,)) / rate", _EXPONENTIAL[1])
    pushed = "rounded(jax.jvp, lambda rate: {}(key, rate), (2.0,), (1.0,))"
    yield Case(pushed.format(_DRAW), pushed.format("sample"), setup)
    summed = "rounded(jax.grad(lambda rate: {}(key, rate) @ jnp.arange(3.0)), 2.0)"
    yield Case(summed.format(_DRAW), summed.format("sample"), setup)
    setup = f"{_family(*_LOGISTIC)}\nkeys = jax.random.split(key, 3)"
    mapped = "rounded(jax.vmap(jax.grad({}, 2), (0, None, 0)), keys, 0.5, jnp.arange(1.0, 4.0))"
    yield Case(mapped.format(_DRAW), mapped.format("sample"), setup)
    setup = f"{_REJECTING}key = jax.random.key(5)"
    by_hand = "rounded(lambda x: -x * jnp.log(x) / a, numbers(sample, key, a))"  # x = u ** (1 / a) for some u
    yield Case("rounded(jax.grad(differentiable(sample, cdf), 1), key, a)", by_hand, setup)
