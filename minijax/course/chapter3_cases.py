"""The cases of chapter 3's exercises on loops and what they carry: laws as text, from small to large.

Programs are interpreted (`numbers`): what a wrong answer makes of them is not compiled.
"""

from collections.abc import Iterator
from functools import reduce
from itertools import product
from typing import Any

from .exercise import Case, names_of


def names() -> dict[str, Any]:
    """What the cases may name: what the first cells of the notebook bring, and what expected values need."""
    modules = ["minijax.core", "minijax.extend.core"]
    modules += [f"minijax.layer2_jit.{m}" for m in ("loops", "lowering", "render", "compiler")]
    modules += [f"minijax.course.{m}" for m in ("chapter2_given", "chapter3_given", "chapter3_expected")]
    shown = names_of(*modules, jax="minijax", jnp="minijax.numpy", lax="minijax.lax", np="numpy")
    primitives = names_of(primitives="minijax.layer1_core.primitive")["primitives"]
    return shown | {"impl_rules": primitives.impl_rules, "reduce": reduce}


# ---- 3.1

RUNS = {  # programs by their names, as the notebook shows them; one more is below
    "python": "[f(k) for k in range(5)]",
    "scan": "lax.scan(lambda c, x: (f(c + x), None), 0.0, jnp.arange(5.0))",
    "empty": "lax.scan(lambda c, x: (f(c + x), None), 0.0, jnp.arange(0.0))",
    "start": "lax.scan(lambda c, x: (f(c + x), None), 0, jnp.arange(5.0))",
    "fori": "lax.fori_loop(0, 1000, lambda i, x: f(x), 1.0)",
    "test": "lax.while_loop(lambda n: f(n) < 100, lambda n: 2 * n, 1)",
    "cond": "lax.cond(True, f, lambda x: f(-x), 1.0)",
    "switch": "lax.switch(1, [f, lambda x: f(f(x)), lambda x: -x], 1.0)",
}
SAME = """\
def program(f):
    step = lambda c, x: (f(c + x), None)
    return [lax.scan(step, 0.0, jnp.arange(n)) for n in (3.0, 4.0)]"""


def runs_cases() -> Iterator[Case]:
    for name, program in RUNS.items():
        yield Case(f'python_runs()["{name}"]', "counted(program)", f"program = lambda f: {program}")
    yield Case('python_runs()["same"]', "counted(program)", SAME)


# ---- 3.2

_TREE = "body = lambda i, x: {'sum': x['sum'] + i, 'last': i}"
_STEP = "body = lambda i, x: x * 5 + i + 2"
# Start, stop and step whose products, and in the last two whose differences, do not fit an int32.
LARGE = (
    "0, 50_000, 50_000",
    "50_000, 0, -50_000",
    "0, 1_000_000, 5_000",
    "1_500_000_000, -1_500_000_000, -500_000_000",
    "-1_500_000_000, 1_500_000_000, 500_000_000",
)


def range_cases() -> Iterator[Case]:
    bounds = sorted(
        product((0, 1, 3), (0, 1, 2, 3), (1, 2, -1, -2, 3)),
        key=lambda bounds: (_leads_away(*bounds), len(range(*bounds)), abs(bounds[2]), bounds[2] < 0, bounds),
    )
    expected = "reduce(lambda x, i: body(i, x), range({}, {}, {}), 0)"
    for start, stop, step in bounds:
        call = f"numbers(range_loop, {start}, {stop}, {step}, body, 0)"
        yield Case(call, expected.format(start, stop, step), _STEP)
    traced = "numbers(jax.jit(lambda a, b, s: range_loop(a, b, s, body, 0)), {}, {}, {})"
    for each in bounds[::7]:
        yield Case(traced.format(*each), expected.format(*each), _STEP)
    for start, stop in ((0, 3), (3, 0)):
        yield Case(f"numbers(range_loop, {start}, {stop}, 0, body, 7)", "7", _STEP)
    told = "heard(range_loop, {}, {}, {}, lambda i, x: x + tell(i), 0)"
    for each in ((0, 3, 1), (5, 0, -2)):
        yield Case(told.format(*each), "(sum(range({0}, {1}, {2})), [*range({0}, {1}, {2})])".format(*each))
    yield Case("numbers(range_loop, 0, 4, 1, body, {'sum': 0.5, 'last': 0})", "{'sum': 6.5, 'last': 3}", _TREE)
    program = "jax.make_jaxpr(lambda n: range_loop(0, n, 1, body, 0))(5)"
    yield Case(f"count('while', {program})", "1", _STEP, program)
    for each in LARGE:
        yield Case(f"numbers(range_loop, {each}, body, 0)", f"len(range({each}))", "body = lambda i, x: x + 1")


def _leads_away(start: int, stop: int, step: int) -> bool:
    """Whether there are no steps because they would lead away from the end: a wrong test may never stop there."""
    return (stop - start) * step < 0


# ---- 3.3


def first_cases() -> Iterator[Case]:
    for n in range(4):
        for xs in product((0, 1), repeat=n):
            array = f"jnp.array({list(xs)}, int)"
            yield Case(f"heard(first_where, lambda x: tell(x) > 0, {array})", f"looks({list(xs)})")
    jitted = "heard(jax.jit(lambda xs: first_where(lambda x: tell(x) > 0, xs)), jnp.array({}))"
    for xs in ([-1, -2, 5, 3], [-1, -2]):
        yield Case(jitted.format(xs), f"looks({xs})")
    yield Case("numbers(first_where, lambda row: row.sum() > 1, jnp.eye(3).cumsum(1).T)", "1")
    yield Case("numbers(first_where, lambda row: row.sum() > 9, jnp.eye(3))", "3")
    program = "jax.make_jaxpr(lambda xs: first_where(lambda x: jnp.sin(x) > 0, xs))(jnp.ones(3))"
    yield Case(f"count('sin', {program})", "1", look=program)


# ---- 3.6

_STEADY = (  # a step, a start, the types
    ("lambda c: c + 1", "0", ["~int32[]"]),
    ("lambda c: c * 0.5", "1.0", ["~float32[]"]),
    ("lambda c: c * 0.5", "1", ["float32[]"]),
    ("lambda c: c + np.float32(1)", "0", ["float32[]"]),
    ("lambda c: c * np.float32(2)", "0.5", ["~float32[]"]),
    ("lambda c: c * jnp.bfloat16(2)", "1.0", ["bfloat16[]"]),
    ("lambda c: c + 1", "np.float32(1)", ["float32[]"]),
    ("lambda c: jnp.int32(c)", "0.5", ["~float32[]"]),
    ("lambda c: c + 0.5", "np.int32(1)", ["int32[]"]),
    ("lambda c: (c[1], c[1] + 1)", "(0, 0)", ["~int32[]", "~int32[]"]),
    ("lambda c: (c[0], c[1] + 0.5)", "(0, 0)", ["~int32[]", "float32[]"]),
    ("lambda c: (c[1], c[1] + 0.5)", "(0, 0)", ["float32[]", "float32[]"]),
    ("lambda c: {'a': c['a'] + c['b'], 'b': c['b']}", "{'a': 1, 'b': 0.5}", ["float32[]", "~float32[]"]),
    ("lambda c: (c[1], c[2], c[2] + 0.5)", "(0, 0, 0)", ["float32[]"] * 3),
    ("lambda c: [c[3], c[0], c[1], c[2] * 0.5]", "[1, 2, 3, 4]", ["float32[]"] * 4),
    ("lambda c: (c[0] + 1, c[1] * c[0])", "(0, jnp.ones(2))", ["~int32[]", "float32[2]"]),
)


def steady_cases() -> Iterator[Case]:
    for step, start, types in _STEADY:
        setup = f"step = {step}"
        call = f"[str(jax.typeof(x)) for x in jax.tree.leaves(steady(step, {start}))]"
        yield Case(call, repr(types), setup)
        yield Case(f"same_numbers(steady(step, {start}), {start})", "True", setup)
    kinds = "jax.tree.structure(steady(step, {0})) == jax.tree.structure({0})"
    for step, start, _ in _STEADY[11:13]:
        yield Case(kinds.format(start), "True", f"step = {step}")
    for step, start, _ in _STEADY[9:14]:
        setup = f"step = {step}"
        call = f"numbers(lax.scan, lambda c, _: (step(c), None), steady(step, {start}), None, 3)[0]"
        yield Case(call, f"numbers(lambda: step(step(step({start}))))", setup)


# ---- 3.7

_OPERATIONS = (
    "lambda a, b: a + b",
    "lambda a, b: a",
    "lambda a, b: b",
    "lambda a, b: a * b",
    "lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1])",
)


def doubling_cases() -> Iterator[Case]:
    for n, reverse in product((1, 2, 3, 4, 5, 6, 7, 8, 9), (False, True)):
        for fn in _OPERATIONS if n < 6 else _OPERATIONS[-1:]:
            elems = f"jnp.arange({n}) + 2"
            elems = f"({elems}, {elems} * 3)" if "[" in fn else elems
            more = ", reverse=True" * reverse
            setup = f"fn = {fn}"
            yield Case(
                f"numbers(by_doubling, fn, {elems}{more})", f"numbers(lax.associative_scan, fn, {elems}{more})", setup
            )
        call = f"counted(lambda f: by_doubling(lambda a, b: f(a + b), jnp.arange({n}){', reverse=True' * reverse}))"
        yield Case(call, f"({n} - 1).bit_length()")
    table = "jnp.arange(15.0).reshape(5, 3)"
    yield Case(f"numbers(by_doubling, jnp.maximum, -{table})", f"numbers(lax.cummax, -{table})")
    yield Case("by_doubling(jnp.add, jnp.arange(0)).shape", "(0,)")
    jitted = "numbers(jax.jit(lambda xs: by_doubling(lambda a, b: a @ b, xs)), jnp.ones((3, 2, 2)))"
    yield Case(jitted, "[[[1.0] * 2] * 2, [[2.0] * 2] * 2, [[4.0] * 2] * 2]")


# ---- 3.8

_BODIES = (  # a body, what it starts with, n elements
    ("lambda c, x: (c * 2 + x, c)", "1", "jnp.arange({})"),
    ("lambda c, x: (c + x['a'] @ x['a'], {'s': x['a'] * c, 't': x['b']})", "0.0",
     "{{'a': jnp.arange(2.0 * {0}).reshape({0}, 2), 'b': jnp.arange({0})}}"),
    ("lambda c, x: (c * 2 + x, None)", "1", "jnp.arange({})"),
)  # fmt: skip


def chunk_cases() -> Iterator[Case]:
    for n, size, reverse in product(range(6), (1, 2, 3), (False, True)):
        for f, init, elements in _BODIES if (n, size) in ((4, 2), (5, 2), (5, 3)) else _BODIES[:1]:
            xs, more = elements.format(n), ", reverse=True" * reverse
            call = f"numbers(scan_in_chunks, f, {init}, {xs}, {size}{more})"
            yield Case(call, f"numbers(lax.scan, f, {init}, {xs}{more})", f"f = {f}")
    for n, size, found in ((5, 2, [1, 2, 2]), (6, 3, [2, 3]), (10, 4, [2, 2, 4]), (1000, 30, [10, 30, 33])):
        program = f"jax.make_jaxpr(lambda xs: scan_in_chunks(lambda c, x: (c + x, c), 0, xs, {size}))(jnp.arange({n}))"
        yield Case(f"lengths({program})", repr(found), look=program)
