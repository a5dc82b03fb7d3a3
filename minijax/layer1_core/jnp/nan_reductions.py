"""Reductions that leave NaN out: nansum, nanmean, ..."""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import dtypes
from ..aval import typeof
from ..jit import jit
from ..lax import elementwise as lax
from ..lax.converting import convert
from . import reductions
from .arguments import array_argument
from .folding import Axis, check_where, start_value
from .promotion import const
from .reductions import squared_size, variance_dtypes
from .selecting import _where


def _without_nan(
    name: str, reduction: Callable[..., Any], start: float, a: Any, axis: Axis, keepdims: bool, where: Any,
    nan_of_nan: bool = False, **options: Any,
) -> Any:  # fmt: skip
    """`reduction` with `start` in place of each NaN. With `nan_of_nan`, NaN where all elements are."""
    a, where = array_argument(name, a), check_where(name, where)
    if not dtypes.issubdtype(typeof(a).dtype, np.inexact):
        return reduction(a, axis=axis, keepdims=keepdims, where=where, **options)
    filled = _where(lax.ne(a, a), start_value(start, typeof(a).dtype), a)
    out = reduction(filled, axis=axis, keepdims=keepdims, where=where, **options)
    if not nan_of_nan:
        return out
    return _where(reductions.all(lax.ne(a, a), axis=axis, keepdims=keepdims), const(a, math.nan), out)


@functools.partial(jit, static_argnames=("axis", "keepdims"))
def nanmin(
    a: Any, axis: Axis = None, out: None = None, keepdims: bool = False, initial: Any = None, where: Any = None
) -> Any:
    """The smallest element along `axis` that is not NaN; NaN where all are."""
    return _without_nan("nanmin", reductions.min, math.inf, a, axis, keepdims, where, initial is None,
                        initial=initial, out=out)  # fmt: skip


@functools.partial(jit, static_argnames=("axis", "keepdims"))
def nanmax(
    a: Any, axis: Axis = None, out: None = None, keepdims: bool = False, initial: Any = None, where: Any = None
) -> Any:
    """The largest element along `axis` that is not NaN; NaN where all are."""
    return _without_nan("nanmax", reductions.max, -math.inf, a, axis, keepdims, where, initial is None,
                        initial=initial, out=out)  # fmt: skip


@functools.partial(jit, static_argnames=("axis", "dtype", "keepdims"))
def nansum(
    a: Any, axis: Axis = None, dtype: Any = None, out: None = None, keepdims: bool = False, initial: Any = None,
    where: Any = None,
) -> Any:  # fmt: skip
    """The sum along `axis` of what is not NaN."""
    return _without_nan("nansum", reductions.sum, 0, a, axis, keepdims, where, dtype=dtype, initial=initial, out=out)


@functools.partial(jit, static_argnames=("axis", "dtype", "keepdims"))
def nanprod(
    a: Any, axis: Axis = None, dtype: Any = None, out: None = None, keepdims: bool = False, initial: Any = None,
    where: Any = None,
) -> Any:  # fmt: skip
    """The product along `axis` of what is not NaN."""
    return _without_nan("nanprod", reductions.prod, 1, a, axis, keepdims, where, dtype=dtype, initial=initial, out=out)


@functools.partial(jit, static_argnames=("axis", "dtype", "keepdims"))
def nanmean(
    a: Any, axis: Axis = None, dtype: Any = None, out: None = None, keepdims: bool = False, where: Any = None
) -> Any:
    """The mean along `axis` of what is not NaN; NaN where all is."""
    a, where = array_argument("nanmean", a), check_where("nanmean", where)
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.nanmean is not supported.")
    if not dtypes.issubdtype(a.dtype, np.inexact):
        return reductions.mean(a, axis, dtype, out, keepdims, where=where)
    dtype = a.dtype if dtype is None else dtypes.check_user_dtype_supported(dtype, "nanmean")
    number = reductions.sum(lax.bitwise_not(lax.ne(a, a)), axis=axis, dtype=dtype, keepdims=keepdims, where=where)
    return lax.div(nansum(a, axis, dtype=dtype, keepdims=keepdims, where=where), number)


@functools.partial(jit, static_argnames=("axis", "dtype", "keepdims"))
def nanvar(
    a: Any, axis: Axis = None, dtype: Any = None, out: None = None, ddof: int = 0, keepdims: bool = False,
    where: Any = None, mean: Any = None,
) -> Any:  # fmt: skip
    """The variance along `axis` of what is not NaN; NaN where `ddof` leaves nothing to divide by."""
    a, where = array_argument("nanvar", a), check_where("nanvar", where)
    dtype = None if dtype is None else dtypes.check_user_dtype_supported(dtype, "nanvar")
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.nanvar is not supported.")
    computation, dtype = variance_dtypes(a.dtype, dtype)
    a = convert(a, computation)
    if mean is None:
        mean = nanmean(a, axis, dtype=computation, keepdims=True, where=where)
    else:
        mean = convert(array_argument("nanvar", mean), computation)
    squares = squared_size(_where(lax.ne(a, a), 0, lax.sub(a, mean)))
    number = reductions.sum(lax.bitwise_not(lax.ne(a, a)), axis=axis, keepdims=keepdims, where=where) - ddof
    nothing = lax.le(number, const(number, 0))
    result = _where(nothing, math.nan, reductions.sum(squares, axis, keepdims=keepdims, where=where))
    return convert(lax.div(result, convert(_where(nothing, 1, number), result.dtype)), dtype)


@functools.partial(jit, static_argnames=("axis", "dtype", "keepdims"))
def nanstd(
    a: Any, axis: Axis = None, dtype: Any = None, out: None = None, ddof: int = 0, keepdims: bool = False,
    where: Any = None, mean: Any = None,
) -> Any:  # fmt: skip
    """The square root of nanvar."""
    a, where = array_argument("nanstd", a), check_where("nanstd", where)
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.nanstd is not supported.")
    return lax.sqrt(nanvar(a, axis=axis, dtype=dtype, ddof=ddof, keepdims=keepdims, where=where, mean=mean))
