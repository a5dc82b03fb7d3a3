"""Collectives along Manual axes: what Explicit axes of the same mesh divide stays divided."""

from typing import Any

from ...layer1_core.aval import ShapedArray
from ...layer5_vmap import collectives as c
from ..families import defkept, without_axes
from ..spec import Partitions
from ..types import entries_of, sharding_rules

defkept(c.ppermute_p, c.pbroadcast_p, c.all_to_all_p)
sharding_rules[c.axis_index_p] = lambda out, **params: ()


@sharding_rules.rule(c.all_gather_p)
def _gather_rule(
    out: ShapedArray, x: ShapedArray, *, all_gather_dimension: int, tiled: bool, **params: Any
) -> Partitions:
    """Without `tiled` the parts of the devices stand along a new axis."""
    entries, d = entries_of(x), all_gather_dimension
    return entries if tiled else (*entries[:d], None, *entries[d:])


@sharding_rules.rule(c.reduce_scatter_p)
def _scatter_rule(
    out: ShapedArray, x: ShapedArray, *, scatter_dimension: int, tiled: bool, **params: Any
) -> Partitions:
    """Without `tiled` each device gets one element along the axis, which goes."""
    return entries_of(x) if tiled else without_axes(x, [scatter_dimension])
