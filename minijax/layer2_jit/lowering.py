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
from .loops import Index, Kernel, Value

At = tuple[Index, ...]  # a place: an index along each axis


@dataclass(frozen=True)
class Pointwise:
    """The value at an index comes from the operands' values at the same index (or from scalars)."""

    value: Callable[..., Value]  # (eqn, *values)
    cost: int = 1  # in additions, about
    accepts: Callable[[JaxprEqn], bool] = lambda eqn: True


@dataclass(frozen=True)
class Moved:
    """The value at an index is the first operand's value at another index."""

    place: Callable[[JaxprEqn, At], At]
    repeats: bool = False  # whether an element may be read many times
    accepts: Callable[[JaxprEqn], bool] = lambda eqn: True


@dataclass(frozen=True)
class Relaid:
    """The elements of the operand in the same flat order, in another shape."""

    accepts: Callable[[JaxprEqn], bool] = lambda eqn: True


@dataclass(frozen=True)
class Made:
    """The value at an index depends on the index alone."""

    value: Callable[[JaxprEqn, At], Value]


@dataclass(frozen=True)
class Reduced:
    """The elements along some axes are put together by an operation, from its neutral element on."""

    operation: str
    start: Callable[[np.dtype], Any]


@dataclass(frozen=True)
class Indexed:
    """The value at an index is the first operand's value at an index that the other operands say.

    `place` gives that index, moved to where the operand has elements, and whether it was there (None: as if it was).
    """

    place: Callable[..., tuple[At, Value | None]]  # (writer, eqn, at)
    otherwise: Callable[[JaxprEqn], Any] = lambda eqn: None  # the value where it was not
    accepts: Callable[[JaxprEqn], bool] = lambda eqn: True


@dataclass(frozen=True)
class Scanned:
    """The value at an index puts together all elements up to there, along one axis."""

    operation: str
    start: Callable[[np.dtype], Any]
    accepts: Callable[[JaxprEqn], bool] = lambda eqn: True


@dataclass(frozen=True)
class Scattered:
    """A copy of the first operand, into which updates are written one after the other, where indices say."""

    operation: str  # what becomes of an old value and an update; 'put' for the update itself
    accepts: Callable[[JaxprEqn], bool] = lambda eqn: True


@dataclass(frozen=True)
class Assembled:
    """Operands are copied into the result, each to its part of it."""

    base: int | None  # the operand that fills the result before
    targets: Callable[..., list[tuple[int, Callable[[At], At]]]]  # (writer, eqn): operands, and where each element goes
    accepts: Callable[[JaxprEqn], bool] = lambda eqn: True


@dataclass(frozen=True)
class Called:
    """Computed by the impl rule, on whole arrays."""


CALLED = Called()


@dataclass(frozen=True)
class Contracted:
    """The sum of products of elements of two operands, over axes that the result does not have."""

    sizes: Callable[[JaxprEqn], tuple[int, ...]]  # of those axes
    places: Callable[..., tuple[At, At]]  # (eqn, at, place along those axes): of the factors
    accepts: Callable[[JaxprEqn], bool] = lambda eqn: True
    instead: "Lowering" = CALLED  # what does not accept


@dataclass(frozen=True)
class Looped:
    """A kernel that the rule writes itself: of a library's function, or (chapter 3) with other programs inside."""

    kernel: Callable[..., Kernel]  # (eqn, name, letters)
    accepts: Callable[[JaxprEqn], bool] = lambda eqn: True


Alone = Scanned | Scattered | Assembled | Contracted  # what has a kernel of its own
Lowering = Pointwise | Moved | Indexed | Relaid | Made | Reduced | Alone | Looped | Called

lowering_rules: dict[Primitive, Lowering] = RuleTable(  # type: ignore[assignment]  # here a rule is a description
    "lowering", "MLIR translation rule for primitive '{0}' not found for platform cpu"
)

# Primitives whose loops may have complex numbers in them; and which of their equations.
complex_too: dict[Primitive, Callable[[JaxprEqn], bool]] = {}
COMPLEX = frozenset(map(np.dtype, ("complex64", "complex128")))

# What Numba has as scalars. Other dtypes are computed by the impl rules.
NATIVE = frozenset(map(np.dtype, "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64".split()))
DEEPEST = 18  # axes of an array with loops of its own: Python has at most 20 loops inside of each other


def only_ones_differ(eqn: JaxprEqn) -> bool:
    """Whether a shape and the new one differ in axes of size 1 alone: then each other axis is still there."""
    old, new = ([n for n in v.aval.shape if n != 1] for v in (eqn.invars[0], eqn.outvars[0]))
    return old == new


def lowering_of(eqn: JaxprEqn) -> Lowering:
    """The rule for an equation: that of its primitive, where its dtypes and parameters allow it, else CALLED."""
    rule = lowering_rules.get(eqn.primitive, CALLED)
    others = {v.aval.dtype for v in (*eqn.invars, *eqn.outvars)} - NATIVE
    if others and not (others <= COMPLEX and eqn.primitive in complex_too and complex_too[eqn.primitive](eqn)):
        return CALLED
    deepest = max((len(v.aval.shape) for v in (*eqn.invars, *eqn.outvars)), default=0)
    if deepest > DEEPEST and not isinstance(rule, Pointwise):
        return CALLED
    while (accepts := getattr(rule, "accepts", None)) and not accepts(eqn):
        rule = getattr(rule, "instead", CALLED)
    return rule
