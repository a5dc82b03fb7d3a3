"""Reductions: arrays folded along axes to sums, products, extremes, truth values, means and variances."""

import functools
import math
from typing import Any

import numpy as np

from .. import dtypes
from ..aval import typeof
from ..jit import jit
from ..lax import elementwise as lax, reducing
from ..lax.converting import convert
from ..lax.shaping import full, reshape
from .arguments import array_argument, array_arguments, axis_tuple
from .folding import (
    ALL,
    ANY,
    MAX,
    MIN,
    PROD,
    SUM,
    Axis,
    Reduction,
    as_integers,
    as_truth,
    check_where,
    fold,
    static_axes,
    wide_float,
)
from .promotion import broadcast_to_shape, check_argument, const, promote_dtypes_inexact
from .selecting import _where

# ---- sums, products, extremes, truth values


def sum(
    a: Any, axis: Axis = None, dtype: Any = None, out: None = None, keepdims: bool = False, initial: Any = None,
    where: Any = None, promote_integers: bool = True,
) -> Any:  # fmt: skip
    """The sum along `axis`; 0 of nothing. Narrow integers are added up in the default integer."""
    return fold(SUM, a, axis, dtype, out, keepdims, initial, where, promote_integers)


def prod(
    a: Any, axis: Axis = None, dtype: Any = None, out: None = None, keepdims: bool = False, initial: Any = None,
    where: Any = None, promote_integers: bool = True,
) -> Any:  # fmt: skip
    """The product along `axis`; 1 of nothing."""
    return fold(PROD, a, axis, dtype, out, keepdims, initial, where, promote_integers)


def max(
    a: Any, axis: Axis = None, out: None = None, keepdims: bool = False, initial: Any = None, where: Any = None
) -> Any:
    """The largest element along `axis`; NaN where there is one. Raises ValueError of nothing, without `initial`."""
    return fold(MAX, a, axis, None, out, keepdims, initial, where)


def min(
    a: Any, axis: Axis = None, out: None = None, keepdims: bool = False, initial: Any = None, where: Any = None
) -> Any:
    """The smallest element along `axis`; NaN where there is one. Raises ValueError of nothing, without `initial`."""
    return fold(MIN, a, axis, None, out, keepdims, initial, where)


def amax(
    a: Any, axis: Axis = None, out: None = None, keepdims: bool = False, initial: Any = None, where: Any = None
) -> Any:
    """The same as `max`."""
    return max(a, axis, out, keepdims, initial, where)


def amin(
    a: Any, axis: Axis = None, out: None = None, keepdims: bool = False, initial: Any = None, where: Any = None
) -> Any:
    """The same as `min`."""
    return min(a, axis, out, keepdims, initial, where)


def all(a: Any, axis: Axis = None, out: None = None, keepdims: bool = False, *, where: Any = None) -> Any:
    """Whether all elements along `axis` are true (not 0); so it is of nothing."""
    return fold(ALL, a, axis, None, out, keepdims, None, where)


def any(a: Any, axis: Axis = None, out: None = None, keepdims: bool = False, *, where: Any = None) -> Any:
    """Whether some element along `axis` is true (not 0)."""
    return fold(ANY, a, axis, None, out, keepdims, None, where)


@functools.partial(jit, static_argnames=("axis", "keepdims"))
def count_nonzero(a: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """How many elements along `axis` are not 0."""
    a = array_argument("count_nonzero", a)
    return sum(lax.ne(a, const(a, 0)), axis=axis, dtype=dtypes.canonicalize_dtype(dtypes.int_), keepdims=keepdims)


def ptp(a: Any, axis: Axis = None, out: None = None, keepdims: bool = False) -> Any:
    """The largest less the smallest element along `axis`."""
    return _ptp(array_argument("ptp", a), axis=static_axes(axis), out=out, keepdims=keepdims)


@functools.partial(jit, static_argnames=("axis", "keepdims"))
def _ptp(a: Any, axis: Axis = None, out: None = None, keepdims: bool = False) -> Any:
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.ptp is not supported.")
    return lax.sub(max(a, axis=axis, keepdims=keepdims), min(a, axis=axis, keepdims=keepdims))


# ---- means


def mean(
    a: Any, axis: Axis = None, dtype: Any = None, out: None = None, keepdims: bool = False, *, where: Any = None
) -> Any:
    """The mean along `axis`, in floating point; NaN of nothing."""
    check_argument(mean, a, "a")
    axis = static_axes(axis)
    a, where = array_argument("mean", a), check_where("mean", where)
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.mean is not supported.")
    if dtype is None:
        result = dtypes.to_inexact_dtype(typeof(a).dtype)
        computation = wide_float(result)
    else:
        result = computation = dtypes.check_user_dtype_supported(dtype, "mean")
    number = count(a, axis, keepdims, where, computation)
    return convert(lax.div(sum(a, axis, dtype=computation, keepdims=keepdims, where=where), number), result)


def count(a: Any, axis: Axis, keepdims: bool, where: Any, dtype: np.dtype) -> Any:
    """How many elements along `axis` take part in a reduction, as a number of `dtype`."""
    shape = typeof(a).shape
    if where is not None:
        return sum(broadcast_to_shape(where, shape), axis, dtype=dtype, keepdims=keepdims)
    axes = range(len(shape)) if axis is None else (axis,) if isinstance(axis, int) else axis
    return convert(np.int64(math.prod(shape[d] for d in axes)), dtype)


def average(a: Any, axis: Axis = None, weights: Any = None, returned: bool = False, keepdims: bool = False) -> Any:
    """The mean along `axis`, each element counted `weights` times; with `returned`, also the sum of the weights.

    Weights have the shape of `a`, or that of the reduced axes. Raises ValueError for other shapes.
    """
    axis, a = static_axes(axis), array_argument("average", a)
    if isinstance(axis, tuple) and len(set(axis)) != len(axis):
        raise ValueError(f"repeated axis: {axis}")
    axes = axis_tuple(axis, a.ndim)
    if weights is None:
        (a,) = promote_dtypes_inexact(a)
        avg = mean(a, axis=axis, keepdims=keepdims)
        total = full((), math.prod(typeof(a).shape[d] for d in axes), avg.dtype)
    else:
        a, weights = promote_dtypes_inexact(*array_arguments("average", a, weights))
        weights = _weights_along(a, weights, axis)
        total = sum(weights, axis=axis, keepdims=keepdims)
        avg = sum(a * weights, axis=axis, keepdims=keepdims) / total
    return (avg, broadcast_to_shape(total, avg.shape)) if returned else avg


def _weights_along(a: Any, weights: Any, axis: Axis) -> Any:
    """Weights given for the reduced axes alone, with axes of size 1 for the others."""
    shape, given = typeof(a).shape, typeof(weights).shape
    if shape == given:
        return weights
    if axis is None:
        raise ValueError("Axis must be specified when shapes of a and weights differ.")
    axes = axis_tuple(axis, len(shape))
    if given != tuple(shape[d] for d in axes):
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    kept = tuple(n if d in axes else 1 for d, n in enumerate(shape))
    return reshape(weights, kept, dimensions=tuple(np.argsort(axes).tolist()))


# ---- variance


def var(
    a: Any, axis: Axis = None, dtype: Any = None, out: None = None, ddof: int = 0, keepdims: bool = False, *,
    where: Any = None, mean: Any = None, correction: float | None = None,
) -> Any:  # fmt: skip
    """The mean of the squared distances from the mean, the count lessened by `ddof` (or `correction`)."""
    correction = _correction(ddof, correction)
    return _var(array_argument("var", a), axis=static_axes(axis), dtype=dtype, out=out, correction=correction,
                keepdims=keepdims, where=where, a_mean=mean)  # fmt: skip


def _correction(ddof: int, correction: float | None) -> float:
    if correction is not None and (not isinstance(ddof, int) or ddof != 0):
        raise ValueError("ddof and correction can't be provided simultaneously.")
    return ddof if correction is None else correction


@functools.partial(jit, static_argnames=("axis", "dtype", "keepdims"))
def _var(
    a: Any, *, axis: Axis = None, dtype: Any = None, out: None = None, correction: Any = 0, keepdims: bool = False,
    where: Any = None, a_mean: Any = None,
) -> Any:  # fmt: skip
    where = check_where("var", where)
    dtype = None if dtype is None else dtypes.check_user_dtype_supported(dtype, "var")
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.var is not supported.")
    computation, dtype = variance_dtypes(a.dtype, dtype)
    a = convert(a, computation)
    if a_mean is None:
        a_mean = mean(a, axis, dtype=computation, keepdims=True, where=where)
    else:
        a_mean = convert(array_argument("var", a_mean), computation)
    squares = squared_size(lax.sub(a, a_mean))
    computation = typeof(squares).dtype
    number = count(a, axis, keepdims, where, computation)
    number = lax.sub(number, convert(correction, computation))
    total = sum(squares, axis, dtype=computation, keepdims=keepdims, where=where)
    result = convert(lax.div(total, number), dtype)
    return _where(lax.gt(number, const(number, 0)), result, math.nan)


def squared_size(x: Any) -> Any:
    """|x| ** 2, which is real."""
    if dtypes.issubdtype(typeof(x).dtype, np.complexfloating):
        return lax.real(lax.mul(x, lax.conj(x)))
    return lax.square(x)


def variance_dtypes(of: np.dtype, dtype: np.dtype | None) -> tuple[np.dtype, np.dtype]:
    """The dtype to compute a variance in, and that of the result, which is real."""
    if dtype is None:
        dtype = dtypes.to_inexact_dtype(of)
        return wide_float(dtype), dtypes.real_dtype(dtype)
    if dtypes.issubdtype(of, np.complexfloating) and not dtypes.issubdtype(dtype, np.complexfloating):
        raise ValueError(
            "jax.numpy.var does not yet support real dtype parameters when computing the variance of an array of "
            "complex values. The semantics of numpy.var seem unclear in this case. Please comment on "
            "https://github.com/jax-ml/jax/issues/2283 if this behavior is important to you."
        )
    return wide_float(dtype), dtype


def std(
    a: Any, axis: Axis = None, dtype: Any = None, out: None = None, ddof: int = 0, keepdims: bool = False, *,
    where: Any = None, mean: Any = None, correction: float | None = None,
) -> Any:  # fmt: skip
    """The square root of the variance."""
    correction = _correction(ddof, correction)
    return _std(array_argument("std", a), axis=static_axes(axis), dtype=dtype, out=out, correction=correction,
                keepdims=keepdims, where=where, mean=mean)  # fmt: skip


@functools.partial(jit, static_argnames=("axis", "dtype", "keepdims"))
def _std(
    a: Any, *, axis: Axis = None, dtype: Any = None, out: None = None, correction: Any = 0, keepdims: bool = False,
    where: Any = None, mean: Any = None,
) -> Any:  # fmt: skip
    where = check_where("std", where)
    if dtype is not None:
        dtype = dtypes.check_user_dtype_supported(dtype, "std")
        if not dtypes.issubdtype(dtype, np.inexact):
            raise ValueError(f"dtype argument to jnp.std must be inexact; got {dtype}")
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.std is not supported.")
    return lax.sqrt(var(a, axis, dtype, keepdims=keepdims, where=where, mean=mean, correction=correction))


# ---- the reductions of other ufuncs: `reduce` of maximum, bitwise_and, logical_or, ...


def _ufunc_reduction(kind: Reduction) -> Any:
    def reduce(
        a: Any, axis: Axis = None, dtype: Any = None, out: None = None, keepdims: bool = False, initial: Any = None,
        where: Any = None,
    ) -> Any:  # fmt: skip
        return fold(kind, a, axis, dtype, out, keepdims, initial, where)

    return reduce


reduce_max, reduce_min = _ufunc_reduction(MAX), _ufunc_reduction(MIN)
reduce_bitwise_and, reduce_bitwise_or, reduce_bitwise_xor = (
    _ufunc_reduction(Reduction(f"reduce_bitwise_{name}", reduce, combine, start, as_integers))
    for name, reduce, combine, start in (
        ("and", reducing.reduce_and, lax.bitwise_and, -1),
        ("or", reducing.reduce_or, lax.bitwise_or, 0),
        ("xor", reducing.reduce_xor, lax.bitwise_xor, 0),
    )
)
reduce_logical_and, reduce_logical_or, reduce_logical_xor = (
    _ufunc_reduction(Reduction(f"reduce_logical_{name}", reduce, combine, start, as_truth))
    for name, reduce, combine, start in (
        ("and", reducing.reduce_and, lax.bitwise_and, True),
        ("or", reducing.reduce_or, lax.bitwise_or, False),
        ("xor", reducing.reduce_xor, lax.bitwise_xor, False),
    )
)
