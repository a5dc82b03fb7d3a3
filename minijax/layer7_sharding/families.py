"""Families of sharding rules: most primitives have theirs in one line."""

from collections.abc import Callable, Sequence
from typing import Any

from ..layer1_core.aval import Shape, ShapedArray, told
from ..layer1_core.lax import shaping
from ..layer1_core.primitive import Primitive
from .named import NamedSharding
from .spec import P, Partition, Partitions
from .types import ShardingTypeError, entries_of, sharding_rules

Rule = Callable[..., Any]


def defkept(*primitives: Primitive) -> None:
    """The result is divided as the first operand is."""
    sharding_rules.update(dict.fromkeys(primitives, lambda out, x, *others, **params: x.sharding.spec))


def defbroadcasting(*primitives: Primitive) -> None:
    """The operands have equal ranks: along each axis they are divided alike, or some are not divided."""
    for p in primitives:
        sharding_rules[p] = _broadcasting(p.name)


def _broadcasting(name: str) -> Rule:
    def rule(out: ShapedArray, *avals: ShapedArray, **params: Any) -> Partitions:
        return together(name, [entries_of(aval) for aval in avals if aval.ndim])

    return rule


def together(name: str, operands: Sequence[Partitions]) -> Partitions:
    """The entries of what is computed of operands that have these. Raises ShardingTypeError where they differ."""
    try:
        return tuple(map(common, zip(*operands, strict=True)))
    except ShardingTypeError:
        listed = ", ".join(str(tuple(entries)) for entries in operands)
        raise ShardingTypeError(f"{name} got incompatible shardings for broadcasting: {listed}.") from None


def common(axis: Sequence[Partition]) -> Partition:
    """The entry of an axis along which several operands have these entries. Raises where they differ."""
    found = {entry for entry in axis if entry is not None}
    if len(found) > 1:
        raise ShardingTypeError
    return found.pop() if found else None


def _broadcast(name: str, avals: Sequence[ShapedArray]) -> NamedSharding | None:
    """How what is broadcast of these types is divided: an operand of fewer axes has none in front."""
    found = [told(aval) for aval in avals if told(aval) is not None]
    if not found:
        return None
    ndim = max(aval.ndim for aval in avals)
    rows = [(*(None,) * (ndim - a.ndim), *(() if a.is_undivided else entries_of(a))) for a in avals]
    padded = [(*row, *(None,) * (ndim - len(row))) for row in rows]
    return found[0].update(spec=P(*together(name, padded)))


shaping.dividers.append(_broadcast)


def defresized(*primitives: Primitive, name: str = "") -> None:
    """The result has the operand's axes with other sizes. An axis that changes must still divide evenly."""
    for p in primitives:
        sharding_rules[p] = lambda out, x, *others, called=name or p.name, **params: resized(out.shape, x, called)


def resized(shape: Shape, x: ShapedArray, name: str) -> Partitions:
    """The entries of `x`, for a result of this shape and as many axes."""
    if not shape or all(n == 1 for n in shape):
        return (None,) * len(shape)
    for before, after, entry in zip(x.shape, shape, entries_of(x), strict=True):
        parts = x.sharding.parts_along(entry)
        if before != after and after % parts:
            raise ShardingTypeError(
                f"{name} on sharded dims where out dim ({after}) is not divisible by mesh axes ({parts}) with spec "
                f"({entry}) is not implemented. Got input type={x.str_short(True)} and output shape={shape}"
            )
    return entries_of(x)


def without_axes(x: ShapedArray, axes: Sequence[int]) -> Partitions:
    """The entries of all axes but these."""
    return tuple(entry for d, entry in enumerate(entries_of(x)) if d not in axes)


def alike(avals: Sequence[ShapedArray]) -> ShapedArray:
    """The first operand that has a mesh, where all that have one are divided alike. Raises ShardingTypeError."""
    found = [aval for aval in avals if not aval.sharding.mesh.empty]
    if any(aval.sharding != found[0].sharding for aval in found):
        listed = ", ".join(str(aval.sharding) for aval in avals)
        raise ShardingTypeError(f"All operands should have the same sharding. Got shardings {listed}")
    return found[0] if found else avals[0]
