"""Reductions."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...layer1_core.array import ArrayImpl
from ...layer1_core.lax.reducing import reduce_sum_p
from ...layer1_core.lax.shaping import broadcast_in_dim_p
from ...layer1_core.trace import Tracer
from ..families import deflinear2


def _reduce_sum_transpose(ct: Any, x: Any, *, axes: Sequence[int], out_sharding: Any) -> list[Any]:
    """Each summand gets the cotangent of its sum."""
    kept = tuple(np.delete(np.arange(x.ndim), axes))
    if not axes and isinstance(ct, (Tracer, ArrayImpl)):
        return [ct]
    return [broadcast_in_dim_p.bind(ct, shape=x.shape, broadcast_dimensions=kept, sharding=None)]


deflinear2(reduce_sum_p, _reduce_sum_transpose)
