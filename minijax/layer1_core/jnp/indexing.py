"""Reading x[index]. The first of three ways that fits is taken: a static slice (integers and slices known now),

a dynamic slice (scalars that may be traced), or a gather.
An integer out of bounds is not an error: the dynamic slice and the gather read the nearest element.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import dtypes
from ..array import ArrayImpl
from ..aval import Shape, partition_of_axis, typeof
from ..lax import elementwise, indexing as slicing, shaping
from ..lax.converting import convert
from ..lax.gather import GatherScatterMode
from ..trace import pure
from .array_creation import asarray
from .gathering import gather_at
from .index_parsing import (
    Entry,
    Kind,
    check_not_empty,
    expand_ellipsis,
    has_static_slices,
    index_dtype,
    known_slice,
    parse,
)

# ---- a box of the array


class Box(NamedTuple):
    """A box of an array: along each axis start, stop and step; and the axes to turn round, to drop, and to add."""

    starts: tuple[Any, ...]
    stops: tuple[Any, ...]
    steps: Shape
    turned: tuple[int, ...]
    dropped: tuple[int, ...]
    added: tuple[int, ...]

    def finish(self, x: Any) -> Any:
        """The box that was read, with its axes turned, dropped and added."""
        x = slicing.rev(x, self.turned) if self.turned else x
        x = shaping.squeeze(x, self.dropped) if self.dropped else x
        return shaping.expand_dims(x, self.added) if self.added else x


def box_of(entries: Sequence[Entry], shape: Shape) -> Box:
    """The box that integers and slices name. Raises IndexError for an integer into an axis of size 0."""
    sides, turned, dropped, added = [], [], [], []
    for entry in expand_ellipsis(entries, len(shape)):
        if entry.kind is Kind.NEW_AXIS:
            added.append(len(sides) - len(dropped) + len(added))
            continue
        (axis,) = entry.axes
        if entry.kind is Kind.SLICE:
            sides.append(side_of(entry.value, shape[axis]))
            turned += [axis] if (entry.value.step or 1) < 0 else []
        else:
            check_not_empty(shape, axis)
            sides.append((entry.value, None, 1))
            dropped.append(axis)
    starts, stops, steps = zip(*sides, strict=True) if sides else ((), (), ())
    return Box(starts, stops, steps, tuple(turned), tuple(dropped), tuple(added))


def side_of(s: slice, n: int) -> tuple[int, int, int]:
    """Start, stop and (positive) step of the elements that `s` takes from an axis of size n, lowest first.

    >>> side_of(slice(5, None, -2), 6)
    (1, 6, 2)
    """
    start, stop, step = known_slice(s).indices(n)
    if step > 0:
        return start, max(start, stop), step
    lowest = min(n, stop + 1 + abs(start - stop - 1) % -step)
    return lowest, max(lowest, start + 1), -step


# ---- reading


def getitem(x: Any, index: Any) -> Any:
    """x[index]. Integers, slices, None, ..., arrays of integers and masks, each alone or in a tuple.

    A negative integer counts from the end; one out of bounds reads the nearest element.
    """
    return take_at(x, index)


def take_at(
    x: Any, index: Any, *, mode: Any = None, fill_value: Any = None, wrap: bool = True, out_sharding: Any = None,
    **promises: bool,
) -> Any:  # fmt: skip
    """x[index] under a mode. `wrap` says whether negative integers count from the end.

    `promises` are what the caller knows of the indices: indices_are_sorted, unique_indices.
    """
    x = asarray(x)
    entries = parse(index, x.shape)
    if _mode_of_slices(mode) and has_static_slices(entries) and not _cuts_parts(x, entries):
        if all(_is_settled(e, x.shape, mode, wrap) for e in entries):
            return _read_static(x, _settled(entries, x.shape, wrap))
        if all(_is_scalar_or_unit_slice(e) for e in entries):
            return _read_dynamic(x, box_of(entries, x.shape), wrap)
    return gather_at(x, entries, mode, fill_value, wrap, out_sharding=out_sharding, **promises)


def _cuts_parts(x: Any, entries: Sequence[Entry]) -> bool:
    """Whether a part is read of an axis that is divided, as the type says. (Of a tracer, the slice asks that.)"""
    if not isinstance(x, ArrayImpl) or x.aval.is_undivided:
        return False
    cut = [e for e in expand_ellipsis(entries, x.ndim) if e.kind is not Kind.SLICE or e.value != slice(None)]
    return any(partition_of_axis(x.aval, axis) is not None for e in cut for axis in e.axes)


def _mode_of_slices(mode: Any) -> bool:
    """Whether a slice, which reads nothing but elements, answers to this mode."""
    return mode in (None, "clip", "promise_in_bounds", GatherScatterMode.CLIP, GatherScatterMode.PROMISE_IN_BOUNDS)


def _is_settled(entry: Entry, shape: Shape, mode: Any, wrap: bool) -> bool:
    """Whether an entry says now what is read: not an array, and not an integer that must be clamped at run time."""
    if entry.kind is not Kind.INTEGER:
        return entry.kind not in (Kind.MASK, Kind.ARRAY)
    n = shape[entry.axes[0]]
    return mode in ("clip", GatherScatterMode.CLIP) or (-n if wrap else 0) <= entry.value < n


def _settled(entries: Sequence[Entry], shape: Shape, wrap: bool) -> list[Entry]:
    return [_clamped(e, shape[e.axes[0]], wrap) if e.kind is Kind.INTEGER else e for e in entries]


def _clamped(entry: Entry, n: int, wrap: bool) -> Entry:
    i = int(entry.value)
    i = i + n if i < 0 and wrap else i
    return Entry(min(max(i, 0), n - 1), Kind.INTEGER, entry.axes)


def _read_static(x: Any, entries: Sequence[Entry]) -> Any:
    box = box_of(entries, x.shape)
    stops = tuple(start + 1 if stop is None else stop for start, stop in zip(box.starts, box.stops, strict=True))
    strided = any(step != 1 for step in box.steps)
    if strided or any(box.starts) or stops != x.shape:
        x = slicing.slice(x, box.starts, stops, box.steps if strided else None)
    return box.finish(x)


def _is_scalar_or_unit_slice(entry: Entry) -> bool:
    if entry.kind is Kind.SLICE:
        return entry.value.step in (None, 1, -1)
    if entry.kind is Kind.ARRAY:
        return not isinstance(entry.value, Sequence) and np.ndim(entry.value) == 0
    return entry.kind is not Kind.MASK


def _read_dynamic(x: Any, box: Box, wrap: bool) -> Any:
    starts = [pure(start) for start in box.starts]
    if len(starts) > 1:  # the primitive wants starts of one type
        starts = [convert(start, index_dtype(x.shape)) for start in starts]
    if wrap:
        starts = [_start_from_end(start, n) for start, n in zip(starts, x.shape, strict=True)]
    sizes = [1 if stop is None else stop - start for start, stop in zip(box.starts, box.stops, strict=True)]
    return box.finish(slicing.dynamic_slice(x, starts, sizes, allow_negative_indices=False))


def _start_from_end(i: Any, n: int) -> Any:
    """`i`, a start of a dynamic slice, with n added where it is negative. Unsigned integers stay as they are."""
    aval = typeof(i)
    if dtypes.issubdtype(aval.dtype, np.unsignedinteger):
        return i
    negative = elementwise.lt(i, np.zeros((), aval.dtype))
    return elementwise.select(negative, elementwise.add(convert(i, aval.dtype), np.asarray(n, aval.dtype)), i)
