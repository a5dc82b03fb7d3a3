"""Sorting: in order, the places that would put in order, and places in an order that is there."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from .. import dtypes
from ..jit import jit
from ..lax import indexing as slicing, joining, shaping, sorting
from ..lax.converting import convert
from ..lax.shaping import broadcasted_iota, canonicalize_axis
from .arguments import array_argument, array_arguments
from .index_parsing import index_dtype
from .numbers import imag, real
from .promotion import promote_dtypes
from .selecting import _where
from .shaping import expand_dims, ravel, reshape, swapaxes


def _check_options(name: str, kind: None, order: None) -> None:
    if kind is not None:
        raise TypeError(
            f"'kind' argument to {name} is not supported. Use stable=True or stable=False to specify sort stability."
        )
    if order is not None:
        raise TypeError(f"'order' argument to {name} is not supported.")


def _axis_to_sort(a: Any, axis: int | None) -> tuple[Any, int]:
    """The array and the axis to sort along: the flattened array for None."""
    a, axis = (ravel(a), 0) if axis is None else (a, axis)
    return a, canonicalize_axis(axis, a.ndim)


def _place_dtype(n: int) -> np.dtype:
    """The dtype of places along an axis of size n: the default integer, or a longer one where n needs it."""
    dtype = index_dtype((n,))
    return dtypes.canonicalize_dtype(dtypes.int_) if dtype == np.int32 else dtype


@partial(jit, static_argnames=("axis", "kind", "order", "stable", "descending"))
def sort(
    a: Any,
    axis: int | None = -1,
    *,
    kind: None = None,
    order: None = None,
    stable: bool = True,
    descending: bool = False,
) -> Any:
    """`a` in ascending order along `axis` (flattened for None). NaN comes last; equal elements keep their order."""
    a = array_argument("sort", a)
    _check_options("sort", kind, order)
    a, axis = _axis_to_sort(a, axis)
    out = sorting.sort(a, dimension=axis, is_stable=stable)
    return slicing.rev(out, (axis,)) if descending else out


@partial(jit, static_argnames=("axis", "kind", "order", "stable", "descending", "dtype"))
def argsort(
    a: Any, axis: int | None = -1, *, kind: None = None, order: None = None, stable: bool = True,
    descending: bool = False, dtype: Any = None,
) -> Any:  # fmt: skip
    """The places along `axis` of the elements of `a` in ascending order: take_along_axis with them sorts."""
    a = array_argument("argsort", a)
    _check_options("argsort", kind, order)
    a, axis = _axis_to_sort(a, axis)
    dtype = _place_dtype(a.shape[axis]) if dtype is None else dtypes.check_user_dtype_supported(dtype, "argsort")
    places = broadcasted_iota(dtype, a.shape, axis)
    if descending and stable:  # sorted backwards, so that equal elements stand in order once the whole is turned round
        a, places = slicing.rev(a, (axis,)), slicing.rev(places, (axis,))
    _, order_of = sorting.sort_key_val(a, places, dimension=axis, is_stable=stable)
    return slicing.rev(order_of, (axis,)) if descending else order_of


@partial(jit, static_argnames=("axis",))
def lexsort(keys: Any, axis: int = -1) -> Any:
    """The places that put `keys` in order together: the last is compared first, equal ones by the one before it."""
    keys = array_arguments("lexsort", *keys)
    if not keys:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if len({key.shape for key in keys}) > 1:
        raise ValueError("all keys need to be the same shape")
    if keys[0].ndim == 0:
        return shaping.full((), 0, dtypes.canonicalize_dtype(dtypes.int_))
    axis = canonicalize_axis(axis, keys[0].ndim)
    places = broadcasted_iota(_place_dtype(keys[0].shape[axis]), keys[0].shape, axis)
    return sorting.sort((*keys[::-1], places), dimension=axis, num_keys=len(keys))[-1]


@jit
def sort_complex(a: Any) -> Any:
    """`a` sorted along its last axis, as complex numbers."""
    out = sorting.sort(array_argument("sort_complex", a))
    return convert(out, dtypes.complex_dtype(out.dtype), False)


# ---- parting at one place


def _ranked_down(a: Any) -> Any:
    """An array whose largest elements are the smallest of `a`."""
    return -(a + 1) if dtypes.issubdtype(a.dtype, np.unsignedinteger) else -a


def _prepare_partition(name: str, a: Any, kth: int, axis: int) -> tuple[Any, int, int]:
    a = array_argument("partition", a)
    if dtypes.issubdtype(a.dtype, np.complexfloating):
        raise NotImplementedError(f"jnp.{name} for complex dtype is not implemented.")
    axis = canonicalize_axis(axis, a.ndim)
    return swapaxes(a, axis, -1), canonicalize_axis(kth, a.shape[axis]), axis


@partial(jit, static_argnames=("kth", "axis"))
def partition(a: Any, kth: int, axis: int = -1) -> Any:
    """`a` rearranged along `axis`: element `kth` is in its sorted place, no larger ones come before it."""
    a, kth, axis = _prepare_partition("partition", a, kth, axis)
    bottom = _ranked_down(sorting.top_k(_ranked_down(a), kth + 1)[0])
    top = sorting.top_k(a, a.shape[-1] - kth - 1)[0]
    return swapaxes(joining.concatenate([bottom, top], a.ndim - 1), -1, axis)


@partial(jit, static_argnames=("kth", "axis"))
def argpartition(a: Any, kth: int, axis: int = -1) -> Any:
    """The places along `axis` that rearrange `a` as `partition` does."""
    a, kth, axis = _prepare_partition("argpartition", a, kth, axis)
    bottom = sorting.top_k(_ranked_down(a), kth + 1)[1]
    others = [broadcasted_iota(bottom.dtype, bottom.shape, d) for d in range(a.ndim - 1)]
    left = shaping.full(a.shape, 1.0).at[(*others, bottom)].set(0)
    top = sorting.top_k(left, a.shape[-1] - kth - 1)[1]
    return swapaxes(joining.concatenate([bottom, top], a.ndim - 1), -1, axis)


# ---- searching


@partial(jit, static_argnames=("side", "method"))
def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None, *, method: str = "scan") -> Any:
    """Where in `a`, [N] in ascending order, to insert each element of `v`: before equal ones, or after for "right".

    `sorter` are places that put `a` in order. `method`: "scan" and "scan_unrolled" halve the interval in turn,
    "sort" sorts both together, "compare_all" compares all pairs.
    """
    a, v, *sorters = array_arguments("searchsorted", a, v, *(() if sorter is None else (sorter,)))
    if a.ndim != 1:
        raise ValueError("a should be 1-dimensional")
    a, v = promote_dtypes(a, v)
    a = a[sorters[0]] if sorters else a
    if side not in ("left", "right"):
        raise ValueError(f"invalid argument {side=}, expected 'left' or 'right'")
    if method not in _SEARCHES:
        raise ValueError(f"invalid argument {method=}, expected one of {sorted(_SEARCHES)}")
    return _SEARCHES[method](a, v, side, index_dtype(a.shape))


def _keys(x: Any) -> Sequence[Any]:
    """What is compared, first things first: NaN is above all numbers, complex numbers go by their real parts."""
    if not dtypes.issubdtype(x.dtype, np.inexact):
        return [x]
    parts = [real(x), imag(x)] if dtypes.issubdtype(x.dtype, np.complexfloating) else [x]
    return [key for part in parts for key in (part != part, _where(part != part, 0, part))]


def _before(x: Any, y: Any, side: str) -> Any:
    """Whether `x` stands before the place for `y`: x < y, or x <= y for "right"."""
    pairs = list(zip(_keys(x), _keys(y), strict=True))[::-1]
    p, q = pairs[0]
    out = p <= q if side == "right" else p < q
    for p, q in pairs[1:]:
        out = (p < q) | ((p == q) & out)
    return out


@partial(jit, static_argnums=(2, 3))
def _searchsorted_scan_impl(a: Any, v: Any, side: str, dtype: np.dtype) -> Any:
    """The place is in (low, high], and the interval becomes half as long each time."""
    if a.size == 0:
        return shaping.full(v.shape, 0, dtype)
    low, high = (shaping.full(v.shape, n, dtype) for n in (0, a.size))
    for _ in range(math.ceil(math.log2(a.size + 1))):
        middle = low + (high - low) // 2
        after = _before(a[middle], v, side)
        low, high = _where(after, middle, low), _where(after, high, middle)
    return high


@partial(jit, static_argnums=(2, 3))
def _searchsorted_sort_impl(a: Any, v: Any, side: str, dtype: np.dtype) -> Any:
    """A query's rank among all less its rank among the queries is how many of `a` come before it."""
    both = [ravel(v), a] if side == "left" else [a, ravel(v)]
    ranks = _ranks(joining.concatenate(both, 0), dtype)
    ranks = ranks[: v.size] if side == "left" else ranks[a.size :]
    return reshape(ranks - _ranks(ravel(v), dtype), v.shape)


def _ranks(x: Any, dtype: np.dtype) -> Any:
    places = broadcasted_iota(dtype, x.shape, 0)
    ranks = shaping.full_like(places, 0)
    return ranks.at[sorting.sort_key_val(x, places)[1]].set(places)


@partial(jit, static_argnums=(2, 3))
def _searchsorted_compare_all_impl(a: Any, v: Any, side: str, dtype: np.dtype) -> Any:
    before = _before(expand_dims(a, range(1, v.ndim + 1)), expand_dims(v, 0), side)
    return before.sum(0, dtype=dtype)


_SEARCHES = {
    "scan": _searchsorted_scan_impl,
    "scan_unrolled": _searchsorted_scan_impl,
    "sort": _searchsorted_sort_impl,
    "compare_all": _searchsorted_compare_all_impl,
}
