"""The cases of chapter 4's exercises on rules and derivatives of functions: laws as text, from small to large.

Programs are interpreted (`numbers`, `rounded`): what a wrong answer makes of them is not compiled.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

from .exercise import Case, names_of


def names() -> dict[str, Any]:
    """What the cases may name: what the first cells of the notebook bring, and what expected values need."""
    modules = ["minijax.core", "minijax.extend.core"]
    modules += [f"minijax.layer4_grad.{m}" for m in ("tangents", "transpose")]
    modules += [f"minijax.course.{m}" for m in ("chapter3_given", "chapter4_given", "chapter4_expected")]
    shown = names_of(*modules, jax="minijax", jnp="minijax.numpy", lax="minijax.lax", np="numpy")
    return shown | {"jvp_rules": names_of(of_jvp="minijax.layer4_grad.jvp")["of_jvp"].jvp_rules}


# ---- 4.1

KEPT = {  # functions by their names, as the notebook shows them
    "shift": "lambda x: x + 1.0",
    "scale": "lambda x: 3.0 * x",
    "sum": "lambda x: x.sum()",
    "square": "lambda x: x * x",
    "sin": "lambda x: jnp.sin(x)",
    "total": "lambda x: jnp.sin(x).sum()",
    "line": "lambda x: jnp.sin(3.0 * x + 1.0)",
    "matrix": "lambda x: jnp.ones((2, 3)) @ x",
    "chain": "lambda x: jnp.exp(jnp.sin(x))",
    "round": "lambda x: jnp.round(x)",
    "stop": "lambda x: lax.stop_gradient(jnp.sin(x)) * x",
}


def kept_cases() -> Iterator[Case]:
    look = "jax.make_jaxpr(lambda x, t: jax.jvp(f, (x,), (t,)))(jnp.arange(3.0), jnp.ones(3))"
    for name, function in KEPT.items():
        yield Case(f'kept_numbers()["{name}"]', "residuals(f, jnp.arange(3.0))", f"f = {function}", look)


# ---- 4.2

_GUARDED = (  # a function, the same in NumPy, where it is safe, a safe place, the value elsewhere
    ("1.0 / x", "1.0 / x", "x != 0", "1.0", "0.0"),
    ("jnp.sqrt(x)", "np.sqrt(x)", "x > 0", "1.0", "0.0"),
    ("jnp.sin(x) / x", "np.sin(x) / x", "x != 0", "1.0", "1.0"),
    ("x * jnp.log(x)", "x * np.log(x)", "x > 0", "2.0", "0.0"),
    ("jnp.log(jnp.exp(x) - 1.0)", "np.log(np.exp(x) - 1.0)", "x > 0", "3.0", "-1.0"),
)


def guarded_cases() -> Iterator[Case]:
    points = (
        "jnp.float32(0)",
        "jnp.float32(2)",
        "jnp.array([0.0, 2.0])",
        "jnp.array([-1.0, 0.5, 3.0])",
        "jnp.array([[0.5, 0.0]])",
    )
    for x, (fun, plain, safe, inside, other) in product(points, _GUARDED):
        setup = f"f = lambda x: {fun}\nis_safe = lambda x: {safe}"
        g, there = f"guarded(f, is_safe, {inside}, {other})", x.replace("jnp", "np")
        yield Case(f"rounded({g}, {x})", f"where_safe(lambda x: {plain}, is_safe, {other}, {there})", setup)
        slopes = f"slope_where_safe(lambda x: {plain}, is_safe, {there})"
        total = f"lambda x: {g}(x).sum()" if "array" in x else g
        yield Case(f"rounded(jax.grad({total}), {x})", slopes, setup)
    setup = "f = lambda x: 1.0 / x\nis_safe = lambda x: x != 0"
    g = "guarded(f, is_safe, 1.0, 0.0)"
    for x, second in (("0.0", 0.0), ("2.0", 0.25)):
        yield Case(f"rounded(jax.grad(jax.grad({g})), {x})", str(second), setup)
        yield Case(f"rounded(jax.jvp, {g}, ({x},), (1.0,))[1]", str(-second), setup)
        yield Case(f"rounded(jax.jit(jax.grad({g})), {x})", str(-second), setup)
    setup = "f = lambda x: jnp.sqrt(x @ x)\nis_safe = lambda x: x @ x > 0"
    g = "guarded(f, is_safe, 1.0, 0.0)"
    for x, slope in (("0.0, 0.0", [0.0, 0.0]), ("3.0, 4.0", [0.6, 0.8])):
        yield Case(f"rounded(jax.grad({g}), jnp.array([{x}]))", str(slope), setup)


# ---- 4.3

RULES = "RULES = {lax.tanh_p: tanh_jvp, lax.div_p: div_jvp, lax.select_n_p: select_jvp}"
_FUNCTIONS = (  # a function, the same in NumPy, places and directions
    ("lambda x: lax.tanh(x)", "np.tanh", (("(0.0,)", "(1.0,)"), ("(1.0,)", "(1.0,)"), ("(-2.0,)", "(3.0,)"))),
    ("lambda x: lax.div(x, 2.0)", "lambda x: x / 2.0", (("(1.0,)", "(1.0,)"),)),
    ("lambda y: lax.div(3.0, y)", "lambda y: 3.0 / y", (("(1.0,)", "(1.0,)"), ("(2.0,)", "(1.0,)"))),
    ("lambda x, y: lax.div(x, y)", "lambda x, y: x / y",
     (("(1.0, 2.0)", "(1.0, 0.0)"), ("(1.0, 2.0)", "(0.0, 1.0)"), ("(3.0, -2.0)", "(1.0, 2.0)"))),
    ("lambda x, y: lax.select_n(False, x, y)", "lambda x, y: x", (("(1.0, 2.0)", "(3.0, 4.0)"),)),
    ("lambda x, y: lax.select_n(True, x, y)", "lambda x, y: y", (("(1.0, 2.0)", "(3.0, 4.0)"),)),
    ("lambda x: lax.select_n(True, x, 3.0)", "lambda x: 0 * x + 3.0", (("(1.0,)", "(2.0,)"),)),
    ("lambda x: lax.select_n(True, 3.0, x)", "lambda x: x", (("(1.0,)", "(2.0,)"),)),
    ("lambda x, y: lax.select_n(np.int32(2), x, y, 7.0)", "lambda x, y: 0 * x + 7.0", (("(1.0, 2.0)", "(3.0, 4.0)"),)),
    ("lambda x, y: lax.select_n(np.int32(2), 7.0, x, y)", "lambda x, y: y", (("(1.0, 2.0)", "(3.0, 4.0)"),)),
    ("lambda x, y: lax.select_n(np.array([True, False]), x, y)", "lambda x, y: np.where([True, False], y, x)",
     (("(np.float32([1, 2]), np.float32([4, 5]))", "(np.float32([1, 2]), np.float32([3, 4]))"),)),
    ("lambda x, y: lax.tanh(lax.div(x, y))", "lambda x, y: np.tanh(x / y)",
     (("(np.float32([1, 2]), np.float32([4, 5]))", "(np.float32([1, 2]), np.float32([3, 4]))"),)),
)  # fmt: skip
_WITH = "with_rules(jvp_rules, RULES, {})"


def rule_cases() -> Iterator[Case]:
    for fun, plain, places in _FUNCTIONS:
        look = "with_rules(jvp_rules, RULES, jax.make_jaxpr(lambda xs, ts: jax.jvp(f, xs, ts)), xs, ts)"
        for xs, ts in places:
            setup = f"f = {fun}\nxs, ts = {xs}, {ts}"
            yield Case(_WITH.format("rounded, jax.jvp, f, xs, ts"), f"by_differences({plain}, xs, ts)", setup, look)
        yield from _counts(fun, places[0][0])
    for fun, plain in (("lax.tanh(x)", "np.tanh(x)"), ("lax.div(x, 2.0)", "x / 2.0"), ("lax.div(3.0, x)", "3.0 / x"),
                       ("lax.select_n(x > 1.0, x, x * x)", "x * x")):  # fmt: skip
        expected = f"by_differences(lambda x: {plain}, (2.0,), (1.0,))[1]"
        yield Case(_WITH.format("rounded, jax.grad(f), 2.0"), expected, f"f = lambda x: {fun}")
    yield Case(_WITH.format("rounded, jax.grad(jax.grad(f)), 2.0"), "0.75", "f = lambda x: lax.div(3.0, x)")
    setup = "f = lambda x: lax.select_n(x > 0.0, 3.0 * x, lax.sqrt(x))"
    yield Case(_WITH.format("rounded, jax.jvp, f, (0.0,), (1.0,)"), "(0.0, 3.0)", setup)


def _counts(fun: str, xs: str) -> Iterator[Case]:
    """What the program of values and tangents may not have more of than this."""
    setup = f"f = {fun}\nrecord = jax.make_jaxpr(lambda xs, ts: jax.jvp(f, xs, ts))\n"  # short lines: they are shown
    setup += f"program = {_WITH.format(f'record, {xs}, {xs}')}"
    costly = "[name for name in operations(program) if name in ('tanh', 'exp', 'cosh', 'logistic')]"
    if "tanh" in fun:
        yield Case(costly, "['tanh']", setup, "program")
    if "(x, 2.0)" in fun:
        yield Case("operations(program)", "['div', 'div']", setup, "program")


# ---- 4.4

_PADDED = (  # shapes of the operand, and paddings of it: (low, high, interior) along each axis
    ((2,), ("(0, 0, 0)", "(1, 0, 0)", "(0, 2, 0)", "(0, 0, 1)", "(-1, 0, 0)", "(1, -1, 0)")),
    ((3,), ("(1, 2, 0)", "(0, 0, 2)", "(1, 1, 1)", "(-1, 2, 1)", "(-1, -1, 1)", "(-2, 0, 0)")),
    ((0,), ("(1, 2, 0)", "(2, 0, 3)")),
    ((2, 3), ("(0, 0, 0), (1, 0, 0)", "(1, 0, 1), (0, 0, 0)", "(-1, 1, 0), (0, 1, 2)")),
    ((), ("",)),
)


def pad_cases() -> Iterator[Case]:
    both, one, other = (
        "lambda x, v: lax.pad(x, v, [{}])",
        "lambda x: lax.pad(x, 0.0, [{}])",
        "lambda v: lax.pad(x, v, [{}])",
    )
    for shape, paddings in _PADDED:
        x = f"jnp.zeros({shape})"
        for padding in paddings:
            for f, args in ((one, f"({x},)"), (other, "(0.0,)"), (both, f"({x}, 0.0)")):
                setup = f"x = {x}\n" * (f is other)
                setup += (
                    f"f = {f.format(padding)}\nxs = {args}\nct = jnp.arange(1.0, f(*xs).size + 1).reshape(f(*xs).shape)"
                )
                call = "with_rules(transpose_rules, {lax.pad_p: pad_transpose}, rounded, pulled, f, xs, ct)"
                yield Case(call, "by_unit_vectors(f, xs, ct)", setup)
    call = "[ct is None for ct in pad_transpose(jnp.ones(3), {}, {}, padding_config=((1, 0, 0),))]"
    unknown = "UndefinedPrimal(jax.typeof({}))"
    yield Case(call.format("jnp.ones(2)", unknown.format("0.0")), "[True, False]")
    yield Case(call.format(unknown.format("jnp.ones(2)"), "0.0"), "[False, True]")


# ---- 4.5

_MODELS = (  # a model, a loss, a place, a direction
    ("lambda x: 3.0 * x", "lambda y: y * y", "1.0", "1.0"),
    ("lambda x: x * x", "lambda y: y * y", "1.0", "1.0"),
    ("lambda x: x * x", "lambda y: y ** 3", "2.0", "0.5"),
    ("lambda x: jnp.stack([x, x * x])", "lambda y: y[0] ** 2 * y[1]", "2.0", "1.0"),
    ("lambda x: x[0] * x[1]", "lambda y: jnp.exp(y)", "jnp.array([1.0, 0.5])", "jnp.array([1.0, -1.0])"),
    ("lambda x: jnp.sin(x) * x[0]", "lambda y: y @ y * y[1]", "jnp.arange(1.0, 4.0)", "jnp.array([1.0, 0.0, 2.0])"),
    ("lambda x: {'u': x['a'] * x['b'], 'v': x['b'].sum()}", "lambda y: (y['u'] ** 2).sum() * y['v']",
     "{'a': jnp.array([1.0, 2.0]), 'b': jnp.array([3.0, -1.0])}",
     "{'a': jnp.array([0.5, 1.0]), 'b': jnp.array([1.0, 0.0])}"),
)  # fmt: skip


def gauss_newton_cases() -> Iterator[Case]:
    setups = [f"model = {model}\nloss = {loss}\nx, v = {x}, {v}" for model, loss, x, v in _MODELS]
    jitted = "jax.jit(lambda x, v: gauss_newton(model, loss, x, v)), x, v"
    for setup in setups:
        yield Case("rounded(gauss_newton, model, loss, x, v)", "by_matrices(model, loss, x, v)", setup)
    for setup in setups:
        yield Case("counted(lambda f: gauss_newton(lambda x: f(model(x)), loss, x, v))", "1", setup)
        yield Case(f"rounded({jitted})", "by_matrices(model, loss, x, v)", setup)
