"""Whole numbers between bounds.

    randint = minval + (a 2**bits + b) % span       of two draws a and b of all bits

The remainder of random bits is not quite uniform where the span is no power of two: with twice as many bits the
difference is that of one count in 2**bits.
"""

from typing import Any

import numpy as np

from ..layer1_core import dtypes
from ..layer1_core.aval import Shape, typeof
from ..layer1_core.jit import jit
from ..layer1_core.jnp.array_creation import asarray
from ..layer1_core.jnp.choosing import clip
from ..layer1_core.jnp.promotion import check_arraylike, const
from ..layer1_core.lax.converting import convert_element_type
from ..layer1_core.lax.elementwise import add, gt, mul, rem, select
from ..layer1_core.lax.shaping import broadcast_to_rank, full_like
from .arguments import check_shape, drawn, shape_of, typed_key
from .implementation import UINTS
from .keys import split_typed
from .uniform import random_bits


def randint(key: Any, shape: Any, minval: Any, maxval: Any, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Whole numbers from `minval` on and below `maxval`; `minval` where that is not larger.

    >>> randint(np.array([0, 0], np.uint32), (5,), 0, 10)
    Array([9, 0, 2, 3, 1], dtype=int32)

    The bounds are numbers or arrays that go into `shape`; floats lose their fraction. Raises TypeError for a dtype that
    is no integer.
    """
    key = typed_key("randint", key)
    dtype = dtypes.check_user_dtype_supported(int if dtype is None else dtype)
    shape = shape_of(shape)
    if not dtypes.issubdtype(dtype, np.integer):
        raise TypeError(f"randint only accepts integer dtypes, got {dtype}")
    info, wide = dtypes.iinfo(dtype), dtype
    if info.bits < 32:
        wide = np.dtype("int32")
        minval = asarray(minval).astype(wide).clip(int(info.min), int(info.max))
        maxval = asarray(maxval).astype(wide).clip(int(info.min), int(info.max) + 1)
    return drawn(_randint, key, minval, maxval, shape, wide, out_sharding=out_sharding).astype(dtype)


def _clipped(x: Any, dtype: np.dtype) -> Any:
    """`x` as another integer dtype: the nearest number that this has."""
    new, old = dtypes.iinfo(dtype), dtypes.iinfo(typeof(x).dtype)
    low, high = max(new.min, old.min), min(new.max, old.max)
    return clip(x, const(x, int(low)), const(x, int(high))).astype(dtype)


def _whole(x: Any) -> Any:
    x = asarray(x)
    return x if dtypes.issubdtype(x.dtype, np.integer) else x.astype(int)


@jit(static_argnums=(3, 4))
def _randint(key: Any, minval: Any, maxval: Any, shape: Shape, dtype: np.dtype) -> Any:
    check_shape("randint", shape, np.shape(minval), np.shape(maxval))
    check_arraylike("randint", minval, maxval)
    minval, maxval = _whole(minval), _whole(maxval)
    largest = asarray(np.array(dtypes.iinfo(dtype).max, dtype))
    beyond = gt(maxval, _clipped(largest, maxval.dtype))  # as 256 is for uint8: it stands for one more than the last
    minval, maxval = _clipped(minval, dtype), _clipped(maxval, dtype)
    minval, maxval = broadcast_to_rank(minval, len(shape)), broadcast_to_rank(maxval, len(shape))
    bits = dtypes.iinfo(dtype).bits
    upper, lower = (random_bits(k, bits, shape) for k in split_typed(key))
    span = _span(minval, maxval, beyond, UINTS[bits])
    return add(minval, convert_element_type(_remainder(upper, lower, span, bits), dtype))


def _span(minval: Any, maxval: Any, beyond: Any, word: np.dtype) -> Any:
    """How many numbers there are: 1 where there are none, and 0 for all that a word has."""
    span = convert_element_type(maxval - minval, word)
    span = select(maxval <= minval, full_like(span, 1), span)
    return select(beyond & (maxval > minval), add(span, const(span, 1)), span)


def _remainder(upper: Any, lower: Any, span: Any, bits: int) -> Any:
    """(upper 2**bits + lower) % span in words, exact up to a span of 2**(bits // 2). Above, as in JAX, lower % span."""
    factor = rem(const(span, 1 << (bits // 2)), span)
    factor = rem(mul(factor, factor), span)
    return rem(add(mul(rem(upper, span), factor), rem(lower, span)), span)
