"""What is right in the exercises of chapter 2: found by trying, in another way than a solution finds it.

Elements that are touched are counted while loops run; traces are counted; equations are tried on odd numbers; of all
choices the best is looked for. The package is looked up each time, since a `%chapter` replaces it.
"""

import importlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from .chapter2_given import Steps, arrays_for, function_of, layer2, odd, run_loops, text_of, what_is_lost

# ---- what loops touch


class Touched:
    """In the place of an array: tells which elements are read and written, and in which round."""

    def __init__(self, told: Callable[[str, int, bool], None], name: str, dtype: np.dtype):
        self.told, self.name, self.one = told, name, dtype.type(1)

    def __getitem__(self, place: int) -> Any:
        self.told(self.name, place, False)
        return self.one

    def __setitem__(self, place: int, value: Any) -> None:
        self.told(self.name, place, True)


def tell(body: Sequence[Any], told: Callable[[str, int, bool], None]) -> None:
    """Run statements, and tell of each element that is touched: its buffer, its place, and whether it is written."""
    loops = layer2("loops")
    touched = [*loops.loads(body), *(s for s in loops.statements(body) if isinstance(s, loops.Store))]
    dtypes = {x.buffer: (x.dtype if isinstance(x, loops.Load) else x.value.dtype) for x in touched}
    run = function_of(text_of(body, **{name: np.ones(1, dtype) for name, dtype in dtypes.items()}))
    with np.errstate(all="ignore"):
        run(*(Touched(told, name, dtype) for name, dtype in dtypes.items()))


def counted(body: Sequence[Any]) -> tuple[int, int]:
    """How many numbers statements read and write."""
    found: Counter[bool] = Counter()
    tell(body, lambda buffer, place, is_written: found.update([is_written]))
    return found[False], found[True]


def may_join(first: Any, second: Any) -> bool:
    """Whether two kernels are one loop each, with equal rounds, and no round touches another round's work."""
    loops = layer2("loops")
    bodies = first.body, second.body
    if any(len(body) != 1 or not isinstance(body[0], loops.For) for body in bodies):
        return False
    if len({(body[0].counter, body[0].extent) for body in bodies}) > 1:
        return False
    a, b = (rounds(loops, body[0]) for body in bodies)
    return all(m == n or not (w or v) for e in a.keys() & b.keys() for (m, w), (n, v) in product(a[e], b[e]))


def rounds(loops: Any, loop: Any) -> dict[tuple[str, int], set[tuple[int, bool]]]:
    """For each element that a loop touches: in which rounds, and whether it is written in them."""
    mark = loops.Store("round", loops.counter(loop.counter), loops.Const(1, np.dtype("float32")))
    found: dict[tuple[str, int], set[tuple[int, bool]]] = {}
    now = [0]

    def told(buffer: str, place: int, is_written: bool) -> None:
        if buffer == "round":
            now[0] = place
        else:
            found.setdefault((buffer, place), set()).add((now[0], is_written))

    tell([loops.For(loop.counter, loop.extent, [mark, *loop.body])], told)
    return found


def one_by_one(*kernels: Any) -> dict[str, np.ndarray]:
    """The arrays after these kernels were run, one after the other, on arrays of different numbers."""
    memory = arrays_for(*kernels)
    for kernel in kernels:
        memory |= run_loops(kernel.body, **{b.name: memory[b.name] for b in kernel.buffers})
    return memory


def parameters_of_both(first: Any, second: Any) -> tuple[list[str], list[str]]:
    """The names of the inputs and of the outputs of a joined kernel."""
    made = [b.name for b in (*first.outputs, *second.outputs)]
    read = dict.fromkeys(b.name for b in (*first.inputs, *second.inputs))
    return [name for name in read if name not in made], made


# ---- what is traced


def traces(calls: Sequence[tuple[Any, Any]], static: tuple[str, ...]) -> int:
    """How often jit traces a function for these calls."""
    traced: list[int] = []

    def function(x: Any = None, y: Any = None, *, mode: Any = None, n: Any = None) -> None:
        traced.append(1)

    jitted = importlib.import_module("minijax").jit(function, static_argnames=static)
    for args, kwargs in calls:
        jitted.eval_shape(*args, **kwargs)
    return len(traced)


# ---- what programs compute


def nontrivial(jaxpr: Any) -> list[str]:
    """The names of the primitives of those equations that are no trivial addition, difference, product or quotient."""
    return [str(eqn.primitive) for eqn in jaxpr.eqns if not is_trivial(eqn)]


def is_trivial(eqn: Any) -> bool:
    """Whether the result is an operand, whatever that is: all odd numbers are tried."""
    literal = importlib.import_module("minijax.extend.core").Literal
    variables = [v for v in eqn.invars if not isinstance(v, literal)]
    if str(eqn.primitive) not in ("add", "sub", "mul", "div") or len(variables) != 1:
        return False
    x = odd(variables[0].aval.dtype)
    got = eqn.primitive.bind(*(v.val if isinstance(v, literal) else x for v in eqn.invars), **eqn.params)
    return variables[0].aval == eqn.outvars[0].aval and np.asarray(got).tobytes() == x.tobytes()


def kept_by_rule(jaxpr: Any) -> set[Any]:
    """The variables that are kept: what must be, then the last expensive one that is computed for two, and so on."""
    lowering = layer2("lowering")
    maker = {v: eqn for eqn in jaxpr.eqns for v in eqn.outvars}
    kept = {v for v in maker if any(v is out for out in jaxpr.outvars)}
    for eqn in jaxpr.eqns:
        rule = lowering.lowering_of(eqn)
        if isinstance(rule, lowering.Called | lowering.Reduced):
            kept |= {*eqn.outvars}
        if isinstance(rule, lowering.Called):
            kept |= {v for v in maker if any(v is x for x in eqn.invars)}
    while again := [v for v in maker if v not in kept and is_expensive(maker[v]) and computed_for(v, maker, kept) > 1]:
        kept.add(again[-1])
    return kept


def is_expensive(eqn: Any) -> bool:
    rule = layer2("lowering").lowering_of(eqn)
    return getattr(rule, "cost", 0) >= layer2("fusion").EXPENSIVE


def computed_for(v: Any, maker: dict[Any, Any], kept: set[Any]) -> int:
    """For how many kept variables `v` is computed."""

    def needs(out: Any) -> bool:
        return any(x is v or (any(x is m for m in maker) and x not in kept and needs(x)) for x in maker[out].invars)

    return sum(map(needs, kept))


# ---- where arrays lie


def fewest(steps: Steps, results: Sequence[str], donated: Sequence[str]) -> int:
    """The fewest new buffers with which nothing is lost: all ways are tried."""
    made = [out for out, _ in steps]
    ways = [[*donated, *made[: k + 1]] for k in range(len(made))]
    found = (dict(zip(made, way, strict=True)) for way in product(*ways))
    right = (lies for lies in found if is_owned(lies) and not what_is_lost(steps, results, donated, lies))
    return min(len({*lies.values()} - {*donated}) for lies in right)


def is_owned(lies: dict[str, str]) -> bool:
    """Whether each new buffer is called after the array that was first in it."""
    return all(lies.get(buffer, buffer) == buffer for buffer in lies.values())


def small_programs() -> Iterator[tuple[Steps, list[str], list[str]]]:
    """Programs of up to three steps: steps, results, donated arguments."""
    for length in (1, 2, 3):
        choices = [["a", *"cde"[:k]] for k in range(length)]
        for reads in product(*choices):
            steps = [(out, [read]) for out, read in zip("cde", reads, strict=False)]
            last = steps[-1][0]
            for results in ([last], ["c", last])[: 1 + (last != "c")]:
                for donated in ([], ["a"]):
                    yield steps, results, donated
