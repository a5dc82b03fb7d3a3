"""Normal numbers: the inverse of the distribution function, applied to uniform ones.

    u uniform in (-1, 1)   ->   sqrt(2) erf_inv(u)

Each costs one uniform number, and its accuracy is that of erf_inv; there are no loops and no pairs.
"""

from typing import Any

import numpy as np

from ..layer1_core import dtypes
from ..layer1_core.aval import Shape
from ..layer1_core.jit import jit
from ..layer1_core.jnp.choosing import clip
from ..layer1_core.lax.converting import convert_element_type
from ..layer1_core.lax.elementwise import mul, nextafter
from ..layer1_core.lax.shaping import broadcast_shapes, stop_gradient
from ..layer1_core.lax.special import erf, erf_inv
from .arguments import check_shape, drawn, float_dtype, inexact_dtype, shape_of, shape_or_none, typed_key
from .keys import split_typed
from .uniform import uniform


def normal(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Standard normal numbers; of a complex dtype, those whose parts have half the variance each.

    >>> normal(np.array([0, 0], np.uint32))
    Array(1.6226422, dtype=float32)
    """
    key = typed_key("normal", key)
    shape = shape_of(shape)
    return drawn(_normal, key, shape, inexact_dtype("normal", dtype), out_sharding=out_sharding)


@jit(static_argnums=(1, 2))
def _normal(key: Any, shape: Shape, dtype: np.dtype) -> Any:
    if dtype.kind != "c":
        return _normal_real(key, shape, dtype)
    parts = [_normal_real(k, shape, dtypes.real_dtype(dtype)).astype(dtype) for k in split_typed(key)]
    return (parts[0] + 1j * parts[1]) / np.array(np.sqrt(2), dtype)


@jit(static_argnums=(1, 2))
def _normal_real(key: Any, shape: Shape, dtype: np.dtype) -> Any:
    check_shape("normal", shape)
    low = np.nextafter(np.array(-1.0, dtype), np.array(0.0, dtype), dtype=dtype)
    u = uniform(key, shape, dtype, low, np.array(1.0, dtype))
    return mul(np.array(np.sqrt(2), dtype), erf_inv(u))


def truncated_normal(
    key: Any, lower: Any, upper: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> Any:
    """Normal numbers between `lower` and `upper`, neither of which is taken."""
    shape = shape_or_none(shape)
    key = typed_key("truncated_normal", key)
    dtype = float_dtype("truncated_normal", dtype)
    return drawn(_truncated_normal, key, lower, upper, shape, dtype, out_sharding=out_sharding)


@jit(static_argnums=(3, 4))
def _truncated_normal(key: Any, lower: Any, upper: Any, shape: Shape | None, dtype: np.dtype) -> Any:
    """The inverse distribution function of uniform numbers between its values at the ends; rounding may not leave."""
    if shape is None:
        shape = broadcast_shapes(np.shape(lower), np.shape(upper))
    else:
        check_shape("truncated_normal", shape, np.shape(lower), np.shape(upper))
    root = np.array(np.sqrt(2), dtype)
    lower, upper = convert_element_type(lower, dtype), convert_element_type(upper, dtype)
    a, b = erf(lower / root), erf(upper / root)
    out = root * erf_inv(uniform(key, shape, dtype, minval=a, maxval=b))
    above, below = (np.array(x, dtype) for x in (np.inf, -np.inf))
    return clip(out, nextafter(stop_gradient(lower), above), nextafter(stop_gradient(upper), below))
