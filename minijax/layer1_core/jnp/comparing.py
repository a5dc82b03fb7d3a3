"""Comparing arrays: nearly equal elements, equal arrays."""

import functools
from typing import Any

import numpy as np

from .. import dtypes
from ..aval import typeof
from ..jit import jit
from ..lax import elementwise as lax
from ..lax.converting import convert
from . import reductions
from .arguments import to_array
from .arithmetic import equal, logical_and, logical_or
from .array_creation import asarray
from .numbers import isfinite, isnan
from .promotion import check_arraylike, promote_args, promote_args_inexact


@functools.partial(jit, static_argnames=("equal_nan",))
def isclose(a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> Any:
    """Where |a - b| <= atol + rtol |b|. Infinities are close to themselves, NaN only with `equal_nan`."""
    a, b = promote_args("isclose", a, b)
    if dtypes.is_extended(typeof(a).dtype):  # keys are equal, or they are not
        return lax.eq(a, b)
    a, b = promote_args_inexact("isclose", a, b)
    real = dtypes.real_dtype(typeof(a).dtype)
    rtol, atol = convert(rtol, real), convert(atol, real)
    both_nan = logical_and(isnan(a), isnan(b))
    finite = isfinite(b)
    near = lax.le(lax.abs(lax.sub(a, b)), lax.add(atol, lax.mul(rtol, lax.abs(b))))
    close = logical_or(lax.eq(a, b), logical_and(finite, near))
    return logical_or(close, both_nan) if equal_nan else close


@functools.partial(jit, static_argnames=("equal_nan",))
def allclose(a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> Any:
    """Whether all elements are close (see isclose)."""
    check_arraylike("allclose", a, b)
    return reductions.all(isclose(a, b, rtol, atol, equal_nan))


def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    """Whether two arrays have the same shape and elements. Lists are taken as arrays."""
    a1, a2 = asarray(a1), asarray(a2)
    if a1.shape != a2.shape:
        return asarray(np.array(False))
    same = to_array(equal(a1, a2))
    if equal_nan:
        same = logical_or(same, logical_and(isnan(a1), isnan(a2)))
    return reductions.all(same)


def array_equiv(a1: Any, a2: Any) -> Any:
    """Whether two arrays are equal once broadcast to one shape; False where they do not broadcast."""
    a1, a2 = asarray(a1), asarray(a2)
    try:
        same = equal(a1, a2)
    except ValueError:  # ranks differ and the shapes do not fit
        return asarray(np.array(False))
    return reductions.all(same)
