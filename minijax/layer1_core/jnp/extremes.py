"""Where the extremes are: argmax, argmin and their kin that leave NaN out."""

import functools
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import dtypes
from ..aval import typeof
from ..jit import jit
from ..lax import elementwise as lax, sorting
from ..lax.shaping import canonicalize_axis, expand_dims, reshape
from . import reductions
from .arguments import array_argument
from .selecting import _where


def _position(name: str, find: Callable[..., Any], a: Any, axis: int | None, out: None, keepdims: bool | None) -> Any:
    """The index that `find` gives along `axis`; into the flattened array where that is None."""
    a = array_argument(name, a)
    if out is not None:
        raise NotImplementedError(f"The 'out' argument to jnp.{name} is not supported.")
    shape = typeof(a).shape
    axis = None if axis is None else operator.index(axis)
    dims = tuple(range(len(shape))) if axis is None else (axis,)
    if axis is None:
        a, axis = reshape(a, (typeof(a).size,)), 0
    if typeof(a).shape[axis] == 0:
        raise ValueError(f"attempt to get {name} of an empty sequence")
    result = find(a, canonicalize_axis(axis, typeof(a).ndim), int)
    return expand_dims(result, dims) if keepdims else result


def argmax(a: Any, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Any:
    """The index of the first largest element along `axis`, or of the first NaN. Raises ValueError of nothing."""
    return _position("argmax", sorting.argmax, a, axis, out, keepdims)


def argmin(a: Any, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Any:
    """The index of the first smallest element along `axis`, or of the first NaN. Raises ValueError of nothing."""
    return _position("argmin", sorting.argmin, a, axis, out, keepdims)


def nanargmax(a: Any, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Any:
    """The index of the first largest element along `axis` that is not NaN; -1 where all are."""
    return _nan_position("nanargmax", _nanargmax, a, axis, out, keepdims)


def nanargmin(a: Any, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Any:
    """The index of the first smallest element along `axis` that is not NaN; -1 where all are."""
    return _nan_position("nanargmin", _nanargmin, a, axis, out, keepdims)


def _nan_position(name: str, find: Any, a: Any, axis: int | None, out: None, keepdims: bool | None) -> Any:
    if out is not None:
        raise NotImplementedError(f"The 'out' argument to jnp.{name} is not supported.")
    a = array_argument(name, a)
    return find(a, None if axis is None else operator.index(axis), keepdims=bool(keepdims))


@functools.partial(jit, static_argnames=("axis", "keepdims"))
def _nanargmax(a: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    return _not_at_nan(argmax, -math.inf, a, axis, keepdims)


@functools.partial(jit, static_argnames=("axis", "keepdims"))
def _nanargmin(a: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    return _not_at_nan(argmin, math.inf, a, axis, keepdims)


def _not_at_nan(find: Callable[..., Any], worst: float, a: Any, axis: int | None, keepdims: bool) -> Any:
    if not dtypes.issubdtype(a.dtype, np.inexact):
        return find(a, axis=axis, keepdims=keepdims)
    nan = lax.ne(a, a)
    found = find(_where(nan, worst, a), axis=axis, keepdims=keepdims)
    return _where(reductions.all(nan, axis=axis, keepdims=keepdims), -1, found)
