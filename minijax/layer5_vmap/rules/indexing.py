"""Slices. One at a place of each example is a gather or a scatter."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...layer1_core.aval import Shape
from ...layer1_core.lax.gather import GatherDimensionNumbers, GatherScatterMode
from ...layer1_core.lax.indexing import dynamic_slice_p, dynamic_update_slice_p, rev, rev_p, slice, slice_p
from ...layer1_core.lax.joining import concatenate
from ...layer1_core.lax.scatter import ScatterDimensionNumbers, scatter_p
from ...layer1_core.lax.shaping import broadcast, broadcast_in_dim
from ..batching import Dim, batching_rules, size_of
from ..families import Dims, Result, of_one
from .gather import gather_rule
from .parts import inserted
from .scatter import scatter_rule


@batching_rules.rule(slice_p)
@of_one
def _slice_rule(x: Any, dim: int, *, start_indices: Shape, limit_indices: Shape, strides: Shape | None) -> Result:
    steps = None if strides is None else inserted(strides, dim, 1)
    return slice(x, inserted(start_indices, dim, 0), inserted(limit_indices, dim, x.shape[dim]), steps), dim


@batching_rules.rule(rev_p)
@of_one
def _rev_rule(x: Any, dim: int, *, dimensions: Sequence[int]) -> Result:
    return rev(x, [d + (d >= dim) for d in dimensions]), dim


# ---- slices at places that are data

# one window an example; one that sticks out is moved inwards, as by a dynamic slice
_ALONE: dict[str, Any] = dict(indices_are_sorted=True, unique_indices=True, mode=GatherScatterMode.CLIP)


@batching_rules.rule(dynamic_slice_p)
def _dynamic_slice_rule(args: Sequence[Any], dims: Dims, *, slice_sizes: Shape) -> Result:
    """A gather of one window, which runs over all axes."""
    (x, *starts), (dim, *start_dims) = args, dims
    axes = tuple(range(len(starts)))
    index, index_dim = _joined(starts, start_dims)
    numbers = GatherDimensionNumbers(offset_dims=axes, collapsed_slice_dims=(), start_index_map=axes)
    params = dict(fill_value=None, **_ALONE)
    operands, places = [x, index], [dim, index_dim]
    return gather_rule(operands, places, dimension_numbers=numbers, slice_sizes=slice_sizes, **params)


@batching_rules.rule(dynamic_update_slice_p)
def _dynamic_update_slice_rule(args: Sequence[Any], dims: Dims) -> Result:
    """A scatter of one window, which runs over all axes."""
    (x, update, *starts), (dim, update_dim, *start_dims) = args, dims
    axes = tuple(range(len(starts)))
    index, index_dim = _joined(starts, start_dims)
    numbers = ScatterDimensionNumbers(
        update_window_dims=axes, inserted_window_dims=(), scatter_dims_to_operand_dims=axes
    )
    params = dict(update_jaxpr=None, update_consts=(), **_ALONE)
    operands, places = [x, index, update], [dim, index_dim, update_dim]
    return scatter_rule(scatter_p, operands, places, dimension_numbers=numbers, **params)


def _joined(starts: Sequence[Any], dims: Dims) -> tuple[Any, Dim]:
    """The components of an index, along one axis, and the batch axis in front, where one of them has it."""
    if not starts:
        return np.array([], np.int32), None
    if all(d is None for d in dims):
        return concatenate([broadcast(i, (1,)) for i in starts], 0), None
    size = size_of(starts, dims)
    columns = [broadcast_in_dim(i, (size, 1), () if d is None else (0,)) for i, d in zip(starts, dims, strict=True)]
    return concatenate(columns, 1), 0
