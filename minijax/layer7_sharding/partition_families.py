"""Families of partition rules: most primitives have theirs in one line."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..layer1_core.aval import Shape, ShapedArray
from ..layer1_core.primitive import Primitive
from .moving import Axes, Part, axes_in, spec_of
from .partitioning import Equation, partition_rules
from .spec import P, PartitionSpec


def defelementwise_parts(*primitives: Primitive) -> None:
    """An element of the result is computed from the elements at the same place: of parts that are divided alike."""
    partition_rules.update(dict.fromkeys(primitives, elementwise))


def elementwise(e: Equation) -> list[Part]:
    """The operation on operands that are divided as the result shall be."""
    to = e.wanted[0]
    return e.on_parts([fitting(x.aval, to, out_shape(e)) for x in e.parts], [to] * len(e.outs))


def out_shape(e: Equation) -> Shape:
    """The shape of the first result."""
    return e.outs[0].shape


def fitting(aval: ShapedArray, to: PartitionSpec, shape: Shape) -> PartitionSpec:
    """How an operand is divided that goes with a result of this shape: along the axes that both have."""
    if aval.ndim != len(shape):
        return P()
    axes = zip(axes_in(to, len(shape)), aval.shape, shape, strict=True)
    return spec_of(names if n == size else () for names, n, size in axes)


def defwhole_along(axes_of_equation: Callable[[Equation], Iterable[int]], *primitives: Primitive) -> None:
    """Along these axes of the result an element is computed from many; along the others, elementwise."""
    for p in primitives:
        partition_rules[p] = lambda e: whole_along(e, axes_of_equation(e))


def whole_along(e: Equation, axes: Iterable[int], **changed: Any) -> list[Part]:
    """The operation on operands that are whole along these axes, and divided alike along the others.

    An operand with another number of axes than the result is whole.
    """
    ndim = len(out_shape(e))
    to = without(e.wanted[0], axes, ndim)
    ins = [to if x.aval.ndim == ndim else P() for x in e.parts]
    return e.on_parts(ins, [to] * len(e.outs), **changed)


def without(spec: PartitionSpec, axes: Iterable[int], ndim: int) -> PartitionSpec:
    """The spec with these axes whole."""
    gone = set(axes)
    return spec_of(() if d in gone else names for d, names in enumerate(axes_in(spec, ndim)))


def inserted(axes: Axes, places: Sequence[int], new: Sequence[Any]) -> Axes:
    """`axes` with new ones at these places of the longer list."""
    at, rest = dict(zip(places, new, strict=True)), iter(axes)
    return [at[d] if d in at else next(rest) for d in range(len(axes) + len(at))]


def changed_axes(before: Shape, after: Shape) -> list[int]:
    """The axes that have another size."""
    return [d for d, (n, m) in enumerate(zip(before, after, strict=True)) if n != m]
