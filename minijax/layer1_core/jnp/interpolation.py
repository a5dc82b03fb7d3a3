"""Differences, slopes, areas and values between given ones."""

import functools
import operator
from functools import partial
from typing import Any

import numpy as np

from ..jit import jit
from ..lax.elementwise import abs as lax_abs, sub
from ..lax.indexing import slice_in_dim
from ..lax.shaping import canonicalize_axis, expand_dims
from ..lax.sorting import sort_key_val
from .arguments import array_argument, array_arguments, concrete_index, index_tuple
from .array_creation import asarray
from .choosing import clip, where
from .cumulative import cumsum
from .joining import concatenate
from .numbers import absolute
from .promotion import promote_dtypes, promote_dtypes_inexact
from .shaping import broadcast_to, moveaxis, ravel
from .sorting import searchsorted
from .ufuncs import floor_divide, mod, true_divide

# ---- differences


@partial(jit, static_argnames=("n", "axis"))
def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """The n-th differences along `axis`: out[i] = a[i + 1] - a[i]; of truth values, whether they differ.

    `prepend` and `append` are put before and after `a` first.
    """
    a = array_argument("diff", a)
    n = concrete_index(n, "'n' argument of jnp.diff")
    axis = concrete_index(axis, "'axis' argument of jnp.diff")
    if n == 0:
        return a
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    if a.ndim == 0:
        raise ValueError(f"diff requires input that is at least one dimensional; got {a}")
    axis = canonicalize_axis(axis, a.ndim)
    parts = [*_edge(a, prepend, axis), a, *_edge(a, append, axis)]
    a = concatenate(parts, axis) if len(parts) > 1 else a
    difference = operator.ne if a.dtype == np.bool_ else operator.sub
    before = (slice(None),) * axis
    for _ in range(n):
        a = difference(a[(*before, slice(1, None))], a[(*before, slice(None, -1))])
    return a


def _edge(a: Any, edge: Any, axis: int) -> list[Any]:
    """What is put before or after `a`: a scalar stands for one slice of it."""
    if edge is None:
        return []
    edge = array_argument("diff", edge)
    return [edge if edge.ndim else broadcast_to(edge, (*a.shape[:axis], 1, *a.shape[axis + 1 :]))]


@jit
def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """The differences of neighbours in the flattened array, between `to_begin` and `to_end`."""
    a = ravel(array_argument("ediff1d", ary))
    out = sub(a[1:], a[:-1])
    if to_begin is not None:
        out = concatenate((ravel(array_argument("ediff1d", to_begin).astype(a.dtype)), out))
    if to_end is not None:
        out = concatenate((out, ravel(array_argument("ediff1d", to_end).astype(a.dtype))))
    return out


@partial(jit, static_argnames=("axis",))
def unwrap(p: Any, discont: Any = None, axis: int = -1, period: Any = 2 * np.pi) -> Any:
    """`p` with multiples of `period` added, so that neighbours along `axis` differ by at most half of it."""
    p, period = promote_dtypes(array_argument("unwrap", p), period)
    if p.dtype.kind == "c":
        raise ValueError("jnp.unwrap does not support complex inputs.")
    if p.shape[axis] == 0:
        return p
    discont = true_divide(period, 2) if discont is None else discont
    half = floor_divide(period, 2) if p.dtype.kind in "iu" else true_divide(period, 2)
    step = diff(p, axis=axis)
    wrapped = mod(step + half, period) - half
    wrapped = where((wrapped == -half) & (step > 0), half, wrapped)
    correction = where(absolute(step) < discont, 0, wrapped - step)
    first, rest = slice_in_dim(p, 0, 1, axis=axis), slice_in_dim(p, 1, None, axis=axis)
    return concatenate((first, rest + cumsum(correction, axis=axis)), axis=axis)


# ---- slopes and areas


@partial(jit, static_argnames=("axis", "edge_order"))
def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int | None = None) -> Any:
    """The slope of `f` along each of `axis` (all for None): a list, or the one array for one axis.

    `varargs` are the distances of the samples (a number), or their coordinates (a vector): one for all axes, or one
    each. Inside, central differences; at both ends, one-sided ones. Raises ValueError for fewer than two samples.
    """
    if edge_order is not None:
        raise NotImplementedError("The 'edge_order' argument to jnp.gradient is not supported.")
    a, *spacing = promote_dtypes_inexact(f, *varargs)
    axes = tuple(range(a.ndim)) if axis is None else tuple(canonicalize_axis(d, a.ndim) for d in index_tuple(axis))
    if not axes:
        return []
    if min(a.shape[d] for d in axes) < 2:
        raise ValueError(
            "Shape of array too small to calculate a numerical gradient, at least 2 elements are required."
        )
    if len(spacing) not in (0, 1, len(axes)):
        raise TypeError(f"Invalid number of spacing arguments {len(spacing)} for axis={axis!r}")
    steps = spacing if len(spacing) == len(axes) else (spacing or [1.0]) * len(axes)
    slopes = [_slope(a, h, d) for d, h in zip(axes, steps, strict=True)]
    return slopes[0] if len(axes) == 1 else slopes


def _slope(a: Any, h: Any, axis: int) -> Any:
    part = partial(slice_in_dim, a, axis=axis)
    first, last = part(1, 2) - part(0, 1), part(-1, None) - part(-2, -1)
    if np.ndim(h) == 0:
        inner = (part(2, None) - part(None, -2)) * 0.5 / h
        last, first = last / h, first / h
    elif np.ndim(h) == 1:
        if len(h) != a.shape[axis]:
            raise ValueError(
                "Spacing arrays must have the same length as the dimension along which the gradient is calculated."
            )
        x = partial(slice_in_dim, h.reshape([len(h) if d == axis else 1 for d in range(a.ndim)]), axis=axis)
        first, last = first / (x(1, 2) - x(0, 1)), last / (x(-1, None) - x(-2, -1))
        inner = _uneven_slope(part, x)
    else:
        raise ValueError("Spacing arrays must be 1D arrays or scalars.")
    return concatenate((first, inner, last), axis=axis)


def _uneven_slope(part: Any, x: Any) -> Any:
    """The slope at the middle of three points at coordinates x, of the parabola through them."""
    left, right = x(1, -1) - x(0, -2), x(2, None) - x(1, -1)
    a = -right / (left * (left + right))
    b = (right - left) / (left * right)
    c = left / (right * (left + right))
    return a * part(0, -2) + b * part(1, -1) + c * part(2, None)


@partial(jit, static_argnames=("axis",))
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    """The area under `y` along `axis`, by trapezoids, at coordinates `x` or at distances `dx`."""
    if x is None:
        (y,) = promote_dtypes_inexact(array_argument("trapezoid", y))
        dx = asarray(dx)
        if dx.ndim:
            dx = moveaxis(expand_dims(dx, range(y.ndim - dx.ndim)), axis, -1)
    else:
        y, x = promote_dtypes_inexact(*array_arguments("trapezoid", y, x))
        dx = diff(x) if x.ndim == 1 else moveaxis(diff(x, axis=axis), axis, -1)
    y = moveaxis(y, axis, -1)
    if dx.ndim == 0 or dx.shape[-1] == 1:
        dx = dx[..., 0] if dx.ndim else dx
        return dx * (y.sum(-1) - 0.5 * (y[..., 0] + y[..., -1]))
    return 0.5 * (dx * (y[..., 1:] + y[..., :-1])).sum(-1)


# ---- values between given ones


def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    """At each `x`, the value of the line through the points (xp, fp), of which xp is ascending.

    Outside of them `left` and `right` are the value (by default the first and last of `fp`), or "extrapolate".
    With a `period` x and xp are angles of that period.
    """
    options = {"left": left, "right": right, "period": period}
    static = tuple(name for name, value in options.items() if value is None or isinstance(value, str))
    return _jit_interp(static)(x, xp, fp, left, right, period)


def _interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    x, xp, fp = array_arguments("interp", x, xp, fp)
    if xp.shape != fp.shape or xp.ndim != 1:
        raise ValueError("xp and fp must be one-dimensional arrays of equal size")
    (x, xp), (fp,) = promote_dtypes_inexact(x, xp), promote_dtypes_inexact(fp)
    for side, value in (("left", left), ("right", right)):
        if isinstance(value, str) and value != "extrapolate":
            raise ValueError(f"the only valid string value of `{side}` is 'extrapolate', but got: {value!r}")
    if x.dtype.kind == "c":
        raise ValueError("jnp.interp: complex x values not supported.")
    if period is not None:
        x, xp, fp = _wrapped(x, xp, fp, period)
    out = _on_segments(x, xp, fp)
    if period is None and not isinstance(left, str):
        out = where(x < xp[0], fp[0] if left is None else left, out)
    if period is None and not isinstance(right, str):
        out = where(x > xp[-1], fp[-1] if right is None else right, out)
    return out


@functools.cache
def _jit_interp(static: tuple[str, ...]) -> Any:
    """`_interp` staged with these parameters as values of the trace."""
    return jit(_interp, static_argnames=static)


def _on_segments(x: Any, xp: Any, fp: Any) -> Any:
    """fp[i - 1] + (x - xp[i - 1]) / dx * df, on the segment that ends at i; where it has no length, its start."""
    i = clip(searchsorted(xp, x, side="right"), 1, len(xp) - 1)
    df = fp[i] - fp[i - 1]
    dx = xp[i] - xp[i - 1]
    delta = x - xp[i - 1]
    empty = lax_abs(dx) <= np.spacing(np.finfo(xp.dtype).eps)
    return where(empty, fp[i - 1], fp[i - 1] + delta / where(empty, 1, dx) * df)


def _wrapped(x: Any, xp: Any, fp: Any, period: Any) -> tuple[Any, Any, Any]:
    """Angles within one period, sorted, with the last point repeated before the first and the first behind the last."""
    if np.ndim(period) != 0:
        raise ValueError(f"period must be a scalar; got {period}")
    period = absolute(period)
    x, xp = x % period, xp % period
    xp, fp = sort_key_val(xp, fp)
    xp = concatenate([xp[-1:] - period, xp, xp[:1] + period])
    return x, xp, concatenate([fp[-1:], fp, fp[:1]])
