"""Reductions."""

from collections.abc import Sequence
from typing import Any

from ...layer1_core.lax.reducing import reduce_sum_p
from ...layer1_core.lax.shaping import broadcast_in_dim
from ..families import deflinear


def _reduce_sum_transpose(ct: Any, x: Any, *, axes: Sequence[int], out_sharding: Any) -> list[Any]:
    """Each summand gets the cotangent of its sum."""
    return [broadcast_in_dim(ct, x.shape, [d for d in range(x.ndim) if d not in axes])]


deflinear(reduce_sum_p, _reduce_sum_transpose)
