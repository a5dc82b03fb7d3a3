"""Sequences: evenly spaced numbers, evenly spaced exponents, and the tapers of signal processing."""

import functools
import math
from typing import Any

import numpy as np

from .. import dtypes
from ..aval import typeof
from ..device_put import device_put
from ..jit import jit
from ..lax import elementwise as lax
from ..lax.converting import convert
from ..lax.joining import concatenate
from ..lax.shaping import (
    broadcast_shapes,
    canonicalize_axis,
    expand_dims,
    full,
    iota,
    reshape,
    transpose,
)
from .arguments import array_arguments, at_axis, concrete, concrete_index
from .array_creation import empty
from .logarithms import log10
from .mathematics import cos, i0, sqrt
from .numbers import absolute, sign
from .promotion import broadcast_to_shape
from .ufuncs import power

# ---- from start to stop


def linspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None,
    axis: int = 0, *, device: Any = None,
) -> Any:  # fmt: skip
    """`num` numbers from `start` to `stop` (which is left out where `endpoint` is false), along a new axis.

    With `retstep`, also the step between them. Raises ValueError for a negative `num`.
    """
    num = concrete_index(num, "'num' argument of jnp.linspace")
    axis = concrete_index(axis, "'axis' argument of jnp.linspace")
    out = _linspace(start, stop, num, endpoint, retstep, dtype, axis)
    return out if device is None else device_put(out, device)


@functools.partial(jit, static_argnames=("num", "endpoint", "retstep", "dtype", "axis"))
def _linspace(start: Any, stop: Any, num: int, endpoint: bool, retstep: bool, dtype: Any, axis: int) -> Any:
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    start, stop, dtype = _bounds("linspace", start, stop, dtype)
    computation = typeof(start).dtype
    shape = broadcast_shapes(typeof(start).shape, typeof(stop).shape)
    axis = axis + len(shape) + 1 if axis < 0 else axis
    div = num - 1 if endpoint else num
    first, last = broadcast_to_shape(start, shape), broadcast_to_shape(stop, shape)
    if num > 1:
        delta = (stop - start) / np.asarray(div, computation)
        out = _between(first, last, div, axis)
        if endpoint:
            out = concatenate([out, expand_dims(last, (axis,))], canonicalize_axis(axis, typeof(out).ndim))
    else:
        delta = np.asarray(math.nan, computation) if endpoint or not num else stop - start
        one = (*shape[:axis], 1, *shape[axis:])
        out = reshape(first, one) if num else empty(at_axis(one, axis, 0), dtype)
    whole = dtypes.issubdtype(dtype, np.integer) and not dtypes.issubdtype(typeof(out).dtype, np.integer)
    result = convert(lax.floor(out) if whole else out, dtype)
    return (result, delta) if retstep else result


def _between(first: Any, last: Any, div: int, axis: int) -> Any:
    """first (1 - t) + last t for t = 0, 1 / div, ..., (div - 1) / div along a new axis: exact at both ends."""
    shape, dtype = typeof(first).shape, typeof(first).dtype
    one = (*shape[:axis], 1, *shape[axis:])
    real = dtypes.real_dtype(dtype)
    along = (1,) * axis + (div,) + (1,) * (len(one) - axis - 1)
    step = convert(reshape(iota(real, div), along) / np.asarray(div, real), dtype)
    return reshape(first, one) * (1 - step) + reshape(last, one) * step


def _bounds(name: str, start: Any, stop: Any, dtype: Any) -> tuple[Any, Any, np.dtype]:
    """Both bounds in the floating dtype to compute in, and the dtype of the result."""
    start, stop = array_arguments(name, start, stop)
    if dtype is None:
        joined = dtypes.join(*[(a.dtype, a.weak_type) for a in (start.aval, stop.aval)])[0]
        dtype = dtypes.to_inexact_dtype(joined)
    else:
        dtype = dtypes.check_user_dtype_supported(dtype, name)
    computation = dtypes.to_inexact_dtype(dtype)
    return convert(start, computation), convert(stop, computation), dtype


def logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0, dtype: Any = None, axis: int = 0
) -> Any:
    """`base` to the power of `num` evenly spaced numbers from `start` to `stop`."""
    num = concrete_index(num, "'num' argument of jnp.logspace")
    axis = concrete_index(axis, "'axis' argument of jnp.logspace")
    return _logspace(start, stop, num, endpoint, base, dtype, axis)


@functools.partial(jit, static_argnames=("num", "endpoint", "dtype", "axis"))
def _logspace(start: Any, stop: Any, num: int, endpoint: bool, base: Any, dtype: Any, axis: int) -> Any:
    start, stop, dtype = _bounds("logspace", start, stop, dtype)
    exponents = linspace(start, stop, num, endpoint=endpoint, axis=axis)
    return convert(power(base, exponents), dtype)


def geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0) -> Any:
    """`num` numbers from `start` to `stop`, each the same multiple of the one before."""
    num = concrete_index(num, "'num' argument of jnp.geomspace")
    axis = concrete_index(axis, "'axis' argument of jnp.geomspace")
    return _geomspace(start, stop, num, endpoint, dtype, axis)


@functools.partial(jit, static_argnames=("num", "endpoint", "dtype", "axis"))
def _geomspace(start: Any, stop: Any, num: int, endpoint: bool, dtype: Any, axis: int) -> Any:
    start, stop, dtype = _bounds("geomspace", start, stop, dtype)
    sides = sign(start)
    exponents = log10(start / sides), log10(stop / sides)
    out = sides * logspace(*exponents, num, endpoint=endpoint, base=10.0, dtype=typeof(start).dtype, axis=0)
    axis = canonicalize_axis(axis, out.ndim)
    if axis:
        out = transpose(out, (*range(1, axis + 1), 0, *range(axis + 1, out.ndim)))
    return convert(out, dtype)


# ---- tapers: weights that fall off towards both ends of M samples


def _samples(name: str, M: Any) -> tuple[int, Any, Any]:
    """M, and 0, 1, ..., M - 1; for M <= 1 the taper itself, which is 1."""
    M = int(concrete(M, f"M argument of jnp.{name}"))
    dtype = dtypes.canonicalize_dtype(dtypes.float_)
    if M < 0:
        raise TypeError(f"broadcast_in_dim shape must have every element be nonnegative, got {(M,)}.")
    return (M, None, full((M,), 1, dtype)) if M <= 1 else (M, iota(dtype, M), None)


def blackman(M: int) -> Any:
    """0.42 - 0.5 cos(2 pi n / (M - 1)) + 0.08 cos(4 pi n / (M - 1))."""
    M, n, ones = _samples("blackman", M)
    if ones is not None:
        return ones
    return 0.42 - 0.5 * cos(2 * np.pi * n / (M - 1)) + 0.08 * cos(4 * np.pi * n / (M - 1))


def bartlett(M: int) -> Any:
    """A triangle: 0 at both ends, 1 in the middle."""
    M, n, ones = _samples("bartlett", M)
    return 1 - absolute(2 * n + 1 - M) / (M - 1) if ones is None else ones


def hamming(M: int) -> Any:
    """0.54 - 0.46 cos(2 pi n / (M - 1))."""
    M, n, ones = _samples("hamming", M)
    return 0.54 - 0.46 * cos(2 * np.pi * n / (M - 1)) if ones is None else ones


def hanning(M: int) -> Any:
    """0.5 (1 - cos(2 pi n / (M - 1)))."""
    M, n, ones = _samples("hanning", M)
    return 0.5 * (1 - cos(2 * np.pi * n / (M - 1))) if ones is None else ones


def kaiser(M: int, beta: Any) -> Any:
    """I0(beta sqrt(1 - x**2)) / I0(beta), x going from -1 to 1."""
    M, n, ones = _samples("kaiser", M)
    if ones is not None:
        return ones
    middle = 0.5 * (M - 1)
    return i0(beta * sqrt(1 - ((n - middle) / middle) ** 2)) / i0(beta)
