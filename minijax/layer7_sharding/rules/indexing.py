"""Slices and updates: an axis of which a part is taken must still divide evenly."""

from typing import Any

from ...layer1_core.aval import ShapedArray
from ...layer1_core.lax import indexing as i
from ..families import defkept, defresized
from ..types import ShardingTypeError, sharding_rules

defkept(i.rev_p)
defresized(i.slice_p, name="slicing")
defresized(i.dynamic_slice_p)


@sharding_rules.rule(i.dynamic_update_slice_p)
def _update_rule(out: ShapedArray, x: ShapedArray, update: ShapedArray, *starts: ShapedArray) -> Any:
    if x.sharding != update.sharding:
        raise ShardingTypeError(
            "dynamic_update_slice operand sharding must be equal to update sharding, got operand sharding "
            f"{x.str_short(mesh_axis_types=True)} and update sharding {update.str_short(mesh_axis_types=True)}."
        )
    return x.sharding.spec
