"""The cases of chapter 2's exercises on programs, rules and functions: laws as text, from small to large.

Loops and programs are run as plain Python: what a wrong answer makes reads nothing beyond its arrays.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from .exercise import Case, names_of

_LAYER2 = ("loops", "lowering", "fusion", "hoisting", "render", "passes", "compiler")


def names() -> dict[str, Any]:
    """What the cases may name: what the first cell of the notebook imports, and what expected values need."""
    modules = [f"minijax.layer2_jit.{m}" for m in _LAYER2] + ["minijax.core", "minijax.extend.core"]
    modules += ["minijax.course.chapter2_given", "minijax.course.chapter2_expected"]
    shown = names_of(*modules, jax="minijax", jnp="minijax.numpy", lax="minijax.lax", np="numpy")
    shown |= names_of(primitives="minijax.layer1_core.primitive", loops="minijax.layer2_jit.loops")
    return shown | {
        "i": shown["loops"].counter("i0"),
        "j": shown["loops"].counter("i1"),
        "f32": np.dtype("float32"),
        "impl_rules": shown["primitives"].impl_rules,
    }


SOFTMAX = """\
def softmax(x):
    e = jnp.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
"""


# ---- 2.2

_CALLS = (  # calls: positional arguments, keyword arguments; static names
    ("((1.0,), {}), ((2.0,), {})", "()"),
    ("((1,), {}), ((1.0,), {})", "()"),
    ("((1,), {}), ((True,), {})", "()"),
    ("((1.0,), {}), ((np.float32(1.0),), {})", "()"),
    ("((1.0,), {}), (([1.0],), {})", "()"),
    ("(([1.0],), {}), (((1.0,),), {})", "()"),
    ("((1.0,), {}), ((1.0, None), {})", "()"),
    ("((1.0,), {}), ((), {'x': 1.0})", "()"),
    ("((jnp.ones(2),), {}), ((jnp.zeros(2),), {})", "()"),
    ("((jnp.ones(2),), {}), ((jnp.ones(3),), {})", "()"),
    ("((jnp.ones(2),), {}), ((jnp.ones((2, 1)),), {})", "()"),
    ("((jnp.ones(2),), {}), ((jnp.ones(2, jnp.int32),), {})", "()"),
    ("((jnp.ones(2),), {}), ((np.ones(2, np.float32),), {})", "()"),
    ("(({'v': 1.0, 'w': 2},), {}), (({'w': 2, 'v': 1.0},), {})", "()"),
    ("(({'v': 1.0},), {}), (({'w': 1.0},), {})", "()"),
    ("((), {'x': 1.0, 'y': 2}), ((), {'y': 2, 'x': 1.0})", "()"),
    ("((), {'x': 1.0, 'y': 2}), ((), {'x': 2, 'y': 1.0})", "()"),
    ("((1.0,), {'mode': 'a'}), ((2.0,), {'mode': 'a'})", "('mode',)"),
    ("((1.0,), {'mode': 'a'}), ((1.0,), {'mode': 'b'})", "('mode',)"),
    ("((1.0,), {'mode': 'a'}), ((1.0,), {})", "('mode',)"),
    ("((1.0,), {'n': 1}), ((1.0,), {'n': 2})", "()"),
    ("((1.0,), {'n': 1}), ((1.0,), {'n': 2})", "('n',)"),
    ("((1.0,), {'n': 1}), ((1.0,), {'n': 1.0}), ((1.0,), {'n': True})", "('n',)"),
    ("((1.0,), {'n': 1, 'mode': 'a'}), ((1.0,), {'mode': 'a', 'n': 1})", "('mode', 'n')"),
    ("((1.0,), {'n': 1}), ((1.0,), {'mode': 1})", "('mode', 'n')"),
    ("((1.0,), {'n': 1, 'mode': 2}), ((1.0,), {'mode': 1, 'n': 2})", "('mode', 'n')"),
    ("((1.0,), {'n': 1, 'mode': 2}), ((1.0,), {'mode': 2, 'n': 3})", "('mode',)"),
)


def kind_cases() -> Iterator[Case]:
    for calls, static in _CALLS:
        call = f"len({{kind_of_call(args, kwargs, {static}) for args, kwargs in calls}})"
        yield Case(call, f"traces(calls, {static})", f"calls = [{calls}]")


# ---- 2.3

_ONE_SIDED = (  # a function, its argument
    ("lambda x: x", "1.0"),
    ("lambda x: lax.mul(x, 1.0)", "np.float32(2)"),
    ("lambda x: (x * 1.0, x)", "np.float32(2)"),
    ("lambda x: lax.neg(x * 1.0)", "np.float32(2)"),
    ("lambda x: (x * 1.0) / 1.0 - 0.0", "np.float32(2)"),
    ("lambda x: lax.mul(x, np.float32(1))", "2.0"),
    ("lambda x: lax.max(x, 1.0) * lax.pow(x, 1.0)", "np.float32(2)"),
    ("lambda x: lax.sub(x, x) + lax.mul(x * 1.0, x)", "np.float32(2)"),
    ("lambda n: (n + 0) * 1 - 0", "np.int32(2)"),
    ("lambda n: lax.div(n, np.uint32(1)) * np.uint32(1)", "np.uint32(2)"),
)


def trivial_cases() -> Iterator[Case]:
    numbers = [("np.float32(2)", f"np.float32({c})") for c in ("1", "0", "-0.0", "-1")]
    numbers += [("np.int32(2)", f"np.int32({c})") for c in ("0", "1")]
    programs = []
    for (x, c), name in product(numbers, ("mul", "add", "sub", "div")):
        programs += [(f"lambda x: lax.{name}(x, {c})", x), (f"lambda x: lax.{name}({c}, x)", x)]
    for fun, argument in (*programs, *_ONE_SIDED):
        setup = f"program = jax.make_jaxpr({fun})({argument})"
        call = "without_trivial(program)"
        yield Case(f"[str(eqn.primitive) for eqn in {call}.eqns]", "nontrivial(program)", setup, call)
        yield Case(f"check_jaxpr({call})", "None", setup, call)
        yield Case(f"{call}.out_avals", "program.out_avals", setup, call)
        yield Case(f"({call}, str(program))[1]", "str(program)", setup)  # it is not changed
        dtype = next((kind for kind in ("int32", "uint32") if argument.startswith(f"np.{kind}(")), "float32")
        bits = f"[np.asarray(x).tobytes() for x in eval_jaxpr({{0}}, {{0}}.consts, odd('{dtype}'))]"
        yield Case(bits.format(call), bits.format("program"), setup, call)


# ---- 2.4

MOVES = """\
impl_rules[windows_p] = windows_impl
lowering_rules[lax.rev_p] = Moved(rev_place)
lowering_rules[windows_p] = Moved(windows_place, repeats=True)"""


def moved_cases() -> Iterator[Case]:
    turned = [((n,), (0,)) for n in (1, 2, 3)] + [((2, 3), dims) for dims in ((), (0,), (1,), (0, 1))]
    windows = [((n,), w, s) for n in (1, 2, 3, 4) for w in range(1, n + 1) for s in (1, 2)]
    windows += [((2, 3), 2, 1), ((2, 5), 2, 3), ((2, 2, 4), 3, 1)]
    programs = [(f"lambda x: lax.rev(x, {dims})", shape) for shape, dims in turned]
    programs += [(f"lambda x: windows(x, {w}, {s})", shape) for shape, w, s in windows]
    programs += [
        ("lambda x: windows(lax.rev(x, (0,)), 2)", (4,)),
        ("lambda x: lax.rev(windows(x, 2), (1,)) * 2.0", (4,)),
        ("lambda x: windows(windows(x, 3), 2)", (5,)),
        ("lambda x: windows(x * x, 3, 2).max(axis=-1)", (7,)),
    ]
    setup = "eqn = jax.make_jaxpr(lambda x: lax.rev(x, (0,)))(np.float32([7])).eqns[0]"
    yield Case("rev_place(eqn, (i,))", "(i * -1,)", setup)
    for fun, shape in programs:
        setup = f"x = np.arange({int(np.prod(shape))}, dtype=np.float32).reshape({shape})\nf = {fun}"
        look = "[str(eqn) for eqn in jax.make_jaxpr(f)(x).eqns]"
        value = "{}[0].tolist()"
        run, right = "run_program(jax.make_jaxpr(f)(x), x)", "eval_jaxpr(jax.make_jaxpr(f)(x), [], x)"
        yield Case(value.format(run), value.format(right), setup, look)
    fused = "[type(step).__name__ for name, step in Program(jax.make_jaxpr(f)(x)).steps]"
    yield Case(fused, "['Kernel']", "x = jnp.arange(6.0)\nf = lambda x: windows(lax.rev(x, (0,)), 2)")


# ---- 2.6

_PLANNED = (  # a function, its arguments
    ("lambda x: x", "jnp.ones(2)"),
    ("lambda x: x + 1.0", "jnp.ones(2)"),
    ("lambda x: lax.exp(x) + 1.0", "jnp.ones(2)"),
    ("lambda x: (x + 1.0, 2.0, x)", "jnp.ones(2)"),
    ("lambda x: lax.exp(x).sum()", "jnp.ones(2)"),
    ("lambda x: lax.sort(lax.neg(x)) + 1.0", "jnp.ones(2)"),
    ("lambda x: lax.exp(x) * lax.exp(x)", "jnp.ones(2)"),
    ("lambda x: (lambda y: (y + 1.0) * (y + 2.0))(lax.exp(x))", "jnp.ones(2)"),
    ("lambda x: (lambda y: (y + 1.0, y * 2.0))(lax.neg(x))", "jnp.ones(2)"),
    ("lambda x: (lambda y: (y + 1.0, y * 2.0))(lax.exp(x))", "jnp.ones(2)"),
    ("lambda x: (lambda y: (y + 1.0, y * 2.0))(lax.div(2.0, x))", "jnp.ones(2)"),
    ("lambda x: (lambda y: (y + 1.0, y * 2.0))(lax.exp(lax.exp(x)))", "jnp.ones(2)"),
    ("lambda x: (lambda y: (y + 1.0, y * 2.0))(lax.neg(lax.exp(x)))", "jnp.ones(2)"),
    ("lambda x: (lambda y: (y + 1.0, lax.exp(y)))(lax.exp(x))", "jnp.ones(2)"),
    ("lambda x: (lambda y: (y, lax.exp(y)))(lax.exp(x))", "jnp.ones(2)"),
    ("lambda x: (lambda y: (y + 1.0, y.sum()))(lax.exp(x))", "jnp.ones(2)"),
    ("lambda x: (lambda y: (y + 1.0, lax.sort(lax.neg(y))))(lax.exp(x))", "jnp.ones(2)"),
    ("lambda x: (lambda y, z: (y + z, y * z))(lax.exp(x), lax.sin(x))", "jnp.ones(2)"),
    ("lambda x: (lambda y: (lax.sin(y), lax.cos(y), y + 1.0))(lax.exp(x) * 2.0)", "jnp.ones(2)"),
    ("lambda x, y: (lax.exp(x) + y, lax.exp(y) + x, lax.exp(x) * y)", "jnp.ones(2), jnp.ones(2)"),
    ("softmax", "jnp.ones((2, 3))"),
)


def keep_cases() -> Iterator[Case]:
    for fun, args in _PLANNED:
        before = SOFTMAX if fun == "softmax" else ""
        setup = f"{before}program = optimized(jax.make_jaxpr({fun})({args}))\nname = names_of(program)"
        kept = "sorted(map(name, {}(program)))"
        yield Case(kept.format("keep"), kept.format("kept_by_rule"), setup, "program")
        run = f"[x.tolist() for x in run_with({{}}, program, {args})]"
        yield Case(run.format("keep"), run.format("kept_by_rule"), setup, "program")


# ---- 2.7

_POINTS = (
    ("np.float32([1, 2, 3])", 4),
    ("np.float32([-1, -2, -30])", 4),
    ("np.linspace(1, 80, 500, dtype=np.float32)", 4),
    ("np.linspace(0.25, 1, 500, dtype=np.float32)", 4),
    ("np.geomspace(1e-30, 0.25, 500, dtype=np.float32)", 4),
    ("np.linspace(80, 89.4, 500, dtype=np.float32)", 4),
    ("np.linspace(-89.4, 89.4, 2001, dtype=np.float32)", 4),
)
_IN_THE_PACKAGE = """\
from unittest import mock
from minijax.layer2_jit import rounded
x = np.float32([-2, 0.5, 3])
with mock.patch.object(rounded, "sinh_float32", sinh):  # your function, in place of the package's
    value = run_loops(kernels_of(lax.sinh, x)[0].body, a=x, b=np.zeros_like(x))["b"]"""


def sinh_cases() -> Iterator[Case]:
    yield Case("str(sinh(x).dtype)", "'float32'", "x = np.float32(1)")
    for number in ("0", "-0.0", "np.inf", "-np.inf", "np.nan"):
        value = "str({}(x))"
        yield Case(value.format("sinh"), value.format("np.sinh"), f"x = np.float32({number})")
    for points, most in _POINTS[:2]:
        yield Case(f"[ulps(sinh, np.sinh, n) <= {most} for n in x]", "[True] * 3", f"x = {points}",
                   "[sinh(n).item() for n in x]")  # fmt: skip
    for points, most in _POINTS:
        yield Case(f"ulps(sinh, np.sinh, x) <= {most}", "True", f"x = {points}", "ulps(sinh, np.sinh, x)")
    yield Case("str(sinh(x).dtype)", "'float32'", "x = np.float32([0, 1, 90])")
    yield Case("np.allclose(value, np.sinh(x), rtol=1e-6)", "True", _IN_THE_PACKAGE)
