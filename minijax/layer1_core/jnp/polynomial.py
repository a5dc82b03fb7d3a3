"""Polynomials as vectors of coefficients, the highest power first."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .. import dtypes
from ..jit import jit
from ..lax.shaping import broadcast_shapes, full_like
from ..lax.sorting import sort_key_val
from .arguments import array_argument, array_arguments, concrete, concrete_index
from .array_creation import arange, array, asarray, full, ones, zeros
from .choosing import where
from .convolution import convolve
from .creation import diag, vander
from .editing import trim_zeros
from .extremes import argmin
from .joining import concatenate
from .linalg.factoring import eigvals
from .linalg.least_squares import lstsq
from .linalg.solving import inv
from .mathematics import sqrt
from .products import dot, outer
from .promotion import promote_dtypes, promote_dtypes_inexact
from .rearranging import roll
from .shaping import atleast_1d
from .ufuncs import maximum, true_divide

# ---- roots


@jit
def poly(seq_of_zeros: Any) -> Any:
    """The polynomial with these roots, or with the eigenvalues of this square matrix as roots."""
    (roots,) = promote_dtypes_inexact(array_argument("poly", seq_of_zeros))
    roots = atleast_1d(roots)
    if roots.ndim == 2 and roots.shape[0] == roots.shape[1] != 0:
        roots = eigvals(roots)
    if roots.ndim != 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    if not len(roots):
        return ones((), dtype=roots.dtype)
    out = ones((1,), dtype=roots.dtype)
    for k in range(len(roots)):
        out = convolve(out, array([1, -roots[k]], dtype=roots.dtype), mode="full")
    return out


def roots(p: Any, *, strip_zeros: bool = True) -> Any:
    """The roots, as complex numbers: the eigenvalues of the companion matrix.

    How many there are depends on the leading zeros of `p`, which must be known; with `strip_zeros=False` there are
    always len(p) - 1, of which those that leading zeros take away are NaN.
    """
    (p,) = promote_dtypes_inexact(array_argument("roots", p))
    p = atleast_1d(p)
    if p.ndim != 1:
        raise ValueError("Input must be a rank-1 array.")
    if p.size < 2:
        return array([], dtype=dtypes.complex_dtype(p.dtype))
    leading = where((p == 0).all(), len(p), argmin(p == 0))
    if not strip_zeros:
        return _roots_with_zeros(p, leading)
    message = (
        "The error occurred in the jnp.roots() function. To use this within a JIT-compiled context, pass "
        "strip_zeros=False, but be aware that leading zeros will result in some returned roots being set to NaN."
    )
    return _roots_no_zeros(p[int(concrete(leading, message)) :])


@jit
def _roots_no_zeros(p: Any) -> Any:
    if p.size < 2:
        return array([], dtype=dtypes.complex_dtype(p.dtype))
    companion = diag(ones((p.size - 2,), p.dtype), -1)
    return eigvals(companion.at[0, :].set(-p[1:] / p[0]))


@jit
def _roots_with_zeros(p: Any, num_leading_zeros: Any) -> Any:
    p = where(len(p) == num_leading_zeros, 1.0, p)
    found = _roots_no_zeros(roll(p, -num_leading_zeros))
    found = sort_key_val(found == 0, found)[1]
    return where(arange(found.size) < found.size - num_leading_zeros, found, complex(np.nan, np.nan))


# ---- values and fits


def folded(step: Callable[[Any, Any], Any], start: Any, xs: Any, unroll: int) -> Any:
    """`step(... step(step(start, xs[0]), xs[1]) ..., xs[-1])`."""
    for k in range(xs.shape[0]):
        start = step(start, xs[k])
    return start


# How Horner's rule goes through the coefficients: here step by step, until layer 3 enters its scan.
folds: list[Callable[..., Any]] = [folded]


@partial(jit, static_argnames=["unroll"])
def polyval(p: Any, x: Any, *, unroll: int = 16) -> Any:
    """The value at `x`, by Horner's rule: one multiplication and one addition for each coefficient."""
    p, x = promote_dtypes(*array_arguments("polyval", p, x))
    y = full_like(x, 0, shape=broadcast_shapes(p.shape[1:], x.shape), dtype=x.dtype)
    return folds[-1](lambda y, coefficient: y * x + coefficient, y, p, unroll)


@partial(jit, static_argnames=("deg", "rcond", "full", "cov"))
def polyfit(
    x: Any, y: Any, deg: int, rcond: float | None = None, full: bool = False, w: Any = None, cov: Any = False
) -> Any:
    """The polynomial of degree `deg` with the least sum of squared distances (times `w`) from the points (x, y).

    With `full` also what `lstsq` tells; with `cov` also the covariance of the coefficients ("unscaled": as it is).
    """
    x, y, *weights = array_arguments("polyfit", x, y, *([] if w is None else [w]))
    deg = int(concrete(deg, "deg must be int"))
    _check_points(x, y, deg)
    rcond = len(x) * float(dtypes.finfo(x.dtype).eps) if rcond is None else rcond
    rcond = float(concrete(rcond, "rcond must be float"))
    lhs, rhs = vander(x, deg + 1), y
    if weights:
        (w,) = promote_dtypes_inexact(*weights)
        lhs, rhs = _weighted(lhs, rhs, w)
    scale = sqrt((lhs * lhs).sum(axis=0))
    lhs = lhs / scale[None, :]
    c, residuals, rank, s = lstsq(lhs, rhs, rcond)
    c = (c.T / scale[None, :]).T if c.ndim > 1 else c / scale
    if full:
        return c, residuals, rank, s, asarray(rcond)
    return (c, _covariance(lhs, scale, residuals, y, cov)) if cov else c


def _check_points(x: Any, y: Any, deg: int) -> None:
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if not x.size:
        raise TypeError("expected non-empty vector for x")
    if not 1 <= y.ndim <= 2:
        raise TypeError("expected 1D or 2D array for y")
    if x.shape[0] != y.shape[0]:
        raise TypeError("expected x and y to have same length")


def _weighted(lhs: Any, rhs: Any, w: Any) -> tuple[Any, Any]:
    if w.ndim != 1:
        raise TypeError("expected a 1-d array for weights")
    if w.shape[0] != rhs.shape[0]:
        raise TypeError("expected w and y to have the same length")
    return lhs * w[:, None], rhs * (w[:, None] if rhs.ndim == 2 else w)


def _covariance(lhs: Any, scale: Any, residuals: Any, y: Any, cov: Any) -> Any:
    base = inv(dot(lhs.T, lhs)) / outer(scale, scale)
    points, order = lhs.shape
    if cov == "unscaled":
        factor = array(1.0)
    elif points <= order:
        raise ValueError("the number of data points must exceed order to scale the covariance matrix")
    else:
        factor = residuals / (points - order)
    factor = atleast_1d(factor)
    return base * factor[None] if y.ndim == 1 else base[:, :, None] * factor[None, None, :]


# ---- arithmetic


@jit
def polyadd(a1: Any, a2: Any) -> Any:
    """The sum."""
    a1, a2 = promote_dtypes(*array_arguments("polyadd", a1, a2))
    short, long = (a2, a1) if a2.shape[0] <= a1.shape[0] else (a1, a2)
    return long.at[-short.shape[0] :].add(short)


@jit
def polysub(a1: Any, a2: Any) -> Any:
    """The difference."""
    a1, a2 = promote_dtypes(*array_arguments("polysub", a1, a2))
    return polyadd(a1, -a2)


def polymul(a1: Any, a2: Any, *, trim_leading_zeros: bool = False) -> Any:
    """The product."""
    a1, a2 = promote_dtypes_inexact(*array_arguments("polymul", a1, a2))
    if trim_leading_zeros and (len(a1) > 1 or len(a2) > 1):
        a1, a2 = trim_zeros(a1, trim="f"), trim_zeros(a2, trim="f")
    a1, a2 = (x if len(x) else zeros(1, dtype=x.dtype) for x in (a1, a2))
    return convolve(a1, a2, mode="full")


def polydiv(u: Any, v: Any, *, trim_leading_zeros: bool = False) -> tuple[Any, Any]:
    """Quotient and remainder: u = quotient v + remainder, by long division."""
    u, v = promote_dtypes_inexact(*array_arguments("polydiv", u, v))
    steps, n = len(u) - len(v) + 1, len(v)
    scale = 1.0 / v[0]
    quotient = zeros(max(steps, 1), dtype=u.dtype)
    for k in range(steps):
        digit = scale * u[k]
        quotient = quotient.at[k].set(digit)
        u = u.at[k : k + n].add(-digit * v)
    if trim_leading_zeros:
        u = _without_small_start(u, np.sqrt(dtypes.finfo(u.dtype).eps))
    return quotient, u


def _without_small_start(p: Any, limit: float) -> Any:
    """`p`, which must be known, without the leading coefficients below `limit`."""
    values = np.asarray(concrete(p, "Error arose in the `filt` argument of trim_zeros_tol()"))
    places = np.flatnonzero(np.abs(values) >= limit)
    return p[places[0] :] if places.size else p[:0]


# ---- calculus


@partial(jit, static_argnames=("m",))
def polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    """The integral, `m` times, with the constants `k` (0 by default; one for all, or one each)."""
    m = concrete_index(m, "'m' argument of jnp.polyint")
    p, k = promote_dtypes_inexact(*array_arguments("polyint", p, 0 if k is None else k))
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    k = atleast_1d(k)
    k = full((m,), k[0]) if len(k) == 1 else k
    if k.shape != (m,):
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or m.")
    if m == 0:
        return p
    powers = arange(len(p) + m, dtype=p.dtype)[None] - arange(m, dtype=p.dtype)[:, None]
    divisors = maximum(1, powers).prod(0)[::-1]
    return true_divide(concatenate((p, k)), divisors)


@partial(jit, static_argnames=("m",))
def polyder(p: Any, m: int = 1) -> Any:
    """The derivative, `m` times."""
    p = array_argument("polyder", p)
    m = concrete_index(m, "'m' argument of jnp.polyder")
    (p,) = promote_dtypes_inexact(p)
    if m < 0:
        raise ValueError("Order of derivative must be positive")
    if m == 0:
        return p
    factors = (arange(m, len(p), dtype=p.dtype)[None] - arange(m, dtype=p.dtype)[:, None]).prod(0)
    return p[:-m] * factors[::-1]
