"""Shaping: all of it is linear, and its transpose puts each element back."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...layer1_core.aval import Shape
from ...layer1_core.lax.elementwise import sub
from ...layer1_core.lax.indexing import slice
from ...layer1_core.lax.reducing import reduce_sum
from ...layer1_core.lax.shaping import (
    broadcast_in_dim_p,
    expand_dims,
    pad_p,
    reshape,
    reshape_p,
    squeeze_p,
    transpose,
    transpose_p,
)
from ..families import deflinear, deflinear2
from ..transpose import is_undefined_primal
from .parts import inverse


def _broadcast_transpose(
    ct: Any, x: Any, *, shape: Shape, broadcast_dimensions: Sequence[int], sharding: Any
) -> list[Any]:
    """The sum over the axes that are new, and over those along which one element was repeated."""
    unit = [i for i, n in enumerate(x.shape) if n == 1]
    kept = [d for i, d in enumerate(broadcast_dimensions) if i not in unit]
    axes = [d for d in range(len(shape)) if d not in kept]
    return [expand_dims(reduce_sum(ct, axes), unit)]


deflinear2(broadcast_in_dim_p, _broadcast_transpose)


def _reshape_transpose(ct: Any, x: Any, *, new_sizes: Shape, dimensions: Any, sharding: Any) -> list[Any]:
    if dimensions is None:
        return [reshape(ct, x.shape)]
    permuted = reshape(ct, [x.shape[d] for d in dimensions])
    return [transpose(permuted, inverse(dimensions))]


deflinear2(reshape_p, _reshape_transpose)
deflinear(squeeze_p, lambda ct, dimensions: [expand_dims(ct, dimensions)])
deflinear(transpose_p, lambda ct, permutation: [transpose(ct, inverse(permutation))])


def _pad_transpose(ct: Any, x: Any, value: Any, *, padding_config: Sequence[tuple[int, int, int]]) -> list[Any]:
    """The operand gets what lies where it went; the padding value gets the rest, all together."""
    low, high, interior = np.array(padding_config, int).reshape(-1, 3).T
    negated = tuple(zip(-low, -high, 0 * interior, strict=True))  # of NumPy's integers, as JAX prints them
    unpadded = pad_p.bind(ct, np.array(0.0, ct.dtype), padding_config=negated)
    own = slice(unpadded, [*(0 * low)], unpadded.shape, [*(interior + 1)])
    if not is_undefined_primal(value):
        return [own, None]
    everywhere = range(len(ct.shape))
    rest = sub(reduce_sum(ct, everywhere), reduce_sum(own, everywhere))
    return [own if is_undefined_primal(x) else None, rest]


deflinear2(pad_p, _pad_transpose)
