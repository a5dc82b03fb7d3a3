"""How each primitive becomes loops: the table of lowering rules.

A rule says the value of the result at an index (`Pointwise`, `Moved`, `Made`), or how its elements are put together
(`Reduced`). A primitive without loops of its own (`Called`) is computed by its impl rule, a step of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..layer1_core.jaxpr import JaxprEqn
from ..layer1_core.primitive import Primitive, RuleTable
from .loops import Index, Value

Place = tuple[Index, ...]  # along each axis


@dataclass(frozen=True)
class Pointwise:
    """The value at an index comes from the operands' values at the same index (or from scalars)."""

    value: Callable[..., Value]  # (eqn, *values)
    cost: int = 1  # in additions, about
    accepts: Callable[[JaxprEqn], bool] = lambda eqn: True


@dataclass(frozen=True)
class Moved:
    """The value at an index is the first operand's value at another index."""

    place: Callable[..., Place]  # (writer, eqn, place)
    repeats: bool = False  # whether an element may be read many times
    accepts: Callable[[JaxprEqn], bool] = lambda eqn: True


@dataclass(frozen=True)
class Relaid:
    """The elements of the operand in the same flat order, in another shape."""

    accepts: Callable[[JaxprEqn], bool] = lambda eqn: True


@dataclass(frozen=True)
class Made:
    """The value at an index depends on the index alone."""

    value: Callable[[JaxprEqn, Place], Value]


@dataclass(frozen=True)
class Reduced:
    """The elements along some axes are put together by an operation, from its neutral element on."""

    operation: str
    start: Callable[[np.dtype], Any]


@dataclass(frozen=True)
class Called:
    """Computed by the impl rule, on whole arrays."""


CALLED = Called()
Lowering = Pointwise | Moved | Relaid | Made | Reduced | Called

lowering_rules: dict[Primitive, Lowering] = RuleTable(  # type: ignore[assignment]  # here a rule is a description
    "lowering", "MLIR translation rule for primitive '{0}' not found for platform cpu"
)

# What Numba has as scalars. Other dtypes are computed by the impl rules.
NATIVE = frozenset(map(np.dtype, "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64".split()))


def lowering_of(eqn: JaxprEqn) -> Lowering:
    """The rule for an equation: that of its primitive, where its dtypes and parameters allow it, else CALLED."""
    rule = lowering_rules.get(eqn.primitive, CALLED)
    if any(v.aval.dtype not in NATIVE for v in (*eqn.invars, *eqn.outvars)):
        return CALLED
    accepts = getattr(rule, "accepts", None)
    return rule if accepts is None or accepts(eqn) else CALLED
