"""Gather: windows of each example, at the places of each example.

The batch axis is one more axis of the windows where only the operand has one, one more axis of the indices where only
they have one; where both have one, they run along with each other (`operand_batching_dims`).
"""

from collections.abc import Sequence
from typing import Any

from ...layer1_core.aval import Shape
from ...layer1_core.lax.gather import GatherDimensionNumbers, gather, gather_p
from ..batching import batching_rules, moveaxis
from ..families import Dims, Result
from .parts import after_front


@batching_rules.rule(gather_p)
def gather_rule(
    args: Sequence[Any], dims: Dims, *, dimension_numbers: GatherDimensionNumbers, slice_sizes: Shape, **params: Any
) -> Result:
    (x, indices), (x_dim, indices_dim) = args, dims
    numbers = dimension_numbers
    if x_dim is not None:
        x = moveaxis(x, x_dim, 0)
        numbers = _operand_batched(numbers)
    if indices_dim is not None:
        indices = moveaxis(indices, indices_dim, 0)
        numbers = _indices_batched(numbers)
    if x_dim is None:
        numbers = numbers._replace(offset_dims=tuple(d + 1 for d in dimension_numbers.offset_dims))
        params |= dict(unique_indices=False, indices_are_sorted=False)  # all examples' together may not be
    elif indices_dim is None:
        numbers = numbers._replace(offset_dims=(0, *after_front(numbers.offset_dims)))
        slice_sizes = (x.shape[0], *slice_sizes)
    else:
        numbers = numbers._replace(
            operand_batching_dims=(0, *numbers.operand_batching_dims),
            start_indices_batching_dims=(0, *numbers.start_indices_batching_dims),
        )
        slice_sizes = (min(1, x.shape[0]), *slice_sizes)
    return gather(x, indices, dimension_numbers=numbers, slice_sizes=slice_sizes, **params), 0


def _operand_batched(numbers: GatherDimensionNumbers) -> GatherDimensionNumbers:
    """The numbers of the operand's axes after one was put in front."""
    return numbers._replace(
        collapsed_slice_dims=after_front(numbers.collapsed_slice_dims),
        start_index_map=after_front(numbers.start_index_map),
        operand_batching_dims=after_front(numbers.operand_batching_dims),
    )


def _indices_batched(numbers: GatherDimensionNumbers) -> GatherDimensionNumbers:
    """The numbers of the indices' axes, and of the result's, after one was put in front."""
    return numbers._replace(
        offset_dims=after_front(numbers.offset_dims),
        start_indices_batching_dims=after_front(numbers.start_indices_batching_dims),
    )
