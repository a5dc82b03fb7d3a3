"""Quantiles: the value below which a given part of the numbers lies. Percentiles and medians are some of them."""

import functools
import math
from typing import Any

import numpy as np

from .. import dtypes
from ..jit import jit
from ..lax import elementwise as lax, gather as gathers, sorting
from ..lax.converting import convert
from ..lax.indexing import index_in_dim
from ..lax.shaping import (
    broadcast_in_dim,
    broadcasted_iota,
    canonicalize_axis,
    expand_dims,
    full_like,
    reshape,
    squeeze,
    transpose,
)
from ..trace import pure
from . import reductions
from .arguments import array_argument, array_arguments, at_axis, axis_tuple
from .cumulative import cumsum
from .promotion import const, promote_dtypes_inexact
from .selecting import _where
from .taking import take_along_axis

METHODS = ("linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf")
Axis = int | tuple[int, ...] | None

# ---- the functions


@functools.partial(jit, static_argnames=("axis", "overwrite_input", "keepdims", "method"))
def quantile(
    a: Any, q: Any, axis: Axis = None, out: None = None, overwrite_input: bool = False, method: str = "linear",
    keepdims: bool = False, *, weights: Any = None,
) -> Any:  # fmt: skip
    """The q-quantile along `axis`: of n sorted numbers, number q (n - 1), counted from 0. NaN where there is one.

    `method` says what to take between two numbers. `weights` go with "inverted_cdf" only.
    """
    return _checked_quantile("quantile", a, q, axis, out, overwrite_input, method, keepdims, weights, skip_nan=False)


@functools.partial(jit, static_argnames=("axis", "overwrite_input", "keepdims", "method"))
def nanquantile(
    a: Any, q: Any, axis: Axis = None, out: None = None, overwrite_input: bool = False, method: str = "linear",
    keepdims: bool = False, *, weights: Any = None,
) -> Any:  # fmt: skip
    """The q-quantile along `axis` of what is not NaN."""
    return _checked_quantile("nanquantile", a, q, axis, out, overwrite_input, method, keepdims, weights, skip_nan=True)


@functools.partial(jit, static_argnames=("axis", "overwrite_input", "keepdims", "method", "out_sharding"))
def percentile(
    a: Any, q: Any, axis: Axis = None, out: None = None, overwrite_input: bool = False, method: str = "linear",
    keepdims: bool = False, *, weights: Any = None, out_sharding: Any = None,
) -> Any:  # fmt: skip
    """The quantile q / 100."""
    a, q, weights = _percents("percentile", a, q, weights)
    return quantile(a, q, axis=axis, out=out, overwrite_input=overwrite_input, method=method, keepdims=keepdims,
                    weights=weights)  # fmt: skip


@functools.partial(jit, static_argnames=("axis", "overwrite_input", "keepdims", "method"))
def nanpercentile(
    a: Any, q: Any, axis: Axis = None, out: None = None, overwrite_input: bool = False, method: str = "linear",
    keepdims: bool = False, *, weights: Any = None,
) -> Any:  # fmt: skip
    """The quantile q / 100 of what is not NaN."""
    a, q, weights = _percents("nanpercentile", a, q, weights)
    return nanquantile(a, q, axis=axis, out=out, overwrite_input=overwrite_input, method=method, weights=weights,
                       keepdims=keepdims)  # fmt: skip


def _percents(name: str, a: Any, q: Any, weights: Any) -> tuple[Any, Any, Any]:
    a, q = array_arguments(name, a, q)
    weights = None if weights is None else array_argument(name, weights)
    (q,) = promote_dtypes_inexact(q)
    return a, q / 100, weights


@functools.partial(jit, static_argnames=("axis", "overwrite_input", "keepdims"))
def median(a: Any, axis: Axis = None, out: None = None, overwrite_input: bool = False, keepdims: bool = False) -> Any:
    """The middle number along `axis`; of an even count, the mean of the two in the middle."""
    a = array_argument("median", a)
    return quantile(a, 0.5, axis=axis, out=out, overwrite_input=overwrite_input, keepdims=keepdims, method="midpoint")


@functools.partial(jit, static_argnames=("axis", "overwrite_input", "keepdims"))
def nanmedian(
    a: Any, axis: Axis = None, out: None = None, overwrite_input: bool = False, keepdims: bool = False
) -> Any:
    """The median along `axis` of what is not NaN."""
    a = array_argument("nanmedian", a)
    return nanquantile(
        a, 0.5, axis=axis, out=out, overwrite_input=overwrite_input, keepdims=keepdims, method="midpoint"
    )


# ---- all of them


def _checked_quantile(
    name: str, a: Any, q: Any, axis: Axis, out: None, overwrite_input: bool, method: str, keepdims: bool, weights: Any,
    skip_nan: bool,
) -> Any:  # fmt: skip
    a, q = array_arguments(name, a, q)
    weights = None if weights is None else array_argument(name, weights)
    if overwrite_input or out is not None:
        raise ValueError(f"jax.numpy.{name} does not support overwrite_input=True or out != None")
    if method not in METHODS:
        raise ValueError("method can only be 'linear', 'lower', 'higher', 'midpoint', 'nearest' or 'inverted_cdf'")
    a, weights = _with_weights(a, weights, axis, method)
    if dtypes.issubdtype(a.dtype, np.complexfloating):
        raise ValueError("quantile does not support complex input, as the operation is poorly defined.")
    return _quantile(a, q, axis, method, keepdims, weights, skip_nan)


def _with_weights(a: Any, weights: Any, axis: Axis, method: str) -> tuple[Any, Any]:
    """Numbers and weights in floating point and of one shape. Raises ValueError for weights that do not fit."""
    if weights is None:
        return promote_dtypes_inexact(a)[0], None
    if dtypes.issubdtype(weights.dtype, np.complexfloating):
        raise ValueError("Weights cannot be complex types.")
    if method != "inverted_cdf":
        raise NotImplementedError(f"{method} doesn't support weights. Only method 'inverted_cdf' supports weights.")
    a, weights = promote_dtypes_inexact(a, weights)
    if weights.shape == a.shape:
        return a, weights
    if axis is None:
        raise ValueError("Weights shape must match 'a' shape when axis is None.")
    axes = axis_tuple(axis, a.ndim)
    sizes = tuple(a.shape[d] for d in axes)
    if weights.shape != sizes:
        raise ValueError(f"Weights shape {weights.shape} must match reduction axes {sizes}")
    return a, broadcast_in_dim(weights, a.shape, axes)


def _quantile(a: Any, q: Any, axis: Axis, method: str, keepdims: bool, weights: Any, skip_nan: bool) -> Any:
    kept = _kept_shape(a.shape, axis) if keepdims else None
    a, weights, axis = _along_one_axis(a, weights, axis)
    if q.ndim > 1:
        raise ValueError(f"q must be have rank <= 1, got shape {q.shape}")
    if skip_nan:
        a = _where(lax.ne(a, a), math.nan, a)  # all NaN alike, so that they sort to the end
    else:
        a = _where(reductions.any(lax.ne(a, a), axis=axis, keepdims=True), math.nan, a)
    if weights is None:
        a = sorting.sort(a, dimension=axis)
    else:
        a, weights = sorting.sort_key_val(a, weights, dimension=axis)
    neighbours = _neighbours_before_nan if skip_nan else _neighbours
    low, high, fraction, rest = neighbours(a, q, axis, keepdims)
    if method == "inverted_cdf":
        result = _inverted_cdf(a, weights, q, axis, keepdims, skip_nan)
    else:
        result = _between(low, high, fraction, rest, method, q.dtype)
    if kept is not None:
        result = reshape(result, q.shape + kept)
    return convert(result, a.dtype)


def _kept_shape(shape: tuple[int, ...], axis: Axis) -> tuple[int, ...] | None:
    """The shape with 1 for the reduced axes; None where one axis is reduced, which can stay in its place."""
    if isinstance(axis, int):
        return None
    axes = axis_tuple(axis, len(shape)) if axis is None else tuple(canonicalize_axis(d, len(shape)) for d in axis)
    return tuple(1 if d in axes else n for d, n in enumerate(shape))


def _along_one_axis(a: Any, weights: Any, axis: Axis) -> tuple[Any, Any, int]:
    """The numbers with the reduced axes joined to one (the last), and which it is."""
    if axis is None:
        flat = lambda x: reshape(x, (x.size,))
        return flat(a), None if weights is None else flat(weights), 0
    if not isinstance(axis, tuple):
        return a, weights, canonicalize_axis(axis, a.ndim)
    axes = tuple(canonicalize_axis(d, a.ndim) for d in axis)
    if len(set(axes)) != len(axes):
        raise ValueError("repeated axis")
    order = list(range(a.ndim))
    for place, d in enumerate(d for d in range(a.ndim) if d not in axes):
        order[place], order[d] = order[d], order[place]
    shape = (*(n for d, n in enumerate(a.shape) if d not in axes), math.prod(a.shape[d] for d in axes))
    joined = lambda x: reshape(x, shape, order)
    return joined(a), None if weights is None else joined(weights), len(shape) - 1


# ---- the two numbers around a quantile

Neighbours = tuple[Any, Any, Any, Any]  # the lower and the upper one; how far up between them it is, and the rest


def _split(q: Any) -> tuple[Any, Any, Any, Any]:
    low, high = lax.floor(q), lax.ceil(q)
    fraction = lax.sub(q, low)
    return low, high, fraction, lax.sub(const(fraction, 1), fraction)


def _neighbours(a: Any, q: Any, axis: int, keepdims: bool) -> Neighbours:
    """Gathered from the sorted numbers: the axis of q comes first in the result."""
    n = pure(convert(a.shape[axis], q.dtype))
    low, high, fraction, rest = _split(lax.mul(q, n - 1))
    low = lax.clamp(const(low, 0), low, n - 1)
    high = lax.clamp(const(high, 0), high, n - 1)
    places = [convert(x, dtypes.canonicalize_dtype(dtypes.int_)) for x in (low, high)]
    numbers = gathers.GatherDimensionNumbers(
        offset_dims=tuple(range(q.ndim, q.ndim + a.ndim - (not keepdims))),
        collapsed_slice_dims=() if keepdims else (axis,),
        start_index_map=(axis,),
    )
    sizes = at_axis(a.shape, axis, 1)
    low, high = (gathers.gather(a, place[..., None], numbers, sizes) for place in places)
    if q.ndim == 1:
        rest, fraction = (broadcast_in_dim(x, low.shape, (0,)) for x in (rest, fraction))
    return low, high, fraction, rest


def _neighbours_before_nan(a: Any, q: Any, axis: int, keepdims: bool) -> Neighbours:
    """The same where each line has its own count of numbers: the places differ from line to line."""
    numbers = lax.bitwise_not(lax.ne(a, a))
    counts = reductions.sum(numbers, axis=axis, dtype=q.dtype, keepdims=keepdims)
    shape = q.shape + counts.shape
    spread = expand_dims(q, range(q.ndim, len(shape)))
    counts = expand_dims(counts, range(q.ndim))
    low, high, fraction, rest = _split(lax.mul(spread, lax.sub(counts, const(counts, 1))))
    low = lax.max(const(low, 0), lax.min(low, counts - 1))
    high = lax.max(const(high, 0), lax.min(high, counts - 1))
    places = [convert(x, dtypes.canonicalize_dtype(dtypes.int_)) for x in (low, high)]
    index = [broadcasted_iota(int, shape, d) for d in range(q.ndim, len(shape))]
    before, after = index[:axis], index[axis + keepdims :]
    low, high = (a[(*before, place, *after)] for place in places)
    return low, high, fraction, rest


def _between(low: Any, high: Any, fraction: Any, rest: Any, method: str, dtype: Any) -> Any:
    """What `method` takes between two neighbours."""
    if method == "lower":
        return low
    if method == "higher":
        return high
    if method == "nearest":
        return lax.select(lax.le(fraction, const(fraction, 0.5)), low, high)
    if method == "midpoint":
        return lax.mul(lax.add(low, high), const(low, 0.5))
    return lax.add(lax.mul(convert(low, dtype), rest), lax.mul(convert(high, dtype), fraction))


# ---- with weights


def _inverted_cdf(a: Any, weights: Any, q: Any, axis: int, keepdims: bool, skip_nan: bool) -> Any:
    """The first of the sorted numbers up to which the weights add up to q of their sum. NaN for bad weights."""
    weights = full_like(a, 1.0) if weights is None else weights
    zeros = full_like(weights, 0)
    bad = lax.bitwise_or(lax.lt(weights, zeros), lax.ne(weights, weights))
    nan = lax.ne(a, a)
    sums = cumsum(lax.select(lax.bitwise_or(bad, nan), zeros, weights), axis=axis)
    total = index_in_dim(sums, -1, axis, keepdims)
    place, count = _place_in_sums(sums, total, nan, q, axis, keepdims, skip_nan)
    result = _take_each(a, place, q.ndim, axis, keepdims)
    empty = lax.eq(count, full_like(count, 0))
    wrong = reductions.any(bad, axis=axis, keepdims=keepdims)
    other = empty if skip_nan else reductions.any(nan, axis=axis, keepdims=keepdims)
    unknown = expand_dims(lax.bitwise_or(wrong, other), range(q.ndim))
    return _where(unknown, full_like(result, math.nan), result)


def _place_in_sums(
    sums: Any, total: Any, nan: Any, q: Any, axis: int, keepdims: bool, skip_nan: bool
) -> tuple[Any, Any]:
    """Where the running sums of the weights reach q of the total, and how many numbers there are."""
    integer = dtypes.canonicalize_dtype(dtypes.int_)
    spread = expand_dims(total, range(q.ndim))
    target = lax.mul(reshape(q, q.shape + (1,) * total.ndim), spread)
    target = target if keepdims else expand_dims(target, (axis + q.ndim,))
    below = lax.lt(expand_dims(sums, range(q.ndim)), target)
    place = reductions.sum(convert(below, integer), axis=axis + q.ndim, keepdims=keepdims)
    if skip_nan:
        count = reductions.sum(lax.bitwise_not(nan), axis=axis, dtype=q.dtype, keepdims=keepdims)
    else:
        count = full_like(total, sums.shape[axis], q.dtype)
    last = expand_dims(convert(lax.sub(count, const(count, 1)), integer), range(q.ndim))
    return lax.max(const(place, 0), lax.min(place, last)), count


def _take_each(a: Any, place: Any, q_ndim: int, axis: int, keepdims: bool) -> Any:
    """The numbers at these places along `axis`; the axis of q, if any, comes first in `place` and in the result."""
    place = squeeze(place, (q_ndim + axis,)) if keepdims else place
    if q_ndim == 0:
        result = squeeze(take_along_axis(a, expand_dims(place, (axis,)), axis=axis), (axis,))
    else:
        order = [*range(q_ndim, q_ndim + axis), 0, *range(q_ndim + axis, place.ndim)]
        result = transpose(take_along_axis(a, transpose(place, order), axis=axis), np.argsort(order).tolist())
    return expand_dims(result, (q_ndim + axis,)) if keepdims else result
