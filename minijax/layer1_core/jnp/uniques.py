"""The distinct elements of an array, and what `unique` can tell of them.
How many elements come out depends on the values, so traced code must say it (`size`); what is missing is then filled.
"""

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from .. import dtypes
from ..jit import jit
from ..lax import elementwise as lax, shaping
from ..lax.shaping import canonicalize_axis
from .arguments import array_argument, concrete, concrete_index, to_array
from .array_creation import arange, astype, empty, full, full_like, ones, zeros
from .choosing import nonzero, where
from .cumulative import cumsum
from .interpolation import diff
from .joining import append
from .numbers import isnan
from .reductions import any
from .shaping import moveaxis, ravel, reshape
from .sorting import lexsort

# ---- distinct elements

_SIZE_HINT = (
    "To make jnp.unique() compatible with JIT and other transforms, you can specify a concrete value for the size "
    "argument, which will determine the output size."
)


def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    size: int | None = None,
    fill_value: Any = None,
    sorted: bool = True,
) -> Any:
    """The distinct elements (slices along `axis`) in ascending order; and where asked for, in this order:

    where each is first found, which one each element is, and how often each is there. With `size` there are so many
    of each: what is missing is `fill_value`, or the smallest element.
    """
    a = array_argument("unique", ar)
    if size is None:
        a = to_array(concrete(a, f"The error arose for the first argument of jnp.unique(). {_SIZE_HINT}"))
    else:
        size = concrete_index(size, f"The error arose for the size argument of jnp.unique(). {_SIZE_HINT}")
    shape, a = a.shape, ravel(a) if axis is None else a
    found = Unique(a, 0 if axis is None else canonicalize_axis(axis, a.ndim), equal_nan, size, fill_value)
    out = [found.values()]
    out += [found.first_places()] if return_index else []
    out += [found.inverse() if axis is not None else reshape(found.inverse(), shape)] if return_inverse else []
    out += [found.counts()] if return_counts else []
    return tuple(out) if len(out) > 1 else out[0]


class Unique:
    """The slices of `a` along `axis` in order, with a mask of those that differ from the one before."""

    def __init__(self, a: Any, axis: int, equal_nan: bool, size: int | None, fill_value: Any):
        if a.shape[axis] == 0 and size and fill_value is None:
            raise ValueError(
                "jnp.unique: for zero-sized input with nonzero size argument, fill_value must be specified"
            )
        self.axis, self.length, self.size, self.fill_value = axis, a.shape[axis], size, fill_value
        self.ordered, self.mask, self.order = _unique_sorted_mask(a, axis, equal_nan)
        if size is None:
            self.index = concrete(self.mask, f"The error arose in jnp.unique(). {_SIZE_HINT}")
        else:
            (self.index,) = nonzero(self.mask, size=size)

    def values(self) -> Any:
        out = self.ordered[self.index] if self.ordered.size else self.ordered
        if self.size is not None and self.fill_value is not None:
            fill = astype(to_array(self.fill_value), out.dtype)
            if out.shape[0]:
                valid = arange(self.size) < self.mask.sum()
                out = where(shaping.expand_dims(valid, range(1, out.ndim)), out, fill)
            else:
                out = full_like(out, fill, shape=(self.size, *out.shape[1:]))
        return moveaxis(out, 0, self.axis)

    def first_places(self) -> Any:
        return self.order[self.index] if self.ordered.size else self.order

    def inverse(self) -> Any:
        if not self.ordered.size:
            return zeros(self.length, dtype=int)
        rank = cumsum(self.mask) - 1
        return zeros(self.mask.shape, dtype=int).at[self.order].set(rank)

    def counts(self) -> Any:
        """The distances between the places where new elements begin."""
        if not self.ordered.size:
            return full((1,), self.length, dtype=int) if self.length else empty(0, dtype=int)
        if self.size is None:
            starts = append(nonzero(self.mask)[0], self.mask.size)
        else:
            (starts,) = nonzero(self.mask, size=self.size + 1)
            starts = starts.at[1:].set(where(starts[1:], starts[1:], self.mask.size))
        return diff(starts)

    def true_size(self) -> Any:
        return self.mask.sum()


@partial(jit, static_argnames=("axis", "equal_nan"))
def _unique_sorted_mask(ar: Any, axis: int, equal_nan: bool) -> tuple[Any, Any, Any]:
    """The slices along `axis` in order, [N, ...]; a mask [N] of those not equal to the one before; their old places."""
    aux = moveaxis(ar, axis, 0)
    if dtypes.issubdtype(aux.dtype, np.complexfloating):
        aux = where(isnan(aux), np.asarray(np.nan, aux.dtype), aux)
    size, width = aux.shape[0], math.prod(aux.shape[1:])
    if width == 0:
        size, order = 1, zeros(1, dtype=int)
    else:
        order = lexsort(reshape(aux, (size, width)).T[::-1])
    aux = aux[order]
    if not aux.size:
        return aux, zeros(size, dtype=bool), order
    mask = ones(size, dtype=bool)
    differs = any(_not_equal(aux[1:], aux[:-1], equal_nan), tuple(range(1, aux.ndim)))
    return aux, mask.at[1:].set(differs), order


def _not_equal(x: Any, y: Any, equal_nan: bool) -> Any:
    if not (equal_nan and dtypes.issubdtype(x.dtype, np.inexact)):
        return lax.ne(x, y)
    return lax.ne(x, y) & ~(isnan(x) & isnan(y))


class _UniqueAllResult(NamedTuple):
    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


class _UniqueCountsResult(NamedTuple):
    values: Any
    counts: Any


class _UniqueInverseResult(NamedTuple):
    values: Any
    inverse_indices: Any


def unique_all(x: Any, /, *, size: int | None = None, fill_value: Any = None) -> _UniqueAllResult:
    """Distinct elements with all that `unique` can tell. NaNs are all distinct."""
    x = array_argument("unique_all", x)
    return _UniqueAllResult(*unique(x, True, True, True, equal_nan=False, size=size, fill_value=fill_value))


def unique_counts(x: Any, /, *, size: int | None = None, fill_value: Any = None) -> _UniqueCountsResult:
    """Distinct elements, and how often each is there. NaNs are all distinct."""
    x = array_argument("unique_counts", x)
    return _UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False, size=size, fill_value=fill_value))


def unique_inverse(x: Any, /, *, size: int | None = None, fill_value: Any = None) -> _UniqueInverseResult:
    """Distinct elements, and which one each element is. NaNs are all distinct."""
    x = array_argument("unique_inverse", x)
    return _UniqueInverseResult(*unique(x, return_inverse=True, equal_nan=False, size=size, fill_value=fill_value))


def unique_values(x: Any, /, *, size: int | None = None, fill_value: Any = None) -> Any:
    """Distinct elements. NaNs are all distinct."""
    x = array_argument("unique_values", x)
    return unique(x, equal_nan=False, size=size, fill_value=fill_value)
