"""The gather that an index with arrays stands for; the scatter of an update is its mirror.

A gather reads a window at each of many places. Arrays of integers name the places; slices are axes of the window,
or more places where they are strided.
"""

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..array import ArrayImpl
from ..aval import Shape, ShapedArray, partition_of_axis, told, typeof
from ..lax import gather as gathers, indexing as slicing, joining, shaping
from ..lax.converting import convert
from ..lax.elementwise import add, mul
from ..placement import placed
from ..trace import pure
from .arguments import concrete
from .array_creation import asarray
from .index_parsing import (
    Entry,
    Kind,
    check_not_empty,
    count_from_end,
    expand_ellipsis,
    expand_masks,
    has_static_slices,
    index_dtype,
    known_slice,
)
from .shaping import broadcast_arrays


class Plan(NamedTuple):
    """What a gather of x[index] reads, and what remains to be done with it.

    `shape` is that of x[index], `place` how it is divided, where the types of x and of the indices say so. `masks`:
    axes to add to x first, for scalar masks; `turned`: axes of the windows to turn round; `added`: axes to add last.
    `plain`: there are no arrays, so no place is read twice.
    """

    shape: Shape
    window: Shape
    places: Any
    dimension_numbers: gathers.GatherDimensionNumbers
    turned: tuple[int, ...]
    added: tuple[int, ...]
    masks: tuple[int, ...]
    plain: bool
    place: Any


def gather_at(
    x: Any, entries: Sequence[Entry], mode: Any, fill_value: Any, wrap: bool, *,
    indices_are_sorted: bool = False, unique_indices: bool = False, out_sharding: Any = None,
) -> Any:  # fmt: skip
    """x[entries] by a gather. Raises ValueError for a fill value that is not a scalar."""
    plan = plan_gather(expand_masks(entries, x.shape), x.aval, wrap)
    fill_value = _scalar(fill_value)
    x = shaping.expand_dims(x, plan.masks) if plan.masks else x
    if 0 in plan.shape:
        return shaping.full_like(x, 0, shape=plan.shape)
    if plan.places.size:
        gather = functools.partial(
            gathers.gather, dimension_numbers=plan.dimension_numbers, slice_sizes=plan.window, mode=mode,
            fill_value=fill_value, unique_indices=unique_indices or plan.plain,
            indices_are_sorted=indices_are_sorted or plan.plain,
        )  # fmt: skip
        x = placed(gather, (x, plan.places), out_sharding)
    x = slicing.rev(x, plan.turned) if plan.turned else x
    return shaping.expand_dims(x, plan.added)


def _scalar(fill_value: Any) -> Any:
    if fill_value is None:
        return None
    concrete(fill_value, "fill_value argument to indexed get()")
    if np.ndim(fill_value):
        raise ValueError("fill_value argument to indexed get() must be a scalar")
    return fill_value.item() if isinstance(fill_value, (np.ndarray, ArrayImpl)) else fill_value


def plan_gather(entries: Sequence[Entry], x: ShapedArray, wrap: bool) -> Plan:
    """The gather for these entries (masks already expanded) of an array of type `x`.

    Raises IndexError for a slice with traced bounds.
    """
    shape = x.shape
    _check_slices(entries)
    entries = [e._replace(value=asarray(e.value)) if isinstance(e.value, (list, tuple)) else e for e in entries]
    together = _are_neighbours([e.kind in (Kind.ARRAY, Kind.INTEGER) for e in entries])
    entries = expand_ellipsis(entries, len(shape))
    masks = tuple(i for i, e in enumerate(entries) if e.kind is Kind.MASK)
    entries, shape = _scalar_masks_as_arrays(entries, shape)
    if wrap:
        entries = [_counted_from_end(e, shape) for e in entries]
    return _Planner(shape, index_dtype(shape), _divided_as(x, masks)).run(entries, together)._replace(masks=masks)


def _divided_as(x: ShapedArray, masks: Sequence[int]) -> Any:
    """How the type says that an array is divided, with axes that are added for scalar masks."""
    place = told(x)
    return place and functools.reduce(lambda found, axis: found.with_axis(axis), masks, place)


def _check_slices(entries: Sequence[Entry]) -> None:
    for position, entry in enumerate(entries):
        if not has_static_slices([entry]):
            raise IndexError(f"Slice entries must be static integers. Got {entry.value} at position {position}")


def _are_neighbours(marks: Sequence[bool]) -> bool:
    """Whether the marked entries are all next to each other."""
    marked = [i for i, mark in enumerate(marks) if mark]
    return not marked or marked[-1] - marked[0] == len(marked) - 1


def _scalar_masks_as_arrays(entries: Sequence[Entry], shape: Shape) -> tuple[list[Entry], Shape]:
    """A scalar mask as an index into a new axis of size 1: [0] where it is true, [] where not."""
    sizes, out, axis = list(shape), [], 0
    for i, entry in enumerate(entries):
        count = len(entry.axes)
        if entry.kind is Kind.MASK:
            sizes.insert(i, 1)
            entry, count = Entry(np.arange(int(entry.value), dtype=np.int32), Kind.ARRAY), 1
        out.append(entry._replace(axes=tuple(range(axis, axis + count))))
        axis += count
    return out, tuple(sizes)


def _counted_from_end(entry: Entry, shape: Shape) -> Entry:
    if entry.kind is Kind.INTEGER:
        i, n = entry.value, shape[entry.axes[0]]
        return entry._replace(value=int(i) + n if i < 0 else int(i))
    if entry.kind is Kind.ARRAY:
        return entry._replace(value=count_from_end(entry.value, shape[entry.axes[0]]))
    return entry


class _Planner:
    """Goes through the entries in order and collects what the gather needs."""

    def __init__(self, shape: Shape, dtype: np.dtype, place: Any):
        self.shape, self.dtype, self.place = shape, dtype, place
        self.divided: list[Any] = []  # what divides each axis of the result
        self.result: list[int] = []  # the shape of x[index] so far
        self.window: list[int] = []
        self.batch: list[int] = []  # the shape of the places
        self.parts: list[tuple[Any, int]] = []  # components of a place, each with the batch axis at which it starts
        self.offset_dims: list[int] = []
        self.collapsed: list[int] = []
        self.index_map: list[int] = []
        self.added: list[int] = []
        self.turned: list[int] = []

    def run(self, entries: Sequence[Entry], together: bool) -> Plan:
        has_arrays = any(e.kind is Kind.ARRAY and np.ndim(e.value) for e in entries)
        arrays = [e for e in entries if has_arrays and e.kind in (Kind.ARRAY, Kind.INTEGER)]
        where = next((i for i, e in enumerate(entries) if arrays and e is arrays[0]), None) if together else 0
        for i, entry in enumerate(entries):
            if arrays and i == where:
                self.add_arrays(arrays)
            if entry.kind is Kind.NEW_AXIS:
                self.added.append(len(self.result))
                self.result.append(1)
                self.divided.append(None)
            elif entry.kind is Kind.SLICE:
                self.add_slice(entry.value, entry.axes[0])
            elif arrays:
                self.window.append(1)
            else:
                self.add_scalar(entry.value, entry.axes[0])
        return self.plan(plain=not arrays)

    def add_arrays(self, entries: Sequence[Entry]) -> None:
        """All arrays (and integers among them) are broadcast, and name the places together."""
        arrays = broadcast_arrays(*(asarray(e.value) for e in entries))
        axes = [e.axes[0] for e in entries]
        self.parts += [(convert(a, self.dtype), len(self.batch)) for a in arrays]
        self.index_map += axes
        self.collapsed += axes
        self.batch += arrays[0].shape
        self.result += arrays[0].shape
        self.divided += [partition_of_axis(arrays[0].aval, d) for d in range(arrays[0].ndim)]

    def add_scalar(self, i: Any, axis: int) -> None:
        check_not_empty(self.shape, axis)
        self.parts.append((convert(pure(i), self.dtype), len(self.batch)))
        self.index_map.append(axis)
        self.collapsed.append(axis)
        self.window.append(1)

    def add_slice(self, s: slice, axis: int) -> None:
        """A slice without stride is an axis of the window; a strided one is a batch of places."""
        places = range(self.shape[axis])[known_slice(s)]
        out = len(self.result) - len(self.added)  # new axes come after the gather
        self.result.append(len(places))
        self.divided.append(self.place.spec.partitions[axis] if self.place and places.step == 1 else None)
        if places.step == 1:
            self.window.append(len(places))
            self.offset_dims.append(out)
            if len(places) != self.shape[axis]:
                self.parts.append((convert(pure(places.start), self.dtype), len(self.batch)))
                self.index_map.append(axis)
            return
        self.turned += [out] if places.step < 0 else []
        self.parts.append((self.strided(places), len(self.batch)))
        self.index_map.append(axis)
        self.collapsed.append(axis)
        self.batch.append(len(places))
        self.window.append(1)

    def strided(self, places: range) -> Any:
        """The places of a strided slice, lowest first."""
        steps = mul(np.asarray(places.step, self.dtype), shaping.iota(self.dtype, len(places)))
        indices = add(np.asarray(places.start, self.dtype), steps)
        return slicing.rev(indices, (0,)) if places.step < 0 else indices

    def places(self) -> Any:
        """The parts broadcast to the batch shape and put side by side, [*batch, components]."""
        if not self.parts:
            return np.zeros((0,), self.dtype)
        if len(self.parts) == 1:
            ((part, _),) = self.parts
            return shaping.expand_dims(part, (typeof(part).ndim,))
        shape = (*self.batch, 1)
        spread = [shaping.broadcast_in_dim(a, shape, range(i, i + typeof(a).ndim)) for a, i in self.parts]
        return joining.concatenate(spread, len(self.batch))

    def plan(self, plain: bool) -> Plan:
        numbers = gathers.GatherDimensionNumbers(
            tuple(self.offset_dims), tuple(sorted(self.collapsed)), tuple(self.index_map)
        )
        return Plan(
            tuple(self.result), tuple(self.window), self.places(), numbers, tuple(self.turned), tuple(self.added),
            masks=(), plain=plain, place=self.place and self.place.of(self.divided),
        )  # fmt: skip
