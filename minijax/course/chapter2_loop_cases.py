"""The cases of chapter 2's exercises on loops and buffers: laws as text, from small to large, the same each time."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from .chapter2_cases import SOFTMAX
from .chapter2_expected import small_programs
from .exercise import Case

# ---- 2.1

_A, _B = 'Load("a", i, f32)', 'Load("b", i, f32)'
_BODIES = (  # statements, from small to large
    'Let("x", Const(1.0, f32))',
    'Let("x", Load("a", ZERO, f32))',
    'Store("b", ZERO, Const(1.0, f32))',
    'Store("b", ZERO, Load("a", ZERO, f32))',
    'Let("x", Op("neg", (Load("a", ZERO, f32),), f32))',
    'Let("x", Op("add", (Load("a", ZERO, f32), Load("a", ZERO, f32)), f32))',
    'Let("x", Const(1.0, f32)), Store("b", ZERO, Op("neg", (Op("neg", (Load("a", ZERO, f32),), f32),), f32))',
    'For("i0", 3, [Store("b", i, Const(1.0, f32))])',
    f'For("i0", 3, [Let("x", {_A})])',
    'For("i0", 0, [Store("b", i, Load("a", i, f32))])',
    f'For("i0", 3, [Let("x", {_A}), Store("b", i, Op("mul", (Name("x", f32), {_A}), f32))])',
    f'For("i0", 2, [Store("c", i, Op("add", ({_A}, {_B}), f32))]), Store("b", ZERO, Load("a", ZERO, f32))',
    'For("i0", 2, [For("i1", 3, [Store("b", i * 3 + j, Load("a", i * 3 + j, f32))])])',
    'For("i0", 2, [Let("x", Load("a", i, f32)), For("i1", 3, [Store("b", i * 3 + j, Name("x", f32))])])',
)
_KERNELS = (  # what stands before, a function, its argument: its first kernel is small, its last one larger
    ("", "lambda x: x * x + 1.0", "jnp.ones(3)"),
    ("", "lambda x: x.sum(axis=0)", "jnp.ones((2, 3))"),
    ("", "lambda x: x.T + 1.0", "jnp.ones((2, 3))"),
    (SOFTMAX, "softmax", "jnp.ones((2, 3))"),
)


def traffic_cases() -> Iterator[Case]:
    for body in _BODIES:
        look = "text_of(body, **dict.fromkeys('abc', np.ones(6, np.float32)))"
        yield Case("traffic(body)", "counted(body)", f"body = [{body}]", look)
    for before, fun, argument in _KERNELS:
        call = "[traffic(kernel.body) for kernel in kernels]"
        setup = f"{before}kernels = kernels_of({fun}, {argument})"
        yield Case(call, call.replace("traffic", "counted"), setup)


# ---- 2.5


def running_cases() -> Iterator[Case]:
    shapes = [(1,), (2,), (3,), (2, 2), (2, 3), (3, 2), (2, 0), (0, 2), (2, 3, 2)]
    for dtype, shape in product(("float32", "int32", "uint8"), shapes):
        numbers = [x if dtype == "uint8" else -x for x in (3, 1, 2, 5, 4, 6)] * 2
        for axis in range(len(shape)):
            setup = (
                f"x = np.resize({numbers[: max(1, int(np.prod(shape)))]}, {shape}).astype('{dtype}')\n"
                "a, b = Buffer('a', x.shape, x.dtype), Buffer('b', x.shape, x.dtype)"
            )
            body = f"running_max(a, b, {axis})"
            call = f"run_loops({body}, a=x, b=np.zeros_like(x))['b'].tolist()"
            yield Case(call, f"np.maximum.accumulate(x, {axis}).tolist()", setup, f"text_of({body}, a=x, b=x)")


# ---- 2.8

_MOVING = (  # a loop over a, s and b, from small to large
    'For("i0", 2, [Store("b", i, Load("a", i, f32))])',
    'For("i0", 2, [Let("t", Load("s", ZERO, f32)), Store("b", i, Name("t", f32))])',
    'For("i0", 2, [Let("t", Load("a", i, f32)), Store("b", i, Name("t", f32))])',
    'For("i0", 0, [Let("t", Load("none", ZERO, f32)), Store("b", i, Name("t", f32))])',
    'For("i0", 2, [Let("t", Const(2.0, f32)), Let("u", Op("neg", (Name("t", f32),), f32)), '
    'Store("b", i, Name("u", f32))])',
    'For("i0", 2, [Let("t", Load("a", i, f32)), Let("u", Op("neg", (Name("t", f32),), f32)), '
    'Store("b", i, Name("u", f32))])',
    'For("i0", 2, [Let("t", Load("b", ZERO, f32)), Store("b", i, Op("add", (Name("t", f32), Const(1.0, f32)), f32))])',
    'For("i0", 2, [Let("t", Load("s", ZERO, f32)), Store("b", i, Name("t", f32)), Let("t", Load("s", ZERO + 1, f32))])',
    'For("i0", 2, [Let("t", Const(0.0, f32)), For("i1", 2, [Let("t", Op("add", (Name("t", f32), '
    'Load("a", j, f32)), f32))]), Store("b", i, Name("t", f32))])',
    'For("i0", 2, [For("i1", 2, [Let("t", Load("s", i, f32)), Store("b", i * 2 + j, Name("t", f32))])])',
    'For("i0", 2, [For("i1", 2, [Let("t", Load("s", j, f32)), Store("b", i * 2 + j, Name("t", f32))])])',
    'For("i0", 2, [For("i1", 2, [Let("t", Load("s", ZERO, f32)), Store("b", i * 2 + j, Name("t", f32))])])',
    'For("i0", 2, [For("i1", 0, [Let("t", Load("none", ZERO, f32)), Store("b", j, Name("t", f32))])])',
    'For("i0", 0, [For("i1", 2, [Let("t", Load("none", ZERO, f32)), Store("b", j, Name("t", f32))])])',
    'For("i0", 2, [For("i1", 2, [Let("t", Load("b", i, f32)), Store("b", i * 2 + j, Name("t", f32))])])',
    'For("i0", 2, [Let("t", Load("s", ZERO, f32)), For("i1", 2, [Let("u", Op("mul", (Name("t", f32), '
    'Load("a", i, f32)), f32)), Store("b", i * 2 + j, Name("u", f32))])])',
)
ARRAYS = "arrays = dict(a=np.float32([5, 7]), s=np.float32([2, 3]), b=np.zeros(4, np.float32), none=np.float32([]))"


def lifted_cases() -> Iterator[Case]:
    for loop in _MOVING:
        yield from _lifted(f"loop = {loop}\n{ARRAYS}", 'For("i0", 0' not in loop)
    for before, fun, argument in (_KERNELS[0], _KERNELS[2], _KERNELS[3]):
        arrays = "arrays = arrays_for(kernel)"
        kernel = f"{before}kernel = kernels_of({fun}, {argument})[{1 if before else 0}]"
        yield from _lifted(f"{kernel}\nloop = kernel.body[0]\n{arrays}", True)


def _lifted(setup: str, has_rounds: bool) -> Iterator[Case]:
    look, run = "text_of(lifted(loop), **arrays)", "run_loops({}, **arrays)"
    yield Case(run.format("lifted(loop)"), run.format("[loop]"), setup, look)
    if has_rounds:
        yield Case(look, "text_of(outside([loop]), **arrays)", setup)
    yield Case("(lifted(loop), repr(loop))[1]", "repr(loop)", setup)  # it is not changed


# ---- 2.9

_LARGER = (  # steps, results, donated
    ([("c", ["a", "b"]), ("d", ["b", "c"])], ["d"], ["b"]),
    ([("c", ["a", "b"]), ("d", ["b", "c"])], ["d"], ["a", "b"]),
    ([("c", ["a"]), ("d", ["b"]), ("e", ["c", "d"])], ["e"], ["a"]),
    ([("c", ["a"]), ("d", ["c"]), ("e", ["d"]), ("f", ["e", "c"])], ["f"], []),
    ([("c", ["a"]), ("d", ["c"]), ("e", ["d"]), ("f", ["e"])], ["d", "f"], ["a"]),
    ([("c", ["a"]), ("d", ["c"]), ("e", ["d"]), ("f", ["e"]), ("g", ["f"])], ["g"], []),
    ([("c", ["a"]), ("d", ["a", "c"]), ("e", ["c", "d"]), ("f", ["d", "e"]), ("g", ["e", "f"])], ["g"], ["a"]),
)


def buffer_cases() -> Iterator[Case]:
    for steps, results, donated in (*small_programs(), *_LARGER):
        setup = f"steps = {steps}\nresults, donated = {results}, {donated}"
        call, look = "buffers(steps, results, donated)", "buffers(steps, results, donated)"
        yield Case(f"what_is_lost(steps, results, donated, {call})", "[]", setup, look)
        yield Case(f"len({{*{call}.values()}} - {{*donated}})", "fewest(steps, results, donated)", setup, look)


# ---- 2.10

_ROWS = 'For("i0", 2, [For("i1", 3, [{}])])'


def _kernel(name: str, reads: str, writes: str, body: str, **sizes: str) -> str:
    """The definition of a kernel of buffers with names of one letter, of two elements if nothing else is said."""
    inputs, outputs = (
        ", ".join(f'Buffer("{b}", ({sizes.get(b, "2,")}), f32)' for b in buffers) for buffers in (reads, writes)
    )
    return f'{name} = Kernel("{name}", [{inputs}], [{outputs}], [{body}])'


def _add(target: str, place: str, *operands: tuple[str, str]) -> str:
    """One statement: an element becomes 1 more than others together."""
    value = "Const(1.0, f32)"
    for buffer, at in operands:
        value = f'Op("add", (Load("{buffer}", {at}, f32), {value}), f32)'
    return f'Store("{target}", {place}, {value})'


_ONE = 'For("i0", 2, [{}])'
FIRST = _kernel("first", "a", "b", _ONE.format(_add("b", "i", ("a", "i"))))
TABLE = _kernel("first", "a", "b", _ROWS.format(_add("b", "i * 3 + j", ("a", "i * 3 + j"))), a="2, 3", b="2, 3")


def second(body: str, reads: str = "b", writes: str = "c", **sizes: str) -> str:
    return _kernel("second", reads, writes, body, **sizes)


def _joinable() -> Iterator[tuple[str, str]]:
    """The definitions of two kernels that can be joined."""
    for reads in ("b", "a", "ba", "da"):
        yield FIRST, second(_ONE.format(_add("c", "i", *((x, "i") for x in reads))), reads)
    inner = 'For("i1", 2, [{}])'.format(_add("c", "i * 2 + j", ("b", "i")))
    yield FIRST, second(_ONE.format(inner), c="4,")
    for place in ("i * 3 + j", "i * 3 + j * -1 + 2", "i * 3", "i * 3 + 2"):
        yield TABLE, second(_ROWS.format(_add("c", "i * 3 + j", ("b", place))), b="2, 3", c="2, 3")
    yield TABLE, second(_ONE.format(_add("c", "i", ("b", "i * 3 + 2"))), b="2, 3")


def _apart() -> Iterator[tuple[str, str]]:
    """The definitions of two kernels; nearly all of them cannot be joined."""
    for buffer, place in (("b", "ZERO"), ("b", "i * -1 + 1"), ("a", "i * -1 + 1")):
        yield FIRST, second(_ONE.format(_add("c", "i", (buffer, place))), buffer)
    for target, place in (("a", "i"), ("a", "i * -1 + 1"), ("b", "i * -1 + 1")):
        yield FIRST, second(_ONE.format(_add(target, place, ("d", "i"))), "d", target)
    yield FIRST, second(_add("c", "ZERO", ("b", "ZERO")))
    one_number = _kernel("first", "a", "b", _add("b", "ZERO", ("a", "ZERO")))
    yield one_number, second(_ONE.format(_add("c", "i", ("a", "i"))), "a")
    yield FIRST, second(f"{_ONE.format(_add('c', 'i'))}, {_ONE.format(_add('d', 'i'))}", "", "cd")
    for head, at in (('For("i0", 1, [{}])', "i"), ('For("i1", 2, [{}])', "j")):
        yield FIRST, second(head.format(_add("c", at, ("d", at))), "d")
    inner = 'For("i1", 2, [{}])'.format(_add("c", "i * 2 + j", ("b", "j")))
    yield FIRST, second(_ONE.format(inner), c="4,")
    for place in ("j", "i * -3 + j + 3", "i + j * 2"):
        yield TABLE, second(_ROWS.format(_add("c", "i * 3 + j", ("b", place))), b="2, 3", c="2, 3")


_CENTRED = """\
def centred(x):
    y = x - x.mean(axis=1, keepdims=True)
    return y / (y * y).sum(axis=1, keepdims=True)
"""
_REAL = (  # two kernels of one program: what stands before, a function, the number of the first one
    (SOFTMAX, "softmax", 0),
    (SOFTMAX, "softmax", 1),
    (_CENTRED, "centred", 0),
)
_WHOLE = "first, second = kernels_of(lambda x: lax.exp(x - x.max()), jnp.ones((2, 3)))"


def join_cases() -> Iterator[Case]:
    right = ["\n".join(pair) for pair in _joinable()]
    for before, fun, k in _REAL:
        right.append(f"{before}first, second = kernels_of({fun}, jnp.ones((2, 3)))[{k} : {k + 2}]")
    both, unchanged = "join(first, second)", "(repr(first), repr(second))"
    for setup in (*right, *("\n".join(pair) for pair in _apart()), _WHOLE):
        look = "text_of([*first.body, *second.body], **arrays_for(first, second))"
        yield Case(f"{both} is None", "not may_join(first, second)", setup, look)
        yield Case(f"({both}, {unchanged})[1]", unchanged, setup)
    for setup in right:
        run = f"run_loops({both}.body, **arrays_for(first, second))"
        yield Case(run, "one_by_one(first, second)", setup, f"text_of({both}.body, **arrays_for({both}))")
        named = f"([b.name for b in {both}.inputs], [b.name for b in {both}.outputs])"
        yield Case(named, "parameters_of_both(first, second)", setup)
        yield Case(f"({both}.name, len({both}.body))", "(first.name, 1)", setup)
