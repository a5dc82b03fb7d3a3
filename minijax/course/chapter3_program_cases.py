"""The cases of chapter 3's exercises on programs: rules, passes, kernels, and programs that are a text."""

from collections.abc import Iterator
from itertools import combinations

from .exercise import Case

# ---- 3.4

_SCANS = (  # a function, its arguments: the length is put in
    ("lambda xs: lax.scan(lambda c, x: (c * 2.0 + x, None), 1.0, xs)[0]", "jnp.arange({}.0)"),
    ("lambda xs: lax.scan(lambda c, x: (c, jnp.sin(x)), 1.0, xs)[1]", "jnp.arange({}.0)"),
    ("lambda xs: lax.scan(lambda c, x: (c * 2.0 + x, c), 1.0, xs)", "jnp.arange({}.0)"),
    ("lambda xs: lax.scan(lambda c, x: (c * 2.0 + x, c), 1.0, xs, reverse=True)", "jnp.arange({}.0)"),
    ("lambda w, xs: lax.scan(lambda c, x: (w @ c, x * c[0]), xs[0], xs)", "jnp.eye(2) * 2.0, jnp.ones(({}, 2))"),
    ("lambda c: lax.scan(lambda c, _: ((c[1], c[0] + c[1]), c[0]), (c, c), length={})", "1"),
)
_INNER = "lambda c, row: (lax.scan(lambda c, x: (c * 2.0 + x, None), c, row)[0], row)"
_NESTED = (
    (f"lambda table: lax.scan({_INNER}, 1.0, table)", "jnp.arange(6.0).reshape(3, 2)"),
    ("lambda xs: jax.jit(lambda xs: lax.scan(lambda c, x: (c + x, c), 0.0, xs))(xs[:2])", "jnp.arange(3.0)"),
    ("lambda xs: lax.scan(lambda c, x: (c + x, x), 0.0, xs)[1] * 2.0", "jnp.arange(3.0)"),
)


def unroll_cases() -> Iterator[Case]:
    programs = [(fun, args, n) for n in (1, 2, 0, 3) for fun, args in _SCANS]
    programs += [(fun, args, 3) for fun, args in _NESTED]
    rules = "{'scan': scan_by_steps}"
    for fun, args, n in programs:
        if n == 0 and "xs[0]" in fun:
            continue
        setup = f"f = {fun}\nargs = [{args}]\nprogram = jax.make_jaxpr(f)(*args)".replace("{}", str(n))
        new = f"retraced(program, {rules})"
        yield Case(f"count('scan', {new})", "0", setup, new)
        call = f"numbers(rerun, program, args, {rules})"
        yield Case(call, "numbers(eval_jaxpr, program, program.consts, *args)", setup, new)
        types = "[(v.shape, v.dtype.name) for v in {}.out_avals]"
        yield Case(types.format(new), types.format("program"), setup, new)
        if "jnp.sin" in fun:
            yield Case(f"count('sin', {new})", str(n), setup, new)


# ---- 3.5

_BRANCHES = (  # a function of a number, how many of its branches stay
    ("lambda x: lax.cond(x > 0.0, lambda x: x * 2.0, lambda x: -x, x)", 0),
    ("lambda x: lax.cond(x > 0.0, lambda x: (x, x), lambda x: (-x, x * x), x)", 0),
    ("lambda x: lax.cond(x > 0.0, lambda v: v * 2.0, lambda v: -v, jnp.arange(2.0) + x)", 0),
    ("lambda x: lax.switch(jnp.int32(x), [lambda: 1.0, lambda: 2.0, lambda: 3.0])", 0),
    ("lambda x: lax.cond(x > 0.0, lambda: lax.cond(x > 1.0, lambda: 1.0, lambda: 2.0), lambda: 3.0)", 0),
    ("lambda x: lax.cond(x > 0.0, lambda x: tell(x) * 2.0, lambda x: -x, x)", 1),
    ("lambda x: lax.cond(x > 0.0, lambda x: -x, jax.jit(lambda x: tell(x) * 2.0), x)", 1),
    ("lambda x: lax.cond(x > 1.0, lambda x: lax.while_loop(lambda y: y > 1.0, lambda y: y / 2.0, x), jnp.sin, x)", 1),
    ("lambda x: lax.cond(x > 1.0, jnp.sin, lambda x: lax.scan(lambda c, _: (lax.while_loop(lambda y: y < x, "
     "lambda y: y + 3.0, c), None), x - 9.0, length=2)[0], x)", 1),
    ("lambda x: lax.cond(x > 0.0, lambda x: lax.fori_loop(0, 3, lambda i, x: x * 2.0, x), lambda x: -x, x)", 0),
    ("lambda x: lax.cond(tell(x) > 0.0, lambda: 1.0, lambda: x) + lax.cond(x < 1.0, lambda: x, lambda: 2.0)", 0),
)  # fmt: skip


def branch_cases() -> Iterator[Case]:
    rules = "{'cond': both_arms}"
    for fun, stay in _BRANCHES:
        setup = f"program = jax.make_jaxpr({fun})(1.0)"
        new = f"retraced(program, {rules})"
        for x in ("1.0", "-1.0", "2.5", "0.0"):
            call = f"heard(rerun, program, [{x}], {rules})"
            yield Case(call, f"heard(eval_jaxpr, program, program.consts, {x})", setup, new)
        yield Case(f"count('cond', {new})", str(stay), setup, new)


# ---- 3.9

_PARTS = (  # a body, its start, how many ys it makes
    ("lambda c, x: (c + x, None)", "0.0", 0),
    ("lambda c, x: (c + x, c * 2.0)", "0.0", 1),
    ("lambda c, x: ((c[0] + 1.0, c[1] + x), None)", "(0.0, 0.0)", 0),
    ("lambda c, x: ((c[0] + 1.0, c[0] + x), None)", "(0.0, 0.0)", 0),
    ("lambda c, x: ((c[1] * 2.0, c[0] + x), None)", "(0.0, 0.0)", 0),
    ("lambda c, x: ((c[0] + 1.0, c[1] + x), (c[0] * x, x + 1.0))", "(0.0, 0.0)", 2),
    ("lambda c, x: ((x, c[0]), None)", "(0.0, 0.0)", 0),
    ("lambda c, x: ((c[0] + tell(c[1]) * 0.0, c[1] + x), None)", "(0.0, 0.0)", 0),
    ("lambda c, x: ((c[0] + x, (jnp.sin(c[0]), c[1] + tell(x))[1]), None)", "(0.0, 0.0)", 0),
    ("lambda c, x: ((c[0] + x, c[1] + c[0], c[2] * c[1]), None)", "(0.0, 0.0, 1.0)", 0),
    ("lambda c, x: ((c[1] + x, c[2] + x, c[2] * 2.0), None)", "(0.0, 0.0, 1.0)", 0),
    ("lambda c, x: ((c[0] + x, c[1] + c[2], c[2] * c[1]), c[0] * 2.0)", "(0.0, 0.0, 1.0)", 1),
    ("lambda c, x: ((c[1], c[2], c[3], x), None)", "(0.0, 0.0, 0.0, 0.0)", 0),
)


def live_cases() -> Iterator[Case]:
    for body, init, ys in _PARTS:
        setup = f"eqn = scan_equation({body}, {init})"
        for is_read in _choices(init.count(".0") + ys):
            yield Case(f"live_carry(eqn, {is_read})", f"needed_carry(eqn, {is_read})", setup, "eqn")
    smaller, run = "without_dead_carries(program, live_carry)", "heard(eval_jaxpr, {}, program.consts, jnp.arange(4.0))"
    for body, init, _ in _PARTS[3:]:
        setup = f"program = jax.make_jaxpr(lambda xs: lax.scan({body}, {init}, xs)[0][0])(jnp.arange(4.0))"
        yield Case(run.format(smaller), run.format("program"), setup, smaller)


def _choices(n: int) -> Iterator[list[bool]]:
    """Which of n results are read: none, each one alone, pairs, ..."""
    for size in range(n + 1):
        for chosen in combinations(range(n), size):
            yield [k in chosen for k in range(n)]


# ---- 3.10

COLLATZ = """\
impl_rules[collatz_p] = collatz_impl
lowering_rules[collatz_p] = Looped(collatz_kernel)"""
KERNEL = "collatz_kernel(program.eqns[0], 'kernel_0', names_of(program))"
COUNTED = f"run_loops({KERNEL}.body, a=x, b=x * 0 + 7)['b'].tolist()"


def kernel_cases() -> Iterator[Case]:
    call = "collatz_kernel(jax.make_jaxpr(collatz_p.bind)(1).eqns[0], 'kernel_0', lambda v: 'a').name"
    yield Case(call, "'kernel_0'")
    arrays = [f"np.int32({n})" for n in (1, 2, 3, 4, 5, 6, 7, 0, -3)]
    arrays += [f"np.int32({row})" for row in ([1, 2], [3, 2, 7], [], [[6, 1], [2, 9]], [[[27]]])]
    for x in (*arrays, "np.uint8([7, 0])", "np.arange(20, dtype=np.int16).reshape(5, 4)"):
        setup = numbers_program(x)
        yield Case(f"{KERNEL}.buffers", "[Buffer(letter, x.shape, x.dtype) for letter in 'ab']", setup)
        yield Case(COUNTED, "steps_to_one(x)", setup, f"text_of({KERNEL}.body, a=x, b=x)")
    chain = "f = lambda x: collatz_p.bind(collatz_p.bind(x * 2) + x)\nx = jnp.arange(12)"
    yield Case("jax.jit(f)(x).tolist()", "steps_to_one(np.add(steps_to_one(x * 2), x))", chain, "jax.make_jaxpr(f)(x)")
    steps = "{type(step).__name__ for name, step in Program(jax.make_jaxpr(f)(x)).steps}"
    yield Case(steps, "{'Kernel'}", chain)


def numbers_program(x: str) -> str:
    """The statements that make a program of one equation, which counts the steps of these numbers."""
    return f"x = {x}\nprogram = jax.make_jaxpr(collatz_p.bind)(x)"


# ---- 3.11

TEXTS = (  # a text, the names of what is there after it, its variables
    ("y = x", "x y", ({"x": 2}, {"x": -1})),
    ("x = x + 1\ny = x * 2\nx = y", "x y", ({"x": 2},)),
    ("if x > 0:\n    x = x * 2", "x", ({"x": 2}, {"x": -1})),
    ("if x > 0:\n    y = x\nelse:\n    y = -x", "x y", ({"x": 2}, {"x": -1})),
    ("if x:\n    y = 1\nelse:\n    y = 2", "x y", ({"x": 2}, {"x": 0})),
    ("if x > 0:\n    z = x * 3\n    x = z + 1", "x", ({"x": 2}, {"x": -1})),
    ("y = 0\nif x > 0:\n    y = x", "x y", ({"x": 2}, {"x": -1})),
    ("if x > 0:\n    y = 1\nelse:\n    y = 0.5", "x y", ({"x": 2}, {"x": -1})),
    ("y = 0\nif x > 0:\n    y = x * 0.5\nz = y + x", "x y z", ({"x": 2}, {"x": -1})),
    ("if x > 2:\n    y = 1\nelif x > 1:\n    y = 2\nelse:\n    y = 3", "x y", ({"x": 3}, {"x": 2}, {"x": 1})),
    ("while x < 10:\n    x = x * 2", "x", ({"x": 3}, {"x": 10})),
    ("while x:\n    x = x - 1", "x", ({"x": 3}, {"x": 0})),
    ("n = 0\nwhile x > s:\n    x = x - s\n    n = n + 1", "x n s", ({"x": 7, "s": 3}, {"x": 2, "s": 3})),
    ("while x < 10:\n    y = x + 1\n    x = y * 2", "x", ({"x": 1}, {"x": 10})),
    ("a = 0\nb = 1\nwhile b < n:\n    t = b\n    b = a + b\n    a = t", "a b n", ({"n": 20}, {"n": 0})),
    ("while n != 1:\n    tell(n)\n    if n % 2 == 0:\n        n = n // 2\n    else:\n        n = 3 * n + 1", "n",
     ({"n": 1}, {"n": 6})),
    ("s = 0\ni = 0\nwhile i < n:\n    j = 0\n    while j < i:\n        s = s + j\n        j = j + 1\n    i = i + 1",
     "s i n", ({"n": 0}, {"n": 4})),
    ("if x > 0:\n    tell(1)\n    while x > 2:\n        x = x - 2\nelse:\n    tell(2)\nx = x + 10", "x",
     ({"x": 5}, {"x": -1})),
)  # fmt: skip


def text_cases() -> Iterator[Case]:
    for text, after, inputs in TEXTS:
        setup, names = _quoted(text), after.split()
        for variables in inputs:
            given = _given(variables)
            expected = f"heard(as_floats, run_by_python, text, {names}, {given})"
            yield Case(f"heard(as_floats, run_staged, text, {given})", expected, setup)
        yield Case(f"heard(as_floats, {_traced(inputs[-1])}, {_values(inputs[-1])})", expected, setup)
    for (text, _, inputs), (name, found) in zip(TEXTS[-3:], (("cond", 1), ("while", 2), ("while", 1)), strict=True):
        program = f"jax.make_jaxpr({_traced(inputs[0])})({_values(inputs[0])})"
        yield Case(f"count('{name}', {program})", str(found), _quoted(text), program)


def _quoted(text: str) -> str:
    return f'text = """\\\n{text}"""'


def _traced(variables: dict[str, int]) -> str:
    """The text of a jitted function of these variables."""
    return f"jax.jit(lambda {', '.join(variables)}: run_staged(text, {', '.join(f'{n}={n}' for n in variables)}))"


def _given(variables: dict[str, int]) -> str:
    return ", ".join(f"{name}={value}" for name, value in variables.items())


def _values(variables: dict[str, int]) -> str:
    return ", ".join(map(str, variables.values()))
