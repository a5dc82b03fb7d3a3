"""Shaping: all of it is linear, and its transpose puts each element back."""

from collections.abc import Sequence
from typing import Any

from ...layer1_core.aval import Shape
from ...layer1_core.lax.reducing import reduce_sum
from ...layer1_core.lax.shaping import (
    broadcast_in_dim_p,
    expand_dims,
    reshape,
    reshape_p,
    squeeze_p,
    transpose,
    transpose_p,
)
from ..families import deflinear
from .parts import inverse


def _broadcast_transpose(
    ct: Any, x: Any, *, shape: Shape, broadcast_dimensions: Sequence[int], sharding: Any
) -> list[Any]:
    """The sum over the axes that are new, and over those along which one element was repeated."""
    unit = [i for i, n in enumerate(x.shape) if n == 1]
    kept = [d for i, d in enumerate(broadcast_dimensions) if i not in unit]
    axes = [d for d in range(len(shape)) if d not in kept]
    return [expand_dims(reduce_sum(ct, axes), unit)]


deflinear(broadcast_in_dim_p, _broadcast_transpose)


def _reshape_transpose(ct: Any, x: Any, *, new_sizes: Shape, dimensions: Any, sharding: Any) -> list[Any]:
    if dimensions is None:
        return [reshape(ct, x.shape)]
    permuted = reshape(ct, [x.shape[d] for d in dimensions])
    return [transpose(permuted, inverse(dimensions))]


deflinear(reshape_p, _reshape_transpose)
deflinear(squeeze_p, lambda ct, x, dimensions: [expand_dims(ct, dimensions)])
deflinear(transpose_p, lambda ct, x, permutation: [transpose(ct, inverse(permutation))])
