"""The cases of chapter 5's exercises on the law of vmap, on writing, on loops and branches, and on lanes."""

from collections.abc import Iterator

from .exercise import Case

_WITH = "with_rules(batching_rules, rules, {}, *args)"  # after a setup by `_setup`


def _setup(rules: str, fun: str, axes: str, args: str) -> str:
    """Statements that name a function, its batched function, the arguments, and the rules that are put in place."""
    return f"f = {fun}\nmapped = jax.vmap(f, in_axes={axes})\nargs = ({args},)\n{rules}"


# ---- 5.5

_LOOPED = (  # a function, in_axes, arguments
    ("lambda x: x + 1", "0", "jnp.arange(2)"),
    ("lambda x: x + 1", "0", "jnp.arange(3)"),
    ("lambda x: x.sum()", "0", "jnp.arange(6).reshape(2, 3)"),
    ("lambda x: x.sum()", "1", "jnp.arange(6).reshape(2, 3)"),
    ("lambda x: x", "-1", "jnp.arange(6).reshape(2, 3)"),
    ("lambda x, y: x + y", "0", "jnp.arange(2), jnp.array([5, 7])"),
    ("lambda x, y: x + y", "(0, None)", "jnp.arange(2), 10"),
    ("lambda x, y: x + y", "(None, 0)", "jnp.array([5, 7]), jnp.arange(2)"),
    ("lambda x, y: x @ y", "(0, 1)", "jnp.arange(6).reshape(2, 3), jnp.arange(6).reshape(3, 2)"),
    ("lambda x, y: y", "(0, None)", "jnp.arange(2), jnp.arange(3)"),
    ("lambda x: (x, {'b': x * 2})", "0", "jnp.arange(2)"),
)
_TREES = (  # the same, with a function of the leaves and their axes
    ("lambda p: p['w'] * p['b']", "0", "{'w': jnp.arange(2), 'b': jnp.array([5, 7])}", "lambda b, w: w * b", "0"),
    ("lambda p, x: p['w'] * x", "({'w': None}, 0)", "{'w': 3}, jnp.arange(2)", "lambda w, x: w * x", "(None, 0)"),
    ("lambda p, x: p['w'] @ x + p['b']", "({'w': None, 'b': 0}, 1)",
     "{'w': jnp.arange(3), 'b': jnp.array([5, 7])}, jnp.arange(6).reshape(3, 2)",
     "lambda b, w, x: w @ x + b", "(0, None, 1)"),
    ("lambda p, x: p[0] + p[1][0] + x", "((0, None), None)", "(jnp.arange(2), [jnp.array(5)]), 1",
     "lambda a, b, x: a + b + x", "(0, None, None)"),
)  # fmt: skip
_UNEQUAL = (  # in_axes, arguments, and what the error says of each array that is mapped
    ("0", "jnp.zeros(3), jnp.zeros(2)", "(0, 'args[0]', 3), (0, 'args[1]', 2)"),
    ("(0, 1)", "jnp.zeros((5, 3)), jnp.zeros((5, 2))", "(0, 'args[0]', 5), (1, 'args[1]', 2)"),
    ("(0, None, 0)", "jnp.zeros(3), jnp.zeros(7), jnp.zeros(2)", "(0, 'args[0]', 3), (0, 'args[2]', 2)"),
    ("({'w': 0, 'b': None}, 1)", "{'w': jnp.zeros(4), 'b': 1}, jnp.zeros((2, 3))",
     "(0, \"args[0]['w']\", 4), (1, 'args[1]', 3)"),
    ("0", "[jnp.zeros(2), (jnp.zeros(2), jnp.zeros(3))]",
     "(0, 'args[0][0]', 2), (0, 'args[0][1][0]', 2), (0, 'args[0][1][1]', 3)"),
)  # fmt: skip


def loop_cases() -> Iterator[Case]:
    for fun, axes, args in _LOOPED:
        setup = f"f = {fun}"
        yield Case(f"numbers(vmap_by_loop(f, {axes}), {args})", f"by_examples(f, {axes}, {args})", setup)
    for fun, axes, args, of_leaves, leaf_axes in _TREES:
        expected = f"by_examples({of_leaves}, {leaf_axes}, *jax.tree.leaves(({args},)))"
        yield Case(f"numbers(vmap_by_loop(f, {axes}), {args})", expected, f"f = {fun}")
    for axes, args, found in _UNEQUAL:
        yield Case(f"refusal(vmap_by_loop(lambda *args: 0, {axes}), {args})", f"inconsistent({found})")
    setup = "f = lambda x: jnp.where(x > 0, x, -x)"
    yield Case("numbers(vmap_by_loop(vmap_by_loop(f)), jnp.array([[1, -2], [-3, 4]]))", "[[1, 2], [3, 4]]", setup)
    yield Case("numbers(jax.jit(vmap_by_loop(f)), jnp.array([1, -2]))", "[1, 2]", setup)
    yield Case("numbers(jax.grad(lambda x: vmap_by_loop(f)(x).sum()), jnp.array([1.0, -2.0]))", "[1.0, -1.0]", setup)


# ---- 5.6

_RULES = "rules = {lax.dynamic_update_slice_p: update_batching}"
_LINE, _TABLE = "lax.dynamic_update_slice(x, u, (i,))", "lax.dynamic_update_slice(x, u, (i, j))"
_WRITES = (  # a function of x, u and places; in_axes and arguments for it
    (f"lambda x, u, i: {_LINE}", (
        ("(0, 0, 0)", "jnp.zeros((2, 3)), jnp.array([[1.0], [2.0]]), jnp.array([0, 1])"),
        ("(0, 0, 0)", "jnp.zeros((2, 3)), jnp.ones((2, 2)), jnp.array([1, 0])"),
        ("(0, 0, 0)", "jnp.zeros((2, 3)), jnp.ones((2, 2)), jnp.array([0, 9])"),
        ("(0, 0, 0)", "jnp.zeros((2, 3)), jnp.ones((2, 2)), jnp.array([-1, -9])"),
        ("(1, 0, 0)", "jnp.arange(6.0).reshape(3, 2), jnp.ones((2, 2)), jnp.array([0, 1])"),
        ("(0, 1, 0)", "jnp.zeros((2, 3)), jnp.arange(4.0).reshape(2, 2), jnp.array([0, 1])"),
        ("(None, 0, 0)", "jnp.zeros(3), jnp.array([[1.0], [2.0]]), jnp.array([0, 2])"),
        ("(0, None, 0)", "jnp.zeros((2, 3)), jnp.array([4.0, 5.0]), jnp.array([0, 1])"),
        ("(0, 0, None)", "jnp.arange(6).reshape(2, 3), jnp.array([[7], [8]]), 1"),
        ("(None, None, 0)", "jnp.zeros(4), jnp.array([1.0, 2.0]), jnp.array([2, 0, 1])"),
    )),
    (f"lambda x, u, i, j: {_TABLE}", (
        ("(0, 0, 0, 0)", "jnp.zeros((2, 3, 3)), jnp.ones((2, 1, 2)), jnp.array([0, 2]), jnp.array([1, 0])"),
        ("(2, 1, 0, None)", "jnp.zeros((3, 3, 2)), jnp.arange(8.0).reshape(2, 2, 2), jnp.array([0, 1]), 1"),
        ("(None, None, None, 0)", "jnp.zeros((2, 3)), jnp.ones((2, 1)), 0, jnp.array([0, 2, 1])"),
    )),
)  # fmt: skip


def update_cases() -> Iterator[Case]:
    call, look = _WITH.format("numbers, mapped"), _WITH.format("jax.make_jaxpr(mapped)")
    for fun, calls in _WRITES:
        for axes, args in calls:
            yield Case(call, f"by_examples(f, {axes}, *args)", _setup(_RULES, fun, axes, args), look)
    args = "jnp.zeros((4, 3)), jnp.ones((4, 1)), jnp.array([0, 1, 2, 0])"
    names = "[name for name in operations(program) if name in ('while', 'scan', 'dynamic_update_slice')]"
    setup = _setup(_RULES, f"lambda x, u, i: {_LINE}", "0", args)
    yield Case(names, "[]", f"{setup}\nprogram = {look}", "program")
    setup += "\nmapped = jax.vmap(jax.vmap(f, in_axes=(0, 0, None)), in_axes=(None, None, 0))"
    inner = "by_examples(f, (0, 0, None), x, u, i)"
    yield Case(call, f"by_examples(lambda x, u, i: jnp.array({inner}), (None, None, 0), *args)", setup)


# ---- 5.7

_WHILES = (  # a condition, a body, and batches to begin with
    ("lambda x: x < 3", "lambda x: x + 1", ("jnp.array([0])", "jnp.array([0, 2])", "jnp.array([5, 0, 3])")),
    ("lambda x: x > 1.0", "lambda x: x / 2.0", ("jnp.array([1.0, 8.0, 100.0])",)),
    ("lambda x: x >= 1.0", "lambda x: jnp.sqrt(x - 1.0)", ("jnp.array([0.5, 2.0])", "jnp.array([5.0, 1.5, 2.0])")),
    ("lambda s: s[0] > 1.0", "lambda s: (s[0] / 2.0, s[1] + 1)", ("(jnp.array([1.0, 8.0]), jnp.array([0, 0]))",)),
    ("lambda s: s['x'].sum() < 10", "lambda s: {'x': s['x'] * 2, 'n': s['n'] + 1}",
     ("{'x': jnp.array([[1, 2], [20, 1]]), 'n': jnp.zeros(2, int)}",
      "{'x': jnp.arange(12).reshape(2, 3, 2), 'n': jnp.zeros(2, int)}",
      "{'x': jnp.array([[1, 2], [1, 0]]), 'n': jnp.zeros(2, int)}")),
)  # fmt: skip
_PLUGGED = "rules = {lax.while_p: rule_of_while(batched_while)}"
_MAPPED_WHILES = (  # a function with a loop, in_axes, arguments
    ("lambda x: lax.while_loop(lambda s: s[0] > 1.0, lambda s: (s[0] / 2.0, s[1] + 1), (x, 0))[1]", "0",
     "jnp.array([1.0, 8.0, 1000.0])"),
    ("lambda x, n: lax.while_loop(lambda y: y < n, lambda y: y + x, 0)", "(0, None)", "jnp.array([1, 3]), 7"),
    ("lambda x, n: lax.while_loop(lambda y: y < n, lambda y: y + x, 0)", "(None, 0)", "2, jnp.array([7, 0])"),
    ("lambda x, n: lax.fori_loop(0, n, lambda i, y: y * x + i, x)", "(0, 0)",
     "jnp.array([1, 2, 3]), jnp.array([2, 0, 1])"),
    ("lambda x: lax.while_loop(lambda y: y < 9, lambda y: lax.while_loop(lambda z: z % 4 > 0, lambda z: z + 1, y + 1), "
     "x)", "0", "jnp.array([0, 3, 8])"),
)  # fmt: skip


def while_cases() -> Iterator[Case]:
    program = "jax.make_jaxpr(lambda xs: batched_while(cond, body, xs))(xs)"
    for cond, body, starts in _WHILES:
        for init in starts:
            setup = f"cond = {cond}\nbody = {body}\nxs = {init}"
            yield Case("numbers(batched_while, cond, body, xs)", "while_by_example(cond, body, xs)", setup, program)
    setup = "cond = lambda x: x > 0\nbody = lambda x: tell(x - 1)\nxs = jnp.array([0, 3, 1])"
    yield Case("len(heard(batched_while, cond, body, xs)[1])", "9", setup, program)
    yield Case(f"(count('while', {program}), count('scan', {program}))", "(1, 0)", setup, program)
    for fun, axes, args in _MAPPED_WHILES:
        setup = _setup(_PLUGGED, fun, axes, args)
        yield Case(_WITH.format("numbers, mapped"), f"by_examples(f, {axes}, *args)", setup)


# ---- 5.8

_CHOSEN = "rules = {lax.cond_p: rule_of_cond(select_branches)}"
_LOG = "lambda x: lax.cond(x > 0.0, jnp.log, lambda x: x, x)"
_BRANCHES = (  # a function with a branch, in_axes, arguments
    ("lambda x: lax.cond(x > 0, lambda x: x * 2, lambda x: -x, x)", "0", "jnp.array([1, -3])"),
    ("lambda p, x: lax.cond(p, lambda x: x.sum(), lambda x: x[0], x)", "0",
     "jnp.array([True, False]), jnp.arange(4).reshape(2, 2)"),
    ("lambda p, x: lax.cond(p, lambda x: x * 2, lambda x: -x, x)", "0",
     "jnp.array([True, False]), jnp.arange(1, 5).reshape(2, 2)"),
    ("lambda p, x: lax.cond(p, lambda x: x * 2, lambda x: -x, x)", "(0, 2)",
     "jnp.array([True, False, True]), jnp.arange(12).reshape(2, 2, 3)"),
    ("lambda p, x: lax.cond(p, lambda x: (x, x + 1), lambda x: (x * x, 0), x)", "(0, None)",
     "jnp.array([True, False, True]), 3"),
    ("lambda i, x: lax.switch(i, [lambda x: x, lambda x: x * x, lambda x: -x], x)", "0",
     "jnp.array([2, 0, 1, 9]), jnp.arange(1, 5)"),
    (_LOG, "0", "jnp.array([1.0, -1.0])"),
    ("lambda x: lax.cond(x >= 0.0, lambda x: lax.cond(x > 1.0, jnp.log, lambda x: x, x), lambda x: -x, x)", "0",
     "jnp.array([1.0, -1.0, 0.5])"),
)  # fmt: skip
_SLOPES = (  # a function of one number, points
    (_LOG, "jnp.array([2.0, -1.0])"),
    (_LOG, "jnp.array([2.0, 0.0, -1.0])"),
    ("lambda x: lax.cond(x > 0.0, lambda x: jnp.sqrt(x) * x, lambda x: 2.0 * x, x)", "jnp.array([4.0, -1.0, 0.0])"),
    (
        "lambda x: lax.switch(jnp.int32(x > 0.0) + jnp.int32(x > 1.0), [jnp.sin, jnp.sqrt, jnp.log], x)",
        "jnp.array([0.0, 0.25, 2.0])",
    ),
)
_ARMS = (  # arms that tell their number, and batches of which not all take all arms
    ("lambda x: lax.cond(x > 0, lambda x: x * 10 + 0 * tell(1), lambda x: -x + 0 * tell(0), x)",
     ("[1, 2]", "[-1, -2]", "[-1, 2]")),
    ("lambda x: lax.switch(x, [lambda x: x + tell(1), lambda x: x + tell(2), lambda x: x + tell(3)], x)",
     ("[1, 2]", "[2, 2]", "[0, 2]")),
)  # fmt: skip


def branch_cases() -> Iterator[Case]:
    look = _WITH.format("jax.make_jaxpr(mapped)")
    for fun, axes, args in _BRANCHES:
        setup = _setup(_CHOSEN, fun, axes, args)
        yield Case(_WITH.format("rounded, mapped"), f"rounded(by_examples, f, {axes}, *args)", setup, look)
    for fun, x in _SLOPES:
        setup = _setup(_CHOSEN, fun, "0", x)
        for slope in ("jax.vmap(jax.grad(f))", "jax.grad(lambda x: mapped(x).sum())"):
            yield Case(_WITH.format(f"rounded, {slope}"), "rounded(by_examples, jax.grad(f), 0, *args)", setup)
    for fun, batches in _ARMS:
        for x in batches:
            setup = _setup(_CHOSEN, fun, "0", f"jnp.array({x})")
            yield Case(_WITH.format("arms_told, mapped"), "arms_told(by_examples, f, 0, *args)", setup)


# ---- 5.9

LANES = (  # a text, the variables that are a lane's own after it, its variables
    ("y = x + 1.0", "x y", ({"x": [1.0, 2.0], "y": 0.0},)),
    ("y = a + 1.0\nx = x * y", "x", ({"x": [1.0, 2.0], "a": 3.0, "y": 0.0},)),
    ("if x > 0.0:\n    x = 2.0 * x", "x", ({"x": [1.0, -1.0]}, {"x": [-1.0, -2.0]})),
    ("if x > 0.0:\n    y = 1.0\nelse:\n    y = 2.0", "x y", ({"x": [1.0, -1.0], "y": 0.0},)),
    ("if x > 0.0:\n    x = -x\nelse:\n    x = x - 1.0", "x", ({"x": [1.0, -1.0, 0.0]},)),
    ("if a > 0.0:\n    b = 1.0\nelse:\n    b = x", "x b", ({"x": [1.0, 2.0], "a": -1.0, "b": 0.0},
                                                         {"x": [1.0, 2.0], "a": 1.0, "b": 0.0})),
    ("if a > 0.0:\n    b = 3.0\nelse:\n    b = 4.0", "x", ({"x": [1.0, 2.0], "a": -1.0, "b": 0.0},)),
    ("if x > 0.0:\n    if y > 0.0:\n        x = 5.0\n    else:\n        y = 6.0", "x y",
     ({"x": [1.0, 1.0, -1.0, -1.0], "y": [1.0, -1.0, 1.0, -1.0]},)),
    ("if x > 0.0:\n    if a > 0.0:\n        b = 5.0\n    else:\n        x = 7.0", "x b",
     ({"x": [1.0, -1.0], "a": 1.0, "b": 0.0}, {"x": [1.0, -1.0], "a": -1.0, "b": 0.0})),
    ("while x < 3.0:\n    x = x + 1.0", "x", ({"x": [0.0, 2.0]}, {"x": [5.0, 0.0, 3.0]})),
    ("while x >= 1.0:\n    x = jnp.sqrt(x - 1.0)", "x", ({"x": [0.5, 2.0]},)),
    ("while x > 1.0:\n    x = x / 2.0\n    n = n + 1.0", "x n", ({"x": [1.0, 8.0, 100.0], "n": 0.0},)),
    ("while i < a:\n    x = 2.0 * x\n    i = i + 1.0", "x", ({"x": [1.0, 3.0], "a": 3.0, "i": 0.0},)),
    ("while i < a:\n    y = z\n    z = x\n    i = i + 1.0", "x y z",
     ({"x": [1.0, 3.0], "y": 0.0, "z": 0.0, "a": 3.0, "i": 0.0},
      {"x": [1.0, 3.0], "y": 0.0, "z": 0.0, "a": 1.0, "i": 0.0})),
    ("while i < 9.0:\n    i = i + y\n    y = z\n    z = x", "x y z i",
     ({"x": [1.0, 3.0], "y": 1.0, "z": 2.0, "i": 0.0},)),
    ("if x > 0.0:\n    while x < 9.0:\n        x = 2.0 * x", "x", ({"x": [1.0, -1.0, 5.0]},)),
    ("if x > 0.0:\n    while i < 2.0:\n        i = i + 1.0\n        x = x + i", "x i", ({"x": [1.0, -1.0], "i": 0.0},)),
    ("while a != b:\n    if a > b:\n        a = a - b\n    else:\n        b = b - a\n    n = n + 1.0", "a b n",
     ({"a": [9.0, 3.0, 8.0], "b": [6.0, 7.0, 8.0], "n": 0.0}, {"a": [9.0, 3.0, 8.0], "b": 6.0, "n": 0.0})),
    ("while i < 3.0:\n    j = 0.0\n    while j < x:\n        j = j + 1.0\n        n = n + i\n    i = i + 1.0", "x n j",
     ({"x": [2.0, 0.0, 5.0], "i": 0.0, "j": 0.0, "n": 0.0},)),
    ("while a > 0.0:\n    a = a - 1.0\n    b = 2.0 * b", "", ({"a": 3.0, "b": 1.0},)),
)  # fmt: skip


def lane_cases() -> Iterator[Case]:
    for text, own, inputs in LANES:
        setup = f'text = """\\\n{text}"""'
        for variables in inputs:
            given = ", ".join(f"{name}={_array(x)}" for name, x in variables.items())
            yield Case(f"rounded(run_lanes, text, {given})", f"by_lanes(text, '{own}', {given})", setup)
        yield Case(f"rounded(jax.jit(lambda: run_lanes(text, {given})))", f"by_lanes(text, '{own}', {given})", setup)


def _array(x: float | list[float]) -> str:
    return f"jnp.array({x})" if isinstance(x, list) else str(x)
