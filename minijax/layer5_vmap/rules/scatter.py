"""Scatter: windows written into each example, at the places of each example. The mirror of gather."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from ...layer1_core.lax.scatter import (
    ScatterDimensionNumbers,
    scatter_add_p,
    scatter_max_p,
    scatter_min_p,
    scatter_mul_p,
    scatter_p,
    scatter_sub_p,
)
from ...layer1_core.primitive import Primitive
from ..batching import batching_rules, bdim_at_front, size_of
from ..families import Dims, Result
from .parts import after_front


def scatter_rule(
    primitive: Primitive, args: Sequence[Any], dims: Dims, *, dimension_numbers: ScatterDimensionNumbers, **params: Any
) -> Result:
    """The operand and the updates get a batch axis in any case: each example is written into its own."""
    size = size_of(args, dims)
    (x, indices, updates), (x_dim, indices_dim, updates_dim) = args, dims
    x, updates = bdim_at_front(x, x_dim, size), bdim_at_front(updates, updates_dim, size)
    numbers = ScatterDimensionNumbers(
        update_window_dims=after_front(dimension_numbers.update_window_dims),
        inserted_window_dims=after_front(dimension_numbers.inserted_window_dims),
        scatter_dims_to_operand_dims=after_front(dimension_numbers.scatter_dims_to_operand_dims),
        operand_batching_dims=after_front(dimension_numbers.operand_batching_dims),
        scatter_indices_batching_dims=dimension_numbers.scatter_indices_batching_dims,
    )
    if indices_dim is None:
        numbers = numbers._replace(update_window_dims=(0, *numbers.update_window_dims))
    else:
        indices = bdim_at_front(indices, indices_dim, size)
        numbers = numbers._replace(
            operand_batching_dims=(0, *numbers.operand_batching_dims),
            scatter_indices_batching_dims=(0, *after_front(numbers.scatter_indices_batching_dims)),
        )
    return primitive.bind(x, indices, updates, dimension_numbers=numbers, **params), 0


for _p in (scatter_p, scatter_add_p, scatter_sub_p, scatter_mul_p, scatter_min_p, scatter_max_p):
    batching_rules[_p] = partial(scatter_rule, _p)
