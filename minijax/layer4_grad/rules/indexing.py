"""Indexing: what was not read gets no cotangent."""

from typing import Any

import numpy as np

from ...layer1_core.aval import Shape
from ...layer1_core.lax.indexing import rev, rev_p, slice_p
from ...layer1_core.lax.shaping import pad_p
from ..families import deflinear, deflinear2
from .parts import const


def _slice_transpose(
    ct: Any, x: Any, *, start_indices: Shape, limit_indices: Shape, strides: Shape | None
) -> list[Any]:
    """The cotangent where it was read, among zeros. (The counts are NumPy's, as JAX prints them.)"""
    if strides is None or all(step == 1 for step in strides):
        after, between = np.subtract(x.shape, limit_indices), (0,) * x.ndim
    else:
        sizes = np.array(ct.shape)
        read = np.where(sizes == 0, 0, 1 + (sizes - 1) * strides)
        after, between = x.shape - np.add(start_indices, read), np.subtract(strides, 1)
    config = tuple(zip(start_indices, after, between, strict=True))
    return [pad_p.bind(ct, const(ct, 0), padding_config=config)]


deflinear2(slice_p, _slice_transpose)
deflinear(rev_p, lambda ct, dimensions: [rev(ct, dimensions)])
