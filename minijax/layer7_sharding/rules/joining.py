"""Arrays put together, and taken apart."""

from typing import Any

from ...layer1_core.aval import ShapedArray
from ...layer1_core.lax import joining as j
from ..families import alike, resized, without_axes
from ..spec import Partitions
from ..types import ShardingTypeError, entries_of, sharding_rules


@sharding_rules.rule(j.concatenate_p)
def _concatenate_rule(out: ShapedArray, *avals: ShapedArray, dimension: int) -> Any:
    return alike(avals).sharding.spec


@sharding_rules.rule(j.stack_p)
def _stack_rule(out: ShapedArray, *avals: ShapedArray, axis: int) -> Partitions:
    entries = entries_of(alike(avals))
    return (*entries[:axis], None, *entries[axis:])


@sharding_rules.rule(j.unstack_p)
def _unstack_rule(out: list[ShapedArray], x: ShapedArray, *, axis: int) -> list[Partitions]:
    if entries_of(x)[axis] is not None:
        raise ShardingTypeError(
            f"unstack operand cannot be sharded on the unstacking axis {axis}. Got operand type={x.str_short(True)}"
        )
    return [without_axes(x, (axis,))] * len(out)


@sharding_rules.rule(j.split_p)
def _split_rule(out: list[ShapedArray], x: ShapedArray, **params: Any) -> list[Partitions]:
    return [resized(part.shape, x, "split") for part in out]


@sharding_rules.rule(j.tile_p)
def _tile_rule(out: ShapedArray, x: ShapedArray, *, reps: tuple[int, ...]) -> Any:
    for axis, (n, entry) in enumerate(zip(reps, entries_of(x), strict=True)):
        if n != 1 and entry is not None:
            raise ShardingTypeError(
                f"Operand cannot be sharded on dimension {axis} when the tiling is non-trivial. "
                f"Got input type: {x} with reps: {reps}"
            )
    return x.sharding.spec
