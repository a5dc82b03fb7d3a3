"""Cumulative reductions: all the steps of a sum or product along an axis."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import dtypes
from ..aval import typeof
from ..jit import jit
from ..lax import elementwise as lax, windows
from ..lax.converting import convert
from ..lax.joining import concatenate
from ..lax.shaping import canonicalize_axis, full, reshape
from .arguments import array_argument, at_axis
from .folding import wide_integer
from .promotion import const
from .selecting import _where

Scan = Callable[[Any, int], Any]  # an array and an axis to the running sum or product


def _accumulate(
    name: str, scan: Scan, a: Any, axis: int | None, dtype: Any, out: None = None, without_nan: int | None = None,
    promote_integers: bool = False,
) -> Any:  # fmt: skip
    """`scan` along `axis`; along the flattened array where that is None. `without_nan` stands in for each NaN."""
    a = array_argument(name, a)
    if out is not None:
        raise NotImplementedError(f"The 'out' argument to jnp.{name} is not supported")
    if axis is None or not typeof(a).ndim:
        a = reshape(a, (typeof(a).size,))
    axis = canonicalize_axis(0 if axis is None else axis, typeof(a).ndim)
    if without_nan is not None:
        a = _where(lax.ne(a, a), const(a, without_nan), a)
    if dtype is not None and np.dtype(dtype) == np.bool_:
        return _accumulate_truth(scan, a, axis)
    of = typeof(a).dtype
    if dtype is None:
        result = wide_integer(of) if promote_integers or of == np.bool_ else of
    else:
        result = dtypes.check_user_dtype_supported(dtype, name)
    return scan(convert(a, result), axis)


def _accumulate_truth(scan: Scan, a: Any, axis: int) -> Any:
    """With truth values asked for: whether the number of true elements so far (or their product) is not 0."""
    truth = a if typeof(a).dtype == np.bool_ else lax.ne(a, const(a, 0))
    return convert(scan(convert(truth, wide_integer(np.dtype(bool))), axis), np.dtype(bool))


@functools.partial(jit, static_argnames=("axis", "dtype"))
def cumsum(a: Any, axis: int | None = None, dtype: Any = None, out: None = None) -> Any:
    """The sum of everything up to each element, along `axis` or of the flattened array."""
    return _accumulate("cumsum", windows.cumsum, a, axis, dtype, out)


@functools.partial(jit, static_argnames=("axis", "dtype"))
def cumprod(a: Any, axis: int | None = None, dtype: Any = None, out: None = None) -> Any:
    """The product of everything up to each element, along `axis` or of the flattened array."""
    return _accumulate("cumprod", windows.cumprod, a, axis, dtype, out)


@functools.partial(jit, static_argnames=("axis", "dtype"))
def nancumsum(a: Any, axis: int | None = None, dtype: Any = None, out: None = None) -> Any:
    """cumsum with 0 for NaN."""
    return _accumulate("nancumsum", windows.cumsum, a, axis, dtype, out, without_nan=0)


@functools.partial(jit, static_argnames=("axis", "dtype"))
def nancumprod(a: Any, axis: int | None = None, dtype: Any = None, out: None = None) -> Any:
    """cumprod with 1 for NaN."""
    return _accumulate("nancumprod", windows.cumprod, a, axis, dtype, out, without_nan=1)


@functools.partial(jit, static_argnames=("axis", "dtype"))
def _cumsum_with_promotion(a: Any, axis: int | None = None, dtype: Any = None) -> Any:
    return _accumulate("_cumsum_with_promotion", windows.cumsum, a, axis, dtype, promote_integers=True)


def cumulative_sum(x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Any:
    """The sum of everything up to each element along `axis`; with `include_initial` starting at 0, one longer."""
    x, axis, dtype = _checked("cumulative_sum", "sum", x, axis, dtype)
    return _after(0, _cumsum_with_promotion(x, axis=axis, dtype=dtype), axis, include_initial)


def cumulative_prod(x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Any:
    """The product of everything up to each element along `axis`; with `include_initial` starting at 1, one longer."""
    x, axis, dtype = _checked("cumulative_prod", "product", x, axis, dtype)
    return _after(1, _accumulate("cumulative_prod", windows.cumprod, x, axis, dtype), axis, include_initial)


def _checked(name: str, what: str, x: Any, axis: int | None, dtype: Any) -> tuple[Any, int, Any]:
    x = array_argument(name, x)
    if not x.ndim:
        raise ValueError(
            f"The input must be non-scalar to take a cumulative {what}, "
            "however a scalar value or scalar array was given."
        )
    if axis is None and x.ndim > 1:
        raise ValueError(
            f"The input array has rank {x.ndim}, however axis was not set to an explicit value. "
            "The axis argument is only optional for one-dimensional arrays."
        )
    dtype = None if dtype is None else dtypes.check_user_dtype_supported(dtype, name)
    return x, canonicalize_axis(0 if axis is None else axis, x.ndim), dtype


def _after(initial: int, out: Any, axis: int, include_initial: bool) -> Any:
    if not include_initial:
        return out
    return concatenate([full(at_axis(out.shape, axis, 1), initial, out.dtype), out], axis)
