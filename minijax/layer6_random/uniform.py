"""Bits, and uniform numbers made of them.

A float between 1 and 2 has a constant exponent, and its mantissa counts the steps between: so random bits in the place
of the mantissa are a uniform number. 1 is subtracted, and the rest is arithmetic.

    bits           10110010 01101110 10001111 00101010
    >> 9           00000000 01011001 00110111 01000111      23 bits: as many as a float32 has in its mantissa
    | bits of 1.0  00111111 11011001 00110111 01000111      1.697000...
    - 1.0                                                   0.697000...
"""

from typing import Any

import numpy as np

from ..layer1_core import dtypes
from ..layer1_core.aval import Shape
from ..layer1_core.jit import jit
from ..layer1_core.lax.converting import bitcast_convert_type, convert_element_type
from ..layer1_core.lax.elementwise import bitwise_or, max, shift_right_logical
from ..layer1_core.lax.shaping import broadcast_to_rank, reshape
from .arguments import check_shape, drawn, shape_of, standard, typed_key
from .implementation import UINTS
from .primitives import random_bits_p


def random_bits(key: Any, width: int, shape: Shape) -> Any:
    """Unsigned integers of `width` bits from a typed key."""
    return random_bits_p.bind(key, bit_width=width, shape=shape)


def bits(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Unsigned integers, all of them equally likely.

    Raises ValueError for a dtype that is no unsigned one.
    """
    key = typed_key("bits", key)
    default = dtypes.canonicalize_dtype(dtypes.uint_)
    dtype = default if dtype is None else dtypes.check_user_dtype_supported(dtype)
    if not dtypes.issubdtype(dtype, np.unsignedinteger):
        raise ValueError(f"dtype argument to `bits` must be an unsigned int dtype, got {dtype}")
    return drawn(random_bits, key, 8 * dtype.itemsize, shape_of(shape), out_sharding=out_sharding)


def uniform(
    key: Any, shape: Any = (), dtype: Any = None, minval: Any = 0.0, maxval: Any = 1.0, *, out_sharding: Any = None
) -> Any:
    """Numbers from `minval` on and below `maxval`: by rounding, `maxval` itself where floats are coarse.

    >>> uniform(np.array([0, 0], np.uint32), (3,))
    Array([0.947667  , 0.9785799 , 0.33229148], dtype=float32)

    The bounds are numbers, or arrays that go into `shape`. Raises ValueError for a dtype that is no floating one.
    """
    key, shape, dtype = standard("uniform", key, shape, dtype)
    return drawn(_uniform, key, minval, maxval, shape, dtype, out_sharding=out_sharding)


@jit(static_argnums=(3, 4))
def _uniform(key: Any, minval: Any, maxval: Any, shape: Shape, dtype: np.dtype) -> Any:
    check_shape("uniform", shape)
    minval, maxval = convert_element_type(minval, dtype), convert_element_type(maxval, dtype)
    minval, maxval = broadcast_to_rank(minval, len(shape)), broadcast_to_rank(maxval, len(shape))
    floats = below_one(key, shape, dtype)
    return max(minval, reshape(floats * (maxval - minval) + minval, shape))


def below_one(key: Any, shape: Shape, dtype: np.dtype) -> Any:
    """Numbers from 0 on and below 1, a whole number of steps of the dtype's mantissa."""
    info = dtypes.finfo(dtype)
    word = UINTS[info.bits]
    width = 8 if info.nmant < 8 else info.bits  # a bfloat16 has 7: 8 random bits will do
    random = random_bits(key, width, shape)
    random = random if width == info.bits else convert_element_type(random, word)
    one = np.ones((), dtype)
    mantissa = shift_right_logical(random, word.type(width - info.nmant))
    return bitcast_convert_type(bitwise_or(mantissa, one.view(word)), dtype) - one
