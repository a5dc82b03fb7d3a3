"""What the converting primitives compute, in NumPy: the same numbers in another dtype, or the same bits."""

import ml_dtypes
import numpy as np

from ..dtypes import float0


def convert_element_type(x: np.ndarray, *, new_dtype: np.dtype, weak_type: bool, sharding=None) -> np.ndarray:
    """The numbers of x in `new_dtype`, as near as it has them.

    A complex number loses its imaginary part, a float its fraction; what is not 0 is True. A float too large for
    an integer type gives the nearest end of its range and NaN gives 0; an integer too large wraps around. What holds
    nothing (float0) gives zeros.
    """
    new_dtype = np.dtype(new_dtype)
    if x.dtype == float0:
        return np.zeros(x.shape, new_dtype)
    if new_dtype == np.bool_:
        return x != 0
    if x.dtype.kind == "c" and new_dtype.kind != "c":
        x = np.real(x)
    if new_dtype.kind in "iu" and x.dtype.kind not in "biu":
        return float_to_integer(x, new_dtype)
    return x.astype(new_dtype, copy=False)


def float_to_integer(x: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """x without its fraction, held within the range of `dtype`; NaN becomes 0.

    The bounds are compared as floats: `info.max` itself may be no float, but the power of two above it is one.
    """
    info = np.iinfo(dtype)
    x = x.astype(np.float32) if x.dtype.itemsize < 4 else x
    too_large, too_small = x >= 2.0**info.bits / (1 if info.min == 0 else 2), x <= info.min
    inside = np.where(too_large | too_small | np.isnan(x), 0, x).astype(dtype)
    return np.where(too_large, dtype.type(info.max), np.where(too_small, dtype.type(info.min), inside))


def bitcast_convert_type(x: np.ndarray, *, new_dtype: np.dtype) -> np.ndarray:
    """The bits of x read as `new_dtype`.

    Wider elements are cut into pieces along a new last axis, least significant first: int32[3] -> int8[3, 4].
    Narrower ones are put together along their last axis: int8[3, 4] -> int32[3].
    """
    new_dtype = np.dtype(new_dtype)
    if x.dtype.itemsize == new_dtype.itemsize:
        return x.view(new_dtype)
    if x.dtype.itemsize > new_dtype.itemsize:
        return np.ascontiguousarray(x[..., None]).view(new_dtype)
    return np.ascontiguousarray(x).view(new_dtype)[..., 0]


def reduce_precision(x: np.ndarray, *, exponent_bits: int, mantissa_bits: int) -> np.ndarray:
    """x rounded to a float format with so many bits, and back in its own dtype.

    The mantissa is rounded to the nearest, a half to the even one; what is then too large becomes infinite and
    what is too small becomes 0 with x's sign.
    """
    bits, own_mantissa = x.view(f"u{x.dtype.itemsize}"), ml_dtypes.finfo(x.dtype).nmant
    dropped = own_mantissa - mantissa_bits
    if dropped > 0:
        one = bits.dtype.type(1)
        half = (one << bits.dtype.type(dropped - 1)) - one
        bits = bits + half + (bits >> bits.dtype.type(dropped) & one)
        bits = bits & ~((one << bits.dtype.type(dropped)) - one)
    rounded = np.asarray(bits).view(x.dtype)
    return np.where(np.isnan(x), x, limit_exponent(rounded, exponent_bits))


def limit_exponent(x: np.ndarray, exponent_bits: int) -> np.ndarray:
    """x where a float format with so many exponent bits has it as a normal number, else infinity or 0."""
    bias = 2 ** (exponent_bits - 1) - 1
    if bias >= ml_dtypes.finfo(x.dtype).maxexp - 1:
        return x
    size = np.abs(x.astype(np.float64))
    sign = np.copysign(np.ones((), x.dtype), x)
    x = np.where(size >= 2.0 ** (bias + 1), sign * x.dtype.type(np.inf), x)
    return np.where(size < 2.0 ** (1 - bias), sign * x.dtype.type(0), x)


def copy(x: np.ndarray) -> np.ndarray:
    """x in memory of its own."""
    return x.copy()


def stop_gradient(x: np.ndarray) -> np.ndarray:
    """x itself: this primitive matters to derivatives only."""
    return x
