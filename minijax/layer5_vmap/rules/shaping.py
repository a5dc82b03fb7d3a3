"""Shaping: the batch axis goes to the front, and the other axes have their numbers after it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...layer1_core.aval import Shape, partition_of_axis, told, typeof
from ...layer1_core.lax.elementwise import select
from ...layer1_core.lax.shaping import (
    broadcast as broadcast_to_front,
    broadcast_in_dim,
    broadcast_in_dim_p,
    empty_p,
    full_like,
    iota_p,
    pad_p,
    reshape,
    reshape_p,
    squeeze,
    squeeze_p,
    transpose,
    transpose_p,
)
from ...layer4_grad.cond import empty2_p
from ...layer4_grad.families import no_rule
from ..batching import batching_rules, moveaxis
from ..families import Dims, Result, bumped, of_one
from .parts import after_front, inserted


def _of_batch(sharding: Any, x: Any) -> Any:
    """The sharding of a result whose batch axis, the first of `x`, is in front."""
    return None if sharding is None else sharding.with_axis(0, partition_of_axis(typeof(x), 0))


@batching_rules.rule(broadcast_in_dim_p)
@of_one
def _broadcast_rule(x: Any, dim: int, *, shape: Shape, broadcast_dimensions: Sequence[int], sharding: Any) -> Result:
    x = moveaxis(x, dim, 0)
    axes = (0, *after_front(broadcast_dimensions))
    return broadcast_in_dim_p.bind(
        x, shape=(x.shape[0], *shape), broadcast_dimensions=axes, sharding=_of_batch(sharding, x)
    ), 0


@batching_rules.rule(reshape_p)
@of_one
def _reshape_rule(x: Any, dim: int, *, new_sizes: Shape, dimensions: Any, sharding: Any) -> Result:
    x = moveaxis(x, dim, 0)
    dimensions = None if dimensions is None else (0, *(d + 1 for d in dimensions))
    return reshape(x, (x.shape[0], *new_sizes), dimensions, out_sharding=_of_batch(sharding, x)), 0


@batching_rules.rule(squeeze_p)
@of_one
def _squeeze_rule(x: Any, dim: int, *, dimensions: Sequence[int]) -> Result:
    return squeeze(moveaxis(x, dim, 0), after_front(dimensions)), 0


@batching_rules.rule(transpose_p)
@of_one
def _transpose_rule(x: Any, dim: int, *, permutation: Sequence[int]) -> Result:
    return transpose(x, (dim, *bumped(permutation, dim))), 0


@batching_rules.rule(pad_p)
def _pad_rule(args: Sequence[Any], dims: Dims, *, padding_config: Sequence[tuple[int, int, int]]) -> Result:
    """A padding value for each example cannot be padded with: it is selected, where a padded mask is false."""
    (x, value), (dim, value_dim) = args, dims
    if dim is None:
        x, dim = broadcast_to_front(x, (value.shape[value_dim],)), 0
    config = inserted(padding_config, dim, (0, 0, 0))
    if value_dim is None:
        return pad_p.bind(x, value, padding_config=config), dim
    padded = pad_p.bind(x, full_like(x, 0, shape=()), padding_config=config)
    mask = pad_p.bind(full_like(x, True, np.bool_), False, padding_config=config)
    return select(mask, padded, broadcast_in_dim(value, padded.shape, (dim,), out_sharding=told(typeof(padded)))), dim


# ---- making arrays

no_rule(batching_rules, "it has no operand that could have a batch axis: it is never asked", iota_p, empty_p, empty2_p)
