"""What an index says: its entries, each with its kind and the axes that it speaks of."""

import enum
import operator
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import dtypes
from ..array import ArrayImpl
from ..aval import Shape, typeof
from ..errors import NonConcreteBooleanIndexError
from ..lax import elementwise
from ..trace import Tracer

# ---- entries


class Kind(enum.Enum):
    """The kinds of entries of an index."""

    NEW_AXIS = "None"
    SLICE = "slice"
    ELLIPSIS = "..."
    INTEGER = "integer"
    MASK = "boolean"
    ARRAY = "integers"


class Entry(NamedTuple):
    """One entry of an index, and the axes of the array that it speaks of."""

    value: Any
    kind: Kind
    axes: tuple[int, ...] = ()


def parse(index: Any, shape: Shape) -> list[Entry]:
    """The entries of `index` into an array of `shape`, in order.

    Raises IndexError for too many of them or for two ellipses, TypeError for a list instead of a tuple.
    """
    values = index if isinstance(index, tuple) else (refuse_sequence(index),)
    kinds = [kind_of(v) for v in values]
    if kinds.count(Kind.ELLIPSIS) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    counts = [_axes_consumed(v, kind) for v, kind in zip(values, kinds, strict=True)]
    total, entries, axis = sum(counts), [], 0
    if total > len(shape):
        raise IndexError(f"Too many indices: array is {len(shape)}-dimensional, but {total} were indexed")
    for value, kind, count in zip(values, kinds, counts, strict=True):
        count = len(shape) - total if kind is Kind.ELLIPSIS else count
        entries.append(Entry(value, kind, tuple(range(axis, axis + count))))
        axis += count
    return entries


def _axes_consumed(value: Any, kind: Kind) -> int:
    if kind is Kind.MASK:
        return np.ndim(value)
    return 0 if kind in (Kind.NEW_AXIS, Kind.ELLIPSIS) else 1


def kind_of(value: Any) -> Kind:
    """The kind of one entry. Raises TypeError or IndexError for a value that is no index."""
    match value:
        case None:
            return Kind.NEW_AXIS
        case slice():
            return Kind.SLICE
        case _ if value is Ellipsis:
            return Kind.ELLIPSIS
        case bool() | np.bool_():
            return Kind.MASK
        case int() | np.integer():
            return Kind.INTEGER
        case np.ndarray() | ArrayImpl() | Tracer():
            return _kind_of_dtype(value.dtype)
        case str():
            raise TypeError(f"JAX does not support string indexing; got idx={value!r}")
        case Sequence():
            return _kind_of_dtype(dtypes.join(*_leaf_types(value))[0]) if value else Kind.ARRAY
        case float() | complex() | np.generic():
            return _kind_of_dtype(np.dtype(type(value)))
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), newaxis (`None`) and integer or boolean arrays are valid "
        f"indices. Got {value}"
    )


def _leaf_types(values: Sequence[Any]) -> Iterator[tuple[Any, bool]]:
    """Dtype and weak type of each number in nested lists."""
    for value in values:
        if isinstance(value, Sequence) and not isinstance(value, str):
            yield from _leaf_types(value)
        else:
            yield typeof(value).dtype, typeof(value).weak_type


def _kind_of_dtype(dtype: Any) -> Kind:
    if dtypes.issubdtype(dtype, np.bool_):
        return Kind.MASK
    if dtypes.issubdtype(dtype, np.integer):
        return Kind.ARRAY
    raise TypeError(f"Indexer must have integer or boolean type, got indexer with type {dtype}")


def refuse_sequence(index: Any) -> Any:
    """`index`. Raises TypeError for a list: NumPy reads some lists as tuples and others as arrays."""
    if not isinstance(index, Sequence) or isinstance(index, str):
        return index
    several = any(isinstance(i, (Sequence, slice)) or i is Ellipsis or i is None or np.ndim(i) for i in index)
    raise TypeError(
        "Using a non-tuple sequence for multidimensional indexing is not allowed; "
        f"use `arr[{'tuple' if several else 'array'}(seq)]` instead of `arr[seq]`. "
        "See https://github.com/jax-ml/jax/issues/4564 for more information."
    )


def expand_ellipsis(entries: Sequence[Entry], ndim: int) -> list[Entry]:
    """The entries with a full slice for each axis that an ellipsis stands for, or that is not named."""
    full: list[Entry] = []
    for entry in entries:
        full += [Entry(slice(None), Kind.SLICE, (d,)) for d in entry.axes] if entry.kind is Kind.ELLIPSIS else [entry]
    named = sum(len(entry.axes) for entry in full)
    return full + [Entry(slice(None), Kind.SLICE, (d,)) for d in range(named, ndim)]


def expand_masks(entries: Sequence[Entry], shape: Shape) -> list[Entry]:
    """The entries with the places of a mask's true elements, one array an axis. A scalar mask stays.

    Raises NonConcreteBooleanIndexError for a traced mask, IndexError for one of another shape.
    """
    out: list[Entry] = []
    for position, entry in enumerate(entries):
        out += _places(entry, position, shape) if entry.kind is Kind.MASK else [entry]
    return out


def _places(entry: Entry, position: int, shape: Shape) -> list[Entry]:
    if isinstance(entry.value, Tracer):
        raise NonConcreteBooleanIndexError(typeof(entry.value))
    mask = np.asarray(entry.value)
    if mask.ndim == 0:
        return [Entry(bool(mask), Kind.MASK)]
    expected = [shape[d] for d in entry.axes]
    if any(n not in (0, m) for n, m in zip(mask.shape, expected, strict=True)):
        raise IndexError(
            "boolean index did not match shape of indexed array in index "
            f"{position}: got {mask.shape}, expected {expected}"
        )
    places = [place.astype(np.int32) for place in np.nonzero(mask)]
    return [Entry(place, Kind.ARRAY, (d,)) for place, d in zip(places, entry.axes, strict=True)]


def has_static_slices(entries: Sequence[Entry]) -> bool:
    """Whether the bounds of all slices are known now."""
    return not any(isinstance(b, Tracer) for e in entries if e.kind is Kind.SLICE for b in _bounds(e.value))


def known_slice(s: slice) -> slice:
    """The slice with integers for bounds. Raises TypeError for a bound that is none."""
    return slice(*(None if bound is None else operator.index(bound) for bound in _bounds(s)))


def _bounds(s: slice) -> tuple[Any, Any, Any]:
    return s.start, s.stop, s.step


# ---- integers


def check_not_empty(shape: Shape, axis: int) -> None:
    """Raises IndexError where an axis that is read at one place has size 0."""
    if shape[axis] == 0:
        raise IndexError(f"index is out of bounds for axis {axis} with size 0")


def index_dtype(shape: Shape) -> np.dtype:
    """int32, or int64 where an axis is too long for it."""
    return np.dtype(np.int64 if max(shape, default=0) > np.iinfo(np.int32).max else np.int32)


def count_from_end(i: Any, n: int) -> Any:
    """`i`, with n added where it is negative. Unsigned integers stay as they are, weak scalars stay weak."""
    aval = typeof(i)
    if dtypes.issubdtype(aval.dtype, np.unsignedinteger):
        return i
    size = n if aval.weak_type and not aval.ndim else np.asarray(n, aval.dtype)
    return elementwise.select(_is_negative(i), elementwise.add(i, size), i)


def _is_negative(i: Any) -> Any:
    """i < 0: computed now for a NumPy array, so that it is a constant of the jaxpr."""
    return i < 0 if isinstance(i, np.ndarray) else elementwise.lt(i, np.zeros((), typeof(i).dtype))
