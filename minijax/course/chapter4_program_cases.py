"""The cases of chapter 4's exercises on tags, passes backwards, memory, and programs in two parts."""

from collections.abc import Iterator
from itertools import product

from .exercise import Case

# ---- 4.6

_NESTED = (  # functions of a derivative d and a number x
    "5.0",
    "x",
    "x + x",
    "x * x",
    "3.0 * x + 1.0",
    "d(lambda y: y * y, x)",
    "x * d(lambda y: x, 1.0)",
    "d(lambda y: x * y, 1.0)",
    "x * d(lambda y: x + y, 1.0)",
    "x * d(lambda y: y + x, 1.0)",
    "d(lambda y: x * y * y, x)",
    "d(lambda y: y * d(lambda z: x * y * z, 2.0), 3.0)",
    "d(lambda y: d(lambda z: z * z * z * y, x), x * x)",
    "d(lambda y: d(lambda z: y * z * z, y) + x * y, x)",
    "d(lambda y: x * d(lambda z: x * z + y * z, x * y), 2.0)",
)


def tag_cases() -> Iterator[Case]:
    for x, text in product(("2.0", "-3.0"), _NESTED):
        call = f"float(derivative(lambda x: f(derivative, x), {x}))"
        yield Case(call, f"float(slope_of(lambda x: f(slope_of, x), {x}))", f"f = lambda d, x: {text}")


# ---- 4.7

_TEXTS = (  # a program, its variables, the cotangents of what is there after it
    ("y = 3.0 * x", {"x": 2.0}, {"y": 1.0}),
    ("y = 3.0 * x", {"x": 2.0}, {"x": 1.0}),
    ("y = 3.0 * x", {"x": 2.0}, {"x": 1.0, "y": 5.0}),
    ("y = x * x", {"x": 3.0}, {"y": 1.0}),
    ("y = x * z", {"x": 3.0, "z": 4.0}, {"y": 2.0}),
    ("y = 2.0 * x", {"x": 3.0, "z": 4.0}, {"y": 1.0}),
    ("y = 2.0 * x\nz = 3.0 * y", {"x": 1.0}, {"z": 1.0}),
    ("y = 2.0 * x\nz = 3.0 * x", {"x": 1.0}, {"y": 1.0, "z": 1.0}),
    ("y = 2.0 * x\nz = 3.0 * x", {"x": 1.0}, {"z": 1.0}),
    ("x = 3.0 * x", {"x": 2.0}, {"x": 1.0}),
    ("x = x * x", {"x": 3.0}, {"x": 1.0}),
    ("x = 5.0", {"x": 2.0}, {"x": 1.0}),
    ("x = x * x\nx = jnp.sin(x)", {"x": 1.5}, {"x": 1.0}),
    ("y = x * x\nx = 7.0 * y\ny = x + y", {"x": 0.5}, {"x": 1.0, "y": 2.0}),
    ("t = x\nx = y\ny = t", {"x": 1.0, "y": 2.0}, {"x": 3.0, "y": 4.0}),
    ("u = jnp.exp(x)\nv = u * x + y\nu = v * u\ny = u + jnp.cos(v)", {"x": 0.5, "y": 0.25}, {"y": 1.0, "u": 0.5}),
)


def text_cases() -> Iterator[Case]:
    for text, variables, cts in _TEXTS:
        setup = f'text = """\\\n{text}"""'
        arguments = f"text, {variables}, {cts}"
        yield Case(f"rounded(pull_program, {arguments})", f"by_differences_of_text({arguments})", setup)
    text, variables, cts = _TEXTS[-1]
    jitted = f"rounded(jax.jit(lambda variables: pull_program(text, variables, {cts})), {variables})"
    yield Case(jitted, f"by_differences_of_text(text, {variables}, {cts})", f'text = """\\\n{text}"""')


# ---- 4.8

_CONTRACTIONS = (  # a function of a and x, a, where to begin, a cotangent of x
    ("0.5 * a", "1.0", "0.0", "1.0"),
    ("0.5 * x + a", "1.0", "0.0", "1.0"),
    ("0.5 * x + a", "1.0", "0.0", "3.0"),
    ("0.5 * (x + a / x)", "2.0", "1.0", "1.0"),
    ("jnp.cos(a * x)", "0.75", "0.5", "1.0"),
    ("0.5 * x * a[0] + a[1]", "(0.5, 2.0)", "0.0", "1.0"),
    ("a @ x + 1.0", "jnp.array([[0.25, 0.5], [0.0, 0.25]])", "jnp.zeros(2)", "jnp.array([1.0, -2.0])"),
    ("{'u': 0.5 * jnp.tanh(x['v']) + a, 'v': 0.25 * x['u'] * x['v'] + 1.0}", "0.5", "{'u': 0.0, 'v': 0.0}",
     "{'u': 1.0, 'v': 2.0}"),
)  # fmt: skip


def fixed_point_cases() -> Iterator[Case]:
    for f, a, start, ct in _CONTRACTIONS:
        setup = f"f = lambda a, x: {f}\na, start, ct = {a}, {start}, {ct}"
        expected = "rounded(by_unrolling, f, a, start, ct)"
        yield Case("rounded(pull_fixed_point, f, a, settled(f, a, start), ct)", expected, setup)
    for f, a, start, _ in _CONTRACTIONS[3:5]:
        setup = f"f = lambda a, x: {f}\na, start = {a}, {start}"
        loss = "lambda a: jnp.sin(x_of(a)) * a"
        expected = f"rounded(jax.grad({loss.replace('x_of(a)', 'settled(f, a, start)')}), a)"
        call = f"rounded(jax.{{}}({loss}), a)".replace("x_of", "implicit(f, start, pull_fixed_point)")
        yield Case(call.format("grad"), expected, setup)
        yield Case(call.replace("jax.{}(", "jax.jit(jax.grad(").replace("), a)", ")), a)"), expected, setup)
    program = "jax.make_jaxpr(lambda a, x: pull_fixed_point(f, a, x, 1.0))(0.75, 0.5)"
    yield Case(f"count('sin', {program})", "1", "f = lambda a, x: jnp.cos(a * x)", program)


# ---- 4.9


def segment_cases() -> Iterator[Case]:
    for n, size in sorted(product((1, 2, 3, 4, 5, 6, 9), (1, 2, 3, 4)), key=lambda pair: (pair[0] * pair[1], pair)):
        found = f"watched_pullback(vjp_in_segments, {n}, {size})"
        yield Case(f"{found}['value']", f"chain_in_segments({n}, {size})['value']")
        yield Case(f"{found}['cotangent']", f"chain_in_segments({n}, {size})['cotangent']")
        yield Case(found, f"chain_in_segments({n}, {size})")
    setup = "steps = [lambda x: {'a': x, 'b': x * x}, lambda x: x['a'] * x['b'], jnp.sin]"
    for size in (1, 2):
        yield Case(f"rounded(vjp_in_segments(steps, 0.5, {size})[1], 1.0)",
                   "by_differences(lambda x: np.sin(x ** 3), (0.5,), (1.0,))[1]", setup)  # fmt: skip
    yield Case("rounded(jax.jit(lambda x: vjp_in_segments(steps, x, 2)[1](1.0)), 0.5)",
               "by_differences(lambda x: np.sin(x ** 3), (0.5,), (1.0,))[1]", setup)  # fmt: skip


# ---- 4.10

_PROGRAMS = (  # a function, its arguments, which of them are unknown
    ("lambda x, t: jnp.sin(x) * t", "1.0, 2.0", "[False, True]"),
    ("lambda x, t: x * t", "1.0, 2.0", "[False, True]"),
    ("lambda x, t: 3.0 * t", "1.0, 2.0", "[False, True]"),
    ("lambda x, t: (jnp.sin(x), t)", "1.0, 2.0", "[False, True]"),
    ("lambda x, t: (jnp.sin(x), jnp.cos(x) * t)", "1.0, 2.0", "[False, True]"),
    ("lambda t, x: (jnp.cos(x) * t, jnp.sin(x))", "2.0, 1.0", "[True, False]"),
    ("lambda x, t: (jnp.sin(x), t * t, 4.0, x)", "1.0, 2.0", "[False, True]"),
    ("lambda x, t: (lambda y: y * t + y)(jnp.sin(x))", "1.0, 2.0", "[False, True]"),
    ("lambda x, t: (jnp.exp(x) * t, x + 1.0)[1]", "1.0, 2.0", "[False, True]"),
    ("lambda x, t: jnp.cos(jnp.sin(x)) * t", "1.0, 2.0", "[False, True]"),
    ("lambda x, t: (lambda y: (y, jnp.cos(y) * t))(jnp.sin(x))", "1.0, 2.0", "[False, True]"),
    ("lambda x, t: (lambda y: jnp.cos(y) * t * jnp.exp(y + x))(jnp.sin(x))", "1.0, 2.0", "[False, True]"),
    ("lambda x, t: jax.jvp(lambda x: jnp.sin(jnp.exp(x) * x), (x,), (t,))", "0.5, 1.0", "[False, True]"),
    ("lambda x, t: jax.jvp(lambda x: jnp.tanh(w @ jnp.tanh(w @ x)).sum(), (x,), (t,))", "jnp.ones(2), jnp.ones(2)",
     "[False, True]"),
    ("lambda x, y, t: (jnp.sin(x) * y, jnp.sin(x) * t + jnp.exp(y))", "1.0, 2.0, 3.0", "[False, True, True]"),
)  # fmt: skip
_POLICIES = ("True", "False", "eqn.primitive.name == 'sin'", "eqn.primitive.name == 'dot_general'")


def split_cases() -> Iterator[Case]:
    for (fun, args, unknown), policy in product(_PROGRAMS, _POLICIES):
        name = policy.split("'")[1::2]
        if name and name[0].replace("dot_general", "@") not in fun:
            continue
        setup = "w = jnp.array([[1.0, 0.5], [0.0, 2.0]])\n" * ("w @" in fun)
        setup += f"program = inlined({fun}, {args})\nsaveable = lambda eqn: {policy}"
        parts = f"split_program(program, {unknown}, saveable)"
        yield Case(f"numbers(run_in_two, {parts}, program, {unknown}, [{args}])",
                   f"numbers(eval_jaxpr, program, program.consts, {args})", setup, "program")  # fmt: skip
        short = f"in_short({parts}, {unknown})"
        yield Case(short, f"split_in_short(program, {unknown}, saveable)", setup, "program")
