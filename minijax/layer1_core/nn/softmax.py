"""Softmax and its family: exponentials that are divided by, or summed to, one number along some axes."""

import functools
import warnings
from typing import Any, SupportsIndex

import numpy as np

from .. import dtypes
from ..config import debug_nans
from ..jit import jit
from ..jnp import reductions
from ..jnp.arguments import array_argument, axis_tuple, concrete_index
from ..jnp.array_creation import array, asarray
from ..jnp.choosing import clip, where as jnp_where
from ..jnp.mathematics import exp, log
from ..jnp.numbers import isfinite, real as real_part
from ..jnp.promotion import check_arraylike, promote_args_inexact
from ..jnp.ufuncs import square, subtract
from ..lax import elementwise as lax
from ..lax.shaping import broadcasted_iota, canonicalize_axis, expand_dims, full_like, stop_gradient
from ..placement import placed

Axis = int | tuple[int, ...] | None

# ---- logarithms of sums


def logsumexp(
    a: Any, axis: Axis = None, b: Any = None, keepdims: bool = False, return_sign: bool = False, where: Any = None
) -> Any:
    """log(sum(b exp(a))) along `axis`, without overflow: the largest `a` is taken out first.

    With `return_sign` the pair (log|sum|, sign of the sum); else a negative sum gives NaN.
    """
    a = a if where is None else jnp_where(where, a, 0)
    if b is None:
        (a,) = promote_args_inexact("logsumexp", a)
    else:
        a, b = promote_args_inexact("logsumexp", a, b)
        a = jnp_where(b != 0, a, -np.inf)
    a = asarray(a)
    largest = _largest(a, axis, keepdims, where)
    shift = largest if keepdims else expand_dims(largest, axis_tuple(axis, a.ndim))
    terms = lax.exp(lax.sub(a, shift.astype(a.dtype)))
    total = (terms if b is None else lax.mul(terms, b)).sum(axis=axis, keepdims=keepdims, where=where)
    sign = lax.sign(total)
    size = abs(total) if return_sign or a.dtype.kind != "c" else total
    out = lax.add(lax.log(size), largest.astype(size.dtype))
    if return_sign:
        return out, sign
    if b is not None and out.dtype.kind != "c":
        with debug_nans(False):
            return jnp_where(sign < 0, array(np.nan, dtype=out.dtype), out)
    return out


def _largest(a: Any, axis: Axis, keepdims: bool, where: Any) -> Any:
    """The largest (real part) along `axis`, 0 where it is not finite. It is a mere shift: not differentiated."""
    real = real_part(a)
    largest = reductions.max(real, axis=axis, keepdims=keepdims, where=where, initial=-np.inf)
    return stop_gradient(lax.select(isfinite(largest), largest, full_like(largest, 0)))


@functools.partial(jit, static_argnames=("axis", "keepdims"))
def logmeanexp(x: Any, axis: Axis = None, where: Any = None, keepdims: bool = False) -> Any:
    """log(mean(exp(x))) along `axis`, without overflow."""
    out = logsumexp(x, axis=axis, where=where, keepdims=keepdims)
    return out - log(reductions.count(x, axis, keepdims, where, out.dtype))


# ---- softmax


def softmax(x: Any, axis: Axis = -1, where: Any = None) -> Any:
    """exp(x) divided by its sum along `axis`: positive numbers whose sum is 1. 0 where `where` is false."""
    largest = reductions.max(x, axis, where=where, initial=-np.inf, keepdims=True)
    safe = x if where is None else jnp_where(where, x, -np.inf)
    terms = exp(subtract(safe, stop_gradient(largest)))
    out = terms / reductions.sum(terms, axis, where=where, keepdims=True)
    return out if where is None else jnp_where(where, out, 0)


@functools.partial(jit, static_argnames=("axis",))
def log_softmax(x: Any, axis: Axis = -1, where: Any = None) -> Any:
    """The logarithm of `softmax`, without overflow. -inf where `where` is false."""
    x = array_argument("log_softmax", x)
    largest = reductions.max(x, axis, where=where, initial=-np.inf, keepdims=True)
    safe = x if where is None else jnp_where(where, x, -np.inf)
    shifted = safe - stop_gradient(largest)
    out = shifted - log(reductions.sum(exp(shifted), axis, where=where, keepdims=True))
    return out if where is None else jnp_where(where, out, -np.inf)


@functools.partial(jit, static_argnames=("axis", "algorithm"))
def standardize(
    x: Any,
    axis: Axis = -1,
    mean: Any = None,
    variance: Any = None,
    epsilon: Any = 1e-5,
    where: Any = None,
    *,
    algorithm: str = "fast",
) -> Any:
    """(x - mean) / sqrt(variance + epsilon) along `axis`; both are computed where they are not given.

    `algorithm` "fast" takes the variance as the mean square less the squared mean, "stable" as the mean of squared
    differences, which loses fewer digits.
    """
    check_arraylike("standardize", *(v for v in (x, mean, variance, where) if v is not None))
    average = functools.partial(reductions.mean, axis=axis, keepdims=True, where=where)
    mean = average(x) if mean is None else mean
    if variance is None:
        if algorithm not in ("fast", "stable"):
            raise ValueError(f"Unknown algorithm '{algorithm}'. Expected 'fast' or 'stable'.")
        if algorithm == "stable":
            variance = average(square(subtract(x, mean)))
        else:
            variance = clip(average(square(x)) - square(mean), 0)
    return subtract(x, mean) * lax.rsqrt(variance + epsilon)


# ---- classes as vectors


def one_hot(x: Any, num_classes: int, *, dtype: Any = None, axis: int = -1, out_sharding: Any = None) -> Any:
    """For each class number in `x` a vector along the new axis `axis`: 1 at that class, else 0 (also for no class)."""
    count = concrete_index(num_classes, "The error arose in jax.nn.one_hot argument `num_classes`.")
    dtype = dtypes.canonicalize_dtype(dtypes.float_) if dtype is None else dtype
    x = asarray(x)
    if not dtypes.issubdtype(x.dtype, np.integer):
        text = f"jax.nn.one_hot input should be integer-typed; got dtype={x.dtype}"
        warnings.warn(text, DeprecationWarning, stacklevel=2)
    made = functools.partial(_one_hot, num_classes=count, dtype=dtype, axis=axis)
    return placed(made, (x,), out_sharding)


@functools.partial(jit, static_argnames=("num_classes", "dtype", "axis"))
def _one_hot(x: Any, num_classes: int, *, dtype: Any, axis: int) -> Any:
    if not isinstance(axis, SupportsIndex):
        raise NameError(f"unbound axis name: {axis}")
    place = canonicalize_axis(axis, x.ndim + 1)
    numbers = expand_dims(x, (axis,))
    shape = [num_classes if d == place else 1 for d in range(x.ndim + 1)]
    classes = broadcasted_iota(x.dtype, shape, place)
    return (numbers == classes).astype(dtype)
