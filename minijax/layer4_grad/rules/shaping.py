"""Shaping: all of it is linear, and its transpose puts each element back."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...layer1_core.aval import Shape, place_in_mesh, typeof
from ...layer1_core.lax.elementwise import sub
from ...layer1_core.lax.indexing import slice
from ...layer1_core.lax.reducing import reduce_sum
from ...layer1_core.lax.shaping import (
    PaddingConfig,
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

# ---- broadcast_in_dim


def _broadcast_transpose(
    ct: Any, x: Any, *, shape: Shape, broadcast_dimensions: Sequence[int], sharding: Any
) -> list[Any]:
    """The sum over the axes that are new, and over those along which one element was repeated."""
    unit = [i for i, n in enumerate(x.shape) if n == 1]
    kept = [d for i, d in enumerate(broadcast_dimensions) if i not in unit]
    axes = [d for d in range(len(shape)) if d not in kept]
    place = place_in_mesh(x.aval, [i for i in range(x.ndim) if i not in unit])
    return [expand_dims(reduce_sum(ct, axes, out_sharding=place), unit)]


deflinear2(broadcast_in_dim_p, _broadcast_transpose)

# ---- reshape, squeeze, transpose


def _reshape_transpose(ct: Any, x: Any, *, new_sizes: Shape, dimensions: Any, sharding: Any) -> list[Any]:
    order = range(len(x.shape)) if dimensions is None else dimensions
    place = None if x.aval.is_undivided else x.aval.sharding.of([x.aval.sharding.spec.partitions[d] for d in order])
    reshaped = reshape(ct, [x.shape[d] for d in order], out_sharding=place)
    return [reshaped if dimensions is None else transpose(reshaped, inverse(dimensions))]


deflinear2(reshape_p, _reshape_transpose)
deflinear(squeeze_p, lambda ct, dimensions: [expand_dims(ct, dimensions)])
deflinear(transpose_p, lambda ct, permutation: [transpose(ct, inverse(permutation))])

# ---- pad


def _pad_transpose(ct: Any, x: Any, value: Any, *, padding_config: PaddingConfig) -> list[Any]:
    """The operand gets its part of the cotangent, and the padding value the sum of the rest."""
    inner = _unpadded(ct, padding_config)
    if not is_undefined_primal(value):
        return [inner, None]
    return [inner if is_undefined_primal(x) else None, sub(_total(ct), _total(inner))]


def _unpadded(ct: Any, config: PaddingConfig) -> Any:
    """The elements of `ct` that are no padding. (The sizes are NumPy's integers, as JAX's programs show them.)"""
    low, high, inside = np.array(config, np.int64).reshape(-1, 3).T
    cut = tuple(zip(-low, -high, 0 * inside, strict=True))
    x = pad_p.bind(ct, np.array(0, typeof(ct).dtype), padding_config=cut)
    return slice(x, [*(0 * low)], typeof(x).shape, [*(inside + 1)])


def _total(x: Any) -> Any:
    return reduce_sum(x, range(typeof(x).ndim))


deflinear2(pad_p, _pad_transpose)
