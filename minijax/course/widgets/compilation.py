"""How a function becomes loops: the stages of its program, the lines of its kernels, and what ties them together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .figure import package_module
from .kernels import CodeLine, Step, lines_of, marked_program, steps_of
from .program import MOST
from .recording import title
from .stages import Stage, stages_of

LONGEST = 300  # lines that are shown
# Why an equation has no line of its own, by the kind of its lowering rule.
SILENT = {
    "Moved": "it only says at which place its operand is read",
    "Relaid": "it has the elements of its operand in the same order",
    "Made": "its elements are the counters of a loop",
}
RENAMED = "its value has a name already"
COMPUTES = ("value", "store", "call")  # the kinds of lines that do an equation's work
AROUND = ("loop", "while", "branch")  # and those that have others inside


@dataclass(frozen=True)
class Compilation:
    """Text and numbers only. Equations are those of the last stage, numbered from 0 on."""

    name: str
    stages: tuple[Stage, ...]
    lines: tuple[CodeLine, ...]  # of all steps
    left_out: int  # lines after these
    steps: tuple[Step, ...]
    costs: dict[tuple[int, int], int]  # (step, equation) -> what it costs there, in additions
    silent: dict[int, tuple[str, tuple[int, ...]]]  # without a line: why, and the equations in whose lines it is
    missing: str  # why there are no loops; "" where there are

    def lines_of(self, equations: Sequence[int]) -> list[int]:
        """The indices of the lines that compute these equations."""
        found = [k for k, line in enumerate(self.lines) if self.computes(line)]
        return [k for k in found if set(self.lines[k].equations) & {*equations}]

    def computes(self, line: CodeLine) -> bool:
        """Whether a line does an equation's work. Of a loop or a conditional, all lines but the head do."""
        inside = self.steps[line.step].looped and line.kind in AROUND
        return line.kind in COMPUTES or inside


def compiled(jaxpr: Any, name: str) -> tuple[Compilation, Any]:
    """What the compiler makes of a jaxpr, and its program; None for that where the compiler is not there yet."""
    missing = what_is_missing()
    if missing:
        return Compilation(name, tuple(stages_of(jaxpr)), (), 0, (), {}, {}, missing), None
    program = marked_program(jaxpr)
    lines = lines_of(program)
    steps = steps_of(program, lines)
    stages = stages_of(jaxpr, program.jaxpr)
    shown = [replace(line, equations=tuple(k for k in line.equations if k < MOST)) for line in lines[:LONGEST]]
    left_out = len(lines) - len(shown)
    found = Compilation(
        name, tuple(stages), tuple(shown), left_out, tuple(steps), costs_of(lines), silent_of(program, lines), ""
    )
    return found, program


def what_is_missing() -> str:
    """Why there is no compiler: chapter 2 brings it, in step 2.29 (layer2_jit/compiler.py: Program)."""
    try:
        package_module("layer2_jit.compiler").Program  # noqa: B018 - asked for, to hear the answer
    except (AttributeError, ImportError) as error:
        return str(error).partition(" yet: ")[2] or str(error)
    return ""


def costs_of(lines: Sequence[CodeLine]) -> dict[tuple[int, int], int]:
    found: dict[tuple[int, int], int] = {}
    for line in lines:
        if line.kind in COMPUTES:
            for k in line.equations:
                found[line.step, k] = found.get((line.step, k), 0) + line.cost
    return found


def silent_of(program: Any, lines: Sequence[CodeLine]) -> dict[int, tuple[str, tuple[int, ...]]]:
    """The equations without a line: why, and through which equations they come into a line."""
    spoken = {k for line in lines if line.kind in COMPUTES for k in line.equations}
    eqns = program.jaxpr.eqns
    readers = [[j for j, other in enumerate(eqns) if {*map(id, other.invars)} & {*map(id, e.outvars)}] for e in eqns]
    found: dict[int, tuple[str, tuple[int, ...]]] = {}
    for k in reversed(range(len(eqns))):
        if k not in spoken:
            why = SILENT.get(type(program.plan.rule_of(eqns[k])).__name__, RENAMED)
            into = {i for j in readers[k] for i in (found[j][1] if j in found else (j,))}
            found[k] = why, tuple(sorted(into))
    return found


# ---- of a function


def jaxpr_of(
    fun: Any, args: Sequence[Any], kwargs: dict[str, Any], tool: str = "kernel_viewer"
) -> tuple[Any, str, list[np.ndarray]]:
    """The program of a function at these arguments, its name, and the values that it can be tried with.

    Of a jitted function it is the one that a call runs. Raises TypeError where `fun` is no function, and what `trace`
    and make_jaxpr raise where they refuse the arguments.
    """
    if isinstance(fun, package_module("layer1_core.jaxpr").Jaxpr):
        return fun, "the program", values_for(fun, [])
    if not callable(fun):
        raise TypeError(f"{tool} shows a function with its arguments, and this is {fun!r}: give it f, not f(x)")
    if isinstance(fun, package_module("layer1_core.jit").JitWrapped):
        jaxpr = fun.trace(*args, **kwargs).jaxpr
        _, _, args, kwargs = fun._split(args, kwargs)
    else:
        make: Callable[..., Any] = package_module("layer1_core.staging").make_jaxpr
        jaxpr = make(fun)(*args, **kwargs)
    return jaxpr, title(fun), values_for(jaxpr, package_module("layer1_core.tree").tree_flatten((args, kwargs))[0])


def values_for(jaxpr: Any, leaves: Sequence[Any]) -> list[np.ndarray]:
    """Arrays of the program's types: the leaves, where they have values, else ones."""
    avals = [v.aval for v in jaxpr.invars]
    values = [*leaves] if len(leaves) == len(avals) else [None] * len(avals)
    has_value = [hasattr(x, "__array__") or isinstance(x, int | float | complex) for x in values]
    return [
        np.asarray(x, a.dtype) if there else np.ones(a.shape, a.dtype)
        for x, a, there in zip(values, avals, has_value, strict=True)
    ]
