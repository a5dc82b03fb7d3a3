"""Conversions, and what passes values through."""

from typing import Any

import numpy as np

from ...layer1_core.device_put import device_put_p
from ...layer1_core.lax.converting import (
    bitcast_convert_type_p,
    convert_element_type_p,
    copy_p,
    reduce_precision_p,
    stop_gradient_p,
)
from ...layer1_core.lax.reducing import optimization_barrier_p
from ..batching import batching_rules, bdim_at_front
from ..families import Result, defvectorized, of_one

defvectorized(convert_element_type_p, reduce_precision_p, copy_p, stop_gradient_p)


@batching_rules.rule(bitcast_convert_type_p)
@of_one
def _bitcast_rule(x: Any, dim: int, *, new_dtype: Any) -> Result:
    """The last axis may disappear: the batch axis must not be that one."""
    if new_dtype.itemsize > x.dtype.itemsize and dim == np.ndim(x) - 1:
        x, dim = bdim_at_front(x, dim, x.shape[dim]), 0
    return bitcast_convert_type_p.bind(x, new_dtype=new_dtype), dim


# ---- several values, each left as it is

batching_rules[device_put_p] = lambda args, dims, **params: (device_put_p.bind(*args, **params), dims)
batching_rules[optimization_barrier_p] = lambda args, dims: (optimization_barrier_p.bind(*args), dims)
