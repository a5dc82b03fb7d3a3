"""Arrays as sets: membership, and union, intersection and difference of two.

How many elements come out depends on the values, so traced code must say it (`size`); what is missing is then filled.
"""

import operator
from functools import partial
from typing import Any

import numpy as np

from ..jit import jit
from ..lax import indexing as slicing, shaping, sorting
from .arguments import array_arguments, concrete, concrete_index
from .array_creation import arange, full, full_like, ones, zeros
from .asking import result_type
from .choosing import nonzero, where
from .joining import concatenate
from .promotion import promote_dtypes
from .shaping import ravel, reshape
from .sorting import searchsorted, sort
from .uniques import Unique, unique

# ---- membership


@partial(jit, static_argnames=("assume_unique", "invert", "method"))
def _in1d(ar1: Any, ar2: Any, invert: bool, method: str = "auto", assume_unique: bool = False) -> Any:
    a, b = map(ravel, promote_dtypes(*array_arguments("in1d", ar1, ar2)))
    if a.size == 0 or b.size == 0:
        return (ones if invert else zeros)(a.shape, dtype=bool)
    if method in ("auto", "compare_all"):
        return (a[:, None] != b[None, :]).all(-1) if invert else (a[:, None] == b[None, :]).any(-1)
    if method == "binary_search":
        b = sorting.sort(b)
        found = b[searchsorted(b, a)]
        return a != found if invert else a == found
    if method == "sort":
        return _in1d_by_sorting(a, b, invert, assume_unique)
    raise ValueError(
        f"method={method!r} is not implemented; options are 'compare_all', 'binary_search', 'sort', and 'auto'"
    )


def _in1d_by_sorting(a: Any, b: Any, invert: bool, assume_unique: bool) -> Any:
    """In both sorted together, an element of `a` that is in `b` is followed by its equal."""
    back: Any = slice(None)
    if not assume_unique:
        a, back = unique(a, size=len(a), return_inverse=True, fill_value=b.max())
    ordered, places = sorting.sort_key_val(concatenate([a, b]), arange(a.size + b.size))
    compare = operator.ne if invert else operator.eq
    found = (ones if invert else zeros)(a.shape, bool)
    return found.at[places[:-1]].set(compare(ordered[1:], ordered[:-1]), mode="drop")[back]


def isin(
    element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False, *, method: str = "auto"
) -> Any:
    """For each element whether it is among `test_elements` (with `invert`, whether not)."""
    element, test_elements = array_arguments("isin", element, test_elements)
    found = _in1d(element, test_elements, invert=invert, method=method, assume_unique=assume_unique)
    return reshape(found, element.shape)


# ---- union and difference


def _known(name: str, size: int | None, *arrays: Any) -> int | None:
    """The size as an integer. Without one the arrays must be known: raises ConcretizationTypeError for a tracer."""
    context = f"The error arose in {name}()"
    if size is not None:
        return concrete_index(size, context)
    for x in arrays:
        concrete(x, context)
    return None


def union1d(ar1: Any, ar2: Any, *, size: int | None = None, fill_value: Any = None) -> Any:
    """The distinct elements of both arrays, in ascending order."""
    ar1, ar2 = array_arguments("union1d", ar1, ar2)
    size = _known("union1d", size, ar1, ar2)
    return unique(concatenate((ar1, ar2), axis=None), size=size, fill_value=fill_value)


def setdiff1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, *, size: int | None = None, fill_value: Any = None
) -> Any:
    """The distinct elements of the first array that are not in the second, in ascending order."""
    a, b = map(ravel, array_arguments("setdiff1d", ar1, ar2))
    size = _known("setdiff1d", size, a)
    fill_value = full_like(a, fill_value=0 if fill_value is None else fill_value, shape=())
    if a.size == 0:
        return full_like(a, fill_value, shape=size or 0)
    if not assume_unique:
        a = unique(a, size=size and a.size)
    mask = _in1d(a, b, invert=True, assume_unique=assume_unique)
    if size is None:
        return a[mask]
    if not assume_unique:  # the rest of `a` repeats its first element
        distinct = a.size + 1 - (a == a[0]).sum()
        mask = where(arange(a.size) < distinct, mask, False)
    return where(arange(size) < mask.sum(), a[where(mask, size=size)], fill_value)


def setxor1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, *, size: int | None = None, fill_value: Any = None
) -> Any:
    """The elements that are in one of the arrays only, in ascending order."""
    a, b = promote_dtypes(*map(ravel, array_arguments("setxor1d", ar1, ar2)))
    if size is not None:
        return _setxor1d_size(a, b, fill_value=fill_value, assume_unique=assume_unique, size=size)
    if not assume_unique:
        a, b = unique(a), unique(b)
    both = concatenate((a, b))
    if both.size == 0:
        return both
    both = sort(both)
    starts = concatenate((True, both[1:] != both[:-1], True), axis=None)
    return both[starts[1:] & starts[:-1]]


@partial(jit, static_argnames=("assume_unique", "size"))
def _setxor1d_size(a: Any, b: Any, fill_value: Any, *, assume_unique: bool, size: int) -> Any:
    """An element is alone where it begins a run of equal ones, and so does the next."""
    if assume_unique:
        ordered = sort(concatenate([a, b]))
        starts = concatenate((bool(ordered.size), ordered[1:] != ordered[:-1], True), axis=None)
    else:
        joined, count = _join_unique(a, b)
        valid = arange(joined.size + 1) < count + 1
        _, ordered = sorting.sort([~valid[1:], joined], is_stable=True, num_keys=2)
        starts = concatenate((bool(ordered.size), ordered[1:] != ordered[:-1], False), axis=None)
        starts = valid & starts.at[count].set(True)
    return _take_marked(ordered, starts[1:] & starts[:-1], size, fill_value)[0]


def _join_unique(a: Any, b: Any) -> tuple[Any, Any]:
    """The distinct elements of `a`, right after them those of `b`, then the rest; and how many they are."""
    (a, count_a), (b, count_b) = ((found.values(), found.true_size()) for found in map(_distinct, (a, b)))
    return _next_to_each_other(a, b, count_a), count_a + count_b


def _distinct(x: Any, fill_value: Any = None) -> Unique:
    """The distinct elements of `x`, [N], filled up to N."""
    return Unique(x, 0, True, x.size, fill_value)


def _next_to_each_other(a: Any, b: Any, start: Any) -> Any:
    out = zeros(a.size + b.size, dtype=result_type(a, b))
    return slicing.dynamic_update_slice(slicing.dynamic_update_slice(out, a, (0,)), b, (start,))


def _take_marked(values: Any, mask: Any, size: int, fill_value: Any) -> tuple[Any, Any, Any]:
    """The first `size` marked values, their places, and how many there are. The rest is the fill value or the least."""
    count = mask.sum()
    if values.size:
        (places,) = nonzero(mask, size=size, fill_value=values.size)
        out = values.at[places].get(mode="fill", fill_value=0)
    else:
        places, out = arange(0), zeros(size, values.dtype)
    if fill_value is not None:
        return where(arange(len(out)) < count, out, fill_value), places, count
    out = where(arange(len(out)) < count, out, out.max())
    return where(arange(len(out)) < count, out, out.min()), places, count


# ---- intersection


def intersect1d(
    ar1: Any,
    ar2: Any,
    assume_unique: bool = False,
    return_indices: bool = False,
    *,
    size: int | None = None,
    fill_value: Any = None,
) -> Any:
    """The distinct elements that are in both arrays, in ascending order; with `return_indices` their places in each."""
    a, b = map(ravel, promote_dtypes(*array_arguments("intersect1d", ar1, ar2)))
    if size is not None:
        return _intersect1d_size(
            a, b, return_indices=return_indices, size=size, fill_value=fill_value, assume_unique=assume_unique
        )
    places_a: Any = None
    places_b: Any = None
    if not assume_unique and return_indices:
        (a, places_a), (b, places_b) = unique(a, return_index=True), unique(b, return_index=True)
    elif not assume_unique:
        a, b = unique(a), unique(b)
    ordered, mask, order = _intersect1d_sorted_mask(a, b, return_indices)
    if not return_indices:
        return ordered[:-1][mask]
    in_a, in_b = order[:-1][mask], order[1:][mask] - a.size
    if not assume_unique:
        in_a, in_b = places_a[in_a], places_b[in_b]
    return ordered[:-1][mask], in_a, in_b


@partial(jit, static_argnames=("return_indices",))
def _intersect1d_sorted_mask(a: Any, b: Any, return_indices: bool) -> tuple[Any, Any, Any]:
    """Both arrays sorted together, a mask of those that equal the next, and where each came from."""
    both, order = concatenate((a, b)), None
    if return_indices:
        both, order = sorting.sort_key_val(both, shaping.iota(np.int32, both.size))
    else:
        both = sort(both)
    return both, both[1:] == both[:-1], order


@partial(jit, static_argnames=("fill_value", "assume_unique", "size", "return_indices"))
def _intersect1d_size(a: Any, b: Any, fill_value: Any, assume_unique: bool, size: int, return_indices: bool) -> Any:
    """The same for a given size: what is no element sorts last, and is no match."""
    if assume_unique:
        places_a, places_b, count_a = arange(a.size), arange(b.size), full((), a.size)
        ordered, order = sorting.sort([concatenate([a, b]), arange(a.size + b.size)], is_stable=True, num_keys=1)
        valid = ones(ordered.size, dtype=bool)
    else:
        found = (_distinct(x, 0) for x in (a, b))
        (a, places_a, count_a), (b, places_b, count_b) = ((f.values(), f.first_places(), f.true_size()) for f in found)
        both = _next_to_each_other(a, b, count_a)
        valid = arange(both.size) < count_a + count_b
        _, ordered, order = sorting.sort([~valid, both, arange(both.size)], is_stable=True, num_keys=2)
    match = (ordered[1:] == ordered[:-1]) & valid[1:]
    values, places, count = _take_marked(ordered, match, size, fill_value)
    if not return_indices:
        return values
    in_a = _places_in(order, places, places_a, 0, count, assume_unique)
    in_b = _places_in(order, places + 1, places_b, count_a, count, assume_unique)
    return values, in_a, in_b


def _places_in(order: Any, places: Any, old: Any, offset: Any, count: Any, assume_unique: bool) -> Any:
    """Where the matches were in one array, [N] with places `old`; N where there is no match."""
    found = order.at[places].get(mode="fill", fill_value=old.size) - offset
    found = where(arange(len(found)) < count, found, old.size)
    return found if assume_unique else old.at[found].get(mode="fill", fill_value=old.size)
