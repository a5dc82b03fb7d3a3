"""Editing: arrays with elements taken out, put in between, or overwritten along the diagonal."""

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import dtypes
from ..aval import typeof
from ..lax.converting import convert
from ..lax.shaping import canonicalize_axis, iota
from ..trace import Tracer
from .arguments import array_argument, array_arguments, axis_tuple, concrete, to_array
from .array_creation import arange, array, asarray, full, ones, zeros_like
from .choosing import clip, where
from .joining import concatenate
from .promotion import check_arraylike
from .shaping import broadcast_shapes, moveaxis, ravel
from .sorting import argsort, sort
from .taking import tile_to_size


def fill_diagonal(a: Any, val: Any, wrap: bool = False, *, inplace: bool = True) -> Any:
    """`a` with `val` (from the start again where it does not suffice) on its main diagonal."""
    if inplace:
        raise NotImplementedError("JAX arrays are immutable, must use inplace=False")
    if wrap:
        raise NotImplementedError("wrap=True is not implemented, must use wrap=False")
    a, val = array_arguments("fill_diagonal", a, val)
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if a.ndim > 2 and len(set(a.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    n = min(a.shape)
    return a.at[(iota(np.int32, n),) * a.ndim].set(val if val.ndim == 0 else tile_to_size(ravel(val), n))


# ---- taking out


def delete(arr: Any, obj: Any, axis: int | None = None, *, assume_unique_indices: bool = False) -> Any:
    """`arr` without the slices along `axis` (elements of the flattened array for None) that `obj` names.

    `obj` is a number, a slice, or numbers or a mask that are known; they may be traced integers where they are said
    to be unique.
    """
    a = array_argument("delete", arr)
    a, axis = (ravel(a), 0) if axis is None else (a, canonicalize_axis(axis, a.ndim))
    before = (slice(None),) * axis
    number = _number(obj)
    if number is not None:
        number = canonicalize_axis(number, a.shape[axis])
        return concatenate([a[(*before, slice(0, number))], a[(*before, slice(number + 1, None))]], axis=axis)
    if isinstance(obj, slice):
        obj, assume_unique_indices = arange(a.shape[axis])[obj], True
    check_arraylike("delete", a, obj)
    if assume_unique_indices and dtypes.issubdtype(typeof(obj).dtype, np.integer):
        return a[(*before, _rest(ravel(obj), a.shape[axis]))]
    return a[(*before, _rest_mask(obj, a.shape[axis]))]


def _number(obj: Any) -> int | None:
    """`obj` as one integer, or None where it is something else."""
    try:
        return operator.index(obj)
    except TypeError:
        return None


def _rest(taken: Any, n: int) -> Any:
    """The numbers below n that are not in `taken`: each is its rank plus how many of `taken` come before it."""
    taken = clip(where(taken < 0, taken + n, taken), 0, n)
    offsets = sort(taken) - arange(taken.size, dtype=taken.dtype)
    rank = arange(n - taken.size, dtype=taken.dtype)
    return rank + (rank[None, :] >= offsets[:, None]).sum(0, dtype=rank.dtype)


def _rest_mask(obj: Any, n: int) -> np.ndarray:
    obj = np.asarray(concrete(obj, "'obj' array argument of jnp.delete()"))
    if obj.dtype.kind in "iu":
        mask = np.ones(n, bool)
        mask[obj] = False
        return mask
    if obj.dtype != bool:
        raise ValueError(f"np.delete(arr, obj): got obj.dtype={obj.dtype}; must be integer or bool.")
    if obj.shape != (n,):
        raise ValueError(
            "np.delete(arr, obj): for boolean indices, obj must be one-dimensional with length matching specified axis."
        )
    return ~obj


def trim_zeros(filt: Any, trim: str = "fb", axis: Any = None) -> Any:
    """`filt` without the zeros at the front ("f") and the back ("b") of these axes (all for None). It must be known."""
    filt = array_argument("trim_zeros", filt)
    values = np.asarray(concrete(filt, "Error arose in the `filt` argument of trim_zeros()"))
    axes = axis_tuple(axis, filt.ndim)
    return filt[tuple(_nonzero_part(values, d, trim.lower()) if d in axes else slice(None) for d in range(filt.ndim))]


def _nonzero_part(values: np.ndarray, axis: int, trim: str) -> slice:
    others = tuple(d for d in range(values.ndim) if d != axis)
    if "f" not in trim and "b" not in trim:
        return slice(None)
    places = np.flatnonzero(values.astype(bool).any(axis=others))
    if not places.size:
        return slice(0, 0)
    return slice(int(places[0]) if "f" in trim else None, int(places[-1]) + 1 if "b" in trim else None)


# ---- putting in between


def insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> Any:
    """`arr` with `values` put before the slices along `axis` (elements, for None) that `obj` names."""
    a, _, values = array_arguments("insert", arr, 0 if isinstance(obj, slice) else obj, values)
    a, axis = (ravel(a), 0) if axis is None else (a, axis)
    axis = canonicalize_axis(concrete(axis, "axis argument of jnp.insert()"), a.ndim)
    places = _places_to_insert(obj, a.shape[axis])
    values = array(values, ndmin=a.ndim, dtype=a.dtype, copy=False)
    if places.size == 1:
        place = ravel(places)[0]
        values = moveaxis(values, 0, axis) if places.ndim == 0 else values
        places = full(values.shape[axis], place)
    count = broadcast_shapes(places.shape, (values.shape[axis],))[0]
    return _merge(a, values, places, count, axis)


def _places_to_insert(obj: Any, n: int) -> Any:
    places = arange(*obj.indices(n)) if isinstance(obj, slice) else to_array(asarray(obj))
    if places.ndim > 1:
        raise ValueError(f"jnp.insert(): obj must be a slice, a one-dimensional array, or a scalar; got {obj}")
    if not dtypes.issubdtype(places.dtype, np.integer):
        if places.size or isinstance(obj, Tracer):
            raise ValueError(f"jnp.insert(): index array must be integer typed; got {obj}")
        places = convert(places, np.dtype(np.int32))
    return places


def _merge(a: Any, values: Any, places: Any, count: int, axis: int) -> Any:
    """An array in which `values` stand at `places`, each moved on by those before it, and `a` at the other places."""
    n, before = a.shape[axis], (slice(None),) * axis
    sizes: Sequence[int] = (*a.shape[:axis], n + count, *a.shape[axis + 1 :])
    out = zeros_like(a, shape=sizes)
    places = clip(where(places < 0, places + n, places), 0, n)
    new = places.at[argsort(places)].add(arange(count, dtype=places.dtype))
    (old,) = where(ones(n + count, dtype=bool).at[new].set(False), size=n)
    return out.at[(*before, new)].set(values).at[(*before, old)].set(a)
