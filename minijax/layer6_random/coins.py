"""Coins: truth values and signs."""

from typing import Any

import numpy as np

from ..layer1_core import dtypes
from ..layer1_core.aval import Shape
from ..layer1_core.jit import jit
from ..layer1_core.lax.converting import convert_element_type
from .arguments import check_shape, drawn, shape_of, shape_or_none, type_of_parameter, typed_key
from .uniform import uniform


def bernoulli(key: Any, p: Any = 0.5, shape: Any = None, mode: str = "low", *, out_sharding: Any = None) -> Any:
    """True with probability `p`: where a uniform number is below it.

    With `mode` "high" that has twice as many bits, for a small `p`. Raises TypeError for a `p` that is no float.
    """
    shape = shape_or_none(shape)
    if mode not in ("high", "low"):
        raise ValueError(f"got {mode=}, expected 'high' or 'low'")
    key = typed_key("bernoulli", key)
    dtype = type_of_parameter(p).dtype
    if not dtypes.issubdtype(dtype, np.floating):
        raise TypeError(f"bernoulli probability `p` must have a floating dtype, got {dtype}.")
    return drawn(_bernoulli, key, convert_element_type(p, dtype), shape, mode, out_sharding=out_sharding)


@jit(static_argnames=["shape", "mode"])
def _bernoulli(key: Any, p: Any, shape: Shape | None, mode: str) -> Any:
    if shape is None:
        shape = np.shape(p)
    else:
        check_shape("bernoulli", shape, np.shape(p))
    dtype = p.dtype
    if mode == "low":
        return uniform(key, shape, dtype) < p
    u1, u2 = uniform(key, (2, *shape), dtype)
    u2 = u2 * 2.0 ** -dtypes.finfo(dtype).nmant  # below the steps of u1
    return u2 < p - u1


def rademacher(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """-1 or 1, as likely."""
    key = typed_key("rademacher", key)
    dtype = dtypes.check_user_dtype_supported(int if dtype is None else dtype)
    return drawn(_rademacher, key, shape_of(shape), dtype, out_sharding=out_sharding)


@jit(static_argnums=(1, 2))
def _rademacher(key: Any, shape: Shape, dtype: np.dtype) -> Any:
    heads = bernoulli(key=key, p=0.5, shape=shape).astype(dtype)
    return (2 * heads - 1).astype(dtype)
