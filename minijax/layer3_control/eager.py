"""Loops outside of any program: each becomes a program of one equation, where that is one kernel.

The impl rules of `scan` and `while` call the program of a step again and again, from Python: some microseconds a step.
The kernel of the whole loop takes some nanoseconds, and is compiled as quickly as that of a step.
"""

import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..layer1_core.aval import shaped
from ..layer1_core.evaluate import is_interpreted
from ..layer1_core.jaxpr import Jaxpr, JaxprEqn, Var
from ..layer1_core.jit import caches
from ..layer1_core.primitive import Primitive, impl_rules
from ..layer2_jit.compiler import Program
from ..layer2_jit.loops import Kernel
from ..layer2_jit.passes import programs_in
from . import lowering  # noqa: F401 - enters the lowering rules
from .scan import _run_scan, scan_p
from .while_loop import _run_while, while_p

# The program of one equation, by the first program that it holds, then by all else that it has; None: step by step.
_whole: "weakref.WeakKeyDictionary[Jaxpr, dict[Any, Program | None]]" = weakref.WeakKeyDictionary()
caches.append(_whole)


def whole(primitive: Primitive, operands: Sequence[np.ndarray], params: dict[str, Any]) -> Program | None:
    """The program of one equation, made once; None where it is no single kernel, or is to be interpreted."""
    avals = tuple(shaped(x.shape, x.dtype) for x in operands)
    invars, outvars = [*map(Var, avals)], [*map(Var, primitive.out_avals(avals, params))]
    eqn = JaxprEqn(invars, outvars, primitive, params)
    first, *others = programs_in(eqn)
    if any(map(is_interpreted, (first, *others))):
        return None
    key = primitive, avals, tuple((name, x) for name, x in params.items() if x is not first)
    known = _whole.setdefault(first, {})
    if key not in known:
        program = Program(Jaxpr([], invars, outvars, [eqn], debug_info=first.debug_info))
        known[key] = program if all(isinstance(step, Kernel) for _, step in program.steps) else None
    return known[key]


def defwhole(primitive: Primitive, step_by_step: Callable[..., list[np.ndarray]]) -> None:
    """Let a loop on values be run as a whole. `step_by_step` is for the loops that are no kernel."""

    @impl_rules.rule(primitive)
    def run(*operands: np.ndarray, **params: Any) -> list[np.ndarray]:
        program = whole(primitive, operands, params)
        return step_by_step(*operands, **params) if program is None else program(operands)


defwhole(scan_p, _run_scan)
defwhole(while_p, _run_while)
