"""Broadcasts, reshapes, transposes, padding; arrays made from nothing."""

import math
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from ...layer1_core.aval import Shape, ShapedArray
from ...layer1_core.lax import shaping as s
from ...layer4_grad.cond import empty2_p
from ..families import defresized, without_axes
from ..spec import Partition, Partitions, axes_of, partition_of
from ..types import ShardingTypeError, entries_of, sharding_rules

defresized(s.pad_p, name="padding")


def _made(out: ShapedArray, *, sharding: Any = None, out_sharding: Any = None, **params: Any) -> Any:
    """What is made from nothing is whole on each device, or as it was said."""
    named = sharding or out_sharding
    return (None,) * out.ndim if named is None else named.spec


sharding_rules.update(dict.fromkeys((s.iota_p, s.empty_p, empty2_p), _made))


@sharding_rules.rule(s.broadcast_in_dim_p)
def _broadcast_rule(
    out: ShapedArray, x: ShapedArray, *, broadcast_dimensions: Any, sharding: Any, **params: Any
) -> Any:
    if sharding is not None:
        return sharding.spec
    entries = dict(zip(map(int, broadcast_dimensions), entries_of(x), strict=True))
    return x.sharding.spec.update(partitions=[entries.get(d) for d in range(out.ndim)])


@sharding_rules.rule(s.squeeze_p)
def _squeeze_rule(out: ShapedArray, x: ShapedArray, *, dimensions: Sequence[int]) -> Any:
    return x.sharding.spec.update(partitions=without_axes(x, dimensions))


@sharding_rules.rule(s.transpose_p)
def _transpose_rule(out: ShapedArray, x: ShapedArray, *, permutation: Sequence[int]) -> Any:
    return x.sharding.spec.update(partitions=[entries_of(x)[d] for d in permutation])


# ---- reshape: where one axis becomes several, or several one, and the parts stay where they are


@sharding_rules.rule(s.reshape_p)
def _reshape_rule(out: ShapedArray, x: ShapedArray, *, new_sizes: Shape, dimensions: Any, sharding: Any) -> Any:
    if sharding is not None:
        return sharding.spec
    if not any(entries_of(x)):
        return (None,) * out.ndim
    entries = iter(_reshaped(x, new_sizes, dimensions))
    return tuple(None if size == 1 else next(entries) for size in new_sizes)


def _reshaped(x: ShapedArray, new_sizes: Shape, dimensions: Any) -> Partitions:
    """The entries of the result's axes that are not of size 1."""
    old = [(size, entry) for size, entry in zip(x.shape, entries_of(x), strict=True) if size != 1]
    new = [size for size in new_sizes if size != 1]
    if [size for size, _ in old] == new:
        return tuple(entry for _, entry in old)
    groups = list(groups_of_axes([size for size, _ in old], new))
    sizes, entries = iter(new), iter(entry for _, entry in old)
    changing = [g for g in groups if g != (1, 1)]
    if len(changing) != 1 or (1 not in changing[0]):
        _refuse(x, new_sizes)
    out: list[Partition] = []
    for many, into in groups:
        names = [next(entries) for _ in range(many)]
        parts = [next(sizes) for _ in range(into)]
        if (many, into) == (1, 1):
            out += names
        elif not any(names):
            out += [None] * into
        elif dimensions is not None:
            _refuse(x, new_sizes)
        else:
            out += _spread(_in_front(names, x, new_sizes), parts, x, new_sizes)
    return tuple(out)


def groups_of_axes(old: Sequence[int], new: Sequence[int]) -> Iterator[tuple[int, int]]:
    """How many axes become how many, from the left: the fewest whose sizes multiply to the same."""
    i = j = 0
    while i < len(old) or j < len(new):
        many, into = 1, 1
        while (a := math.prod(old[i : i + many])) != (b := math.prod(new[j : j + into])):
            if i + many >= len(old) and j + into >= len(new):
                break
            many, into = (
                (many + 1, into) if (a < b and i + many < len(old)) or j + into >= len(new) else (many, into + 1)
            )
        yield min(many, len(old) - i), min(into, len(new) - j)
        i, j = i + many, j + into


def _in_front(entries: Sequence[Partition], x: ShapedArray, new_sizes: Shape) -> list[Any]:
    """The mesh axes of axes that become one; what is divided stands in front of what is not."""
    names: list[Any] = []
    for entry in entries:
        names += axes_of(entry) or [None]
    while names and names[-1] is None:
        names.pop()
    if None in names:
        _refuse(x, new_sizes)
    return names


def _spread(names: list[Any], sizes: Sequence[int], x: ShapedArray, new_sizes: Shape) -> list[Partition]:
    """The mesh axes, in order, given to axes of these sizes: each takes as many as divide it."""
    left, out = iter(names), []
    for size in sizes:
        mine = []
        while size > 1 and (name := next(left, None)) is not None:
            size, rest = divmod(size, x.sharding.mesh.shape[name])
            if rest:
                _refuse(x, new_sizes)
            mine.append(name)
        out.append(partition_of(mine))
    if next(left, None) is not None:
        _refuse(x, new_sizes)
    return out


def _refuse(x: ShapedArray, new_sizes: Shape) -> NoReturn:
    raise ShardingTypeError(
        "This reshape is not supported. Please specify the sharding of the output via the `out_sharding` argument of "
        f"jax.lax.reshape. Got operand type: {x}, new sizes: {new_sizes}"
    )
