"""One value divided anew, in the program of one device: by collectives along the axes of the mesh.

    P('x', None)  -> P(None, None)    all_gather: each device gets the parts of all
    P(None, None) -> P('x', None)     dynamic_slice: each device keeps its own part, nothing is sent
    P('x', None)  -> P(None, 'x')     all_to_all: each device gets one part of each part
    summands      -> P(None, None)    psum
    summands      -> P('x', None)     reduce_scatter: each device gets its own part of the sum

Summands are said as types say them, by `P(None, None, unreduced={'x'})`: the value is the sum of what the devices along
x have. Axes of the array have a tuple of mesh axes each here: `((), ('x', 'y'))` is P(None, ('x', 'y')).
"""

import itertools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ..layer1_core.aval import Shape, ShapedArray, typeof
from ..layer1_core.lax.indexing import dynamic_slice_p
from ..layer5_vmap import collectives as c
from ..layer5_vmap.axes import axis_sizes
from .spec import AxisName, P, PartitionSpec, UnreducedKind, axes_of, partition_of

MeshAxes = tuple[AxisName, ...]  # ('x', 'y'): the first one divides most coarsely
Axes = list[MeshAxes]  # for each axis of an array the mesh axes that divide it: [(), ('x', 'y')]


class Part(NamedTuple):
    """What one device has of a value."""

    value: Any  # a tracer of the device's program, or a constant
    spec: PartitionSpec  # how the value is divided
    aval: ShapedArray  # the type of the whole value

    @property
    def axes(self) -> Axes:
        return axes_in(self.spec, self.aval.ndim)


def axes_in(spec: PartitionSpec, ndim: int) -> Axes:
    """For each of `ndim` axes the mesh axes that divide it."""
    found = list(map(axes_of, spec.partitions))
    return found + [()] * (ndim - len(found))


def spec_of(axes: Iterable[MeshAxes], **sums: Any) -> PartitionSpec:
    """The spec with these mesh axes for each axis; without those at its end that are whole."""
    found = list(axes)
    while found and not found[-1]:
        found.pop()
    return P(*map(partition_of, found), **sums)


def part_shape(shape: Shape, spec: PartitionSpec) -> Shape:
    """The shape of one device's part of an array of this shape."""
    return tuple(n // c.axis_size(names) for n, names in zip(shape, axes_in(spec, len(shape)), strict=True))


# ---- the steps of a move


def moved(x: Part, to: PartitionSpec) -> Part:
    """`x`, divided as `to` says. What makes the part smaller comes first, so that little is sent."""
    value, have, want = x.value, x.axes, axes_in(to, x.aval.ndim)
    value = _summed(value, have, want, x.spec)
    for step in (_cut, _exchanged, _gathered, _cut):
        value = step(value, have, want)
    return Part(value, to, x.aval)


def _summed(value: Any, have: Axes, want: Axes, spec: PartitionSpec) -> Any:
    """The sum of the summands; of it only the own part, where the value is to be divided along the same mesh axis."""
    left, kind = [name for name in axis_sizes() if name in spec.unreduced], spec.unreduced_kind
    if kind is None:
        return value
    if kind is UnreducedKind.sum:
        for name in [*left]:
            divides = (d for d, (a, b) in enumerate(zip(have, want, strict=True)) if b[: len(a) + 1] == (*a, name))
            if (d := next(divides, None)) is not None:
                value = c.psum_scatter(value, name, scatter_dimension=d, tiled=True)
                have[d] += (name,)
                left.remove(name)
    return _together[kind].bind(value, axes=tuple(left), axis_index_groups=None) if left else value


_together = {UnreducedKind.sum: c.psum_p, UnreducedKind.max: c.pmax_p, UnreducedKind.min: c.pmin_p}


def _cut(value: Any, have: Axes, want: Axes) -> Any:
    """The own part, along mesh axes that divide no axis of the array yet."""
    taken = set(itertools.chain.from_iterable(have))
    for d, (before, after) in enumerate(zip(have, want, strict=True)):
        if after[: len(before)] == before:
            names = tuple(itertools.takewhile(lambda name: name not in taken, after[len(before) :]))
            value = own_part(value, d, names)
            have[d] += names
    return value


def own_part(value: Any, d: int, names: MeshAxes) -> Any:
    """The part that this device has of a value, where its axis `d` is divided along these mesh axes."""
    if c.axis_size(names) == 1:
        return value
    sizes = [*typeof(value).shape]
    sizes[d] //= c.axis_size(names)
    starts: list[Any] = [0] * len(sizes)
    starts[d] = place_along(names) * sizes[d]
    return dynamic_slice_p.bind(value, *starts, slice_sizes=tuple(sizes))


def place_along(names: MeshAxes) -> Any:
    """Which of the parts along these mesh axes this device has; the first axis divides most coarsely."""
    return c.axis_index(names[0] if len(names) == 1 else names)


def _exchanged(value: Any, have: Axes, want: Axes) -> Any:
    """Where mesh axes are to divide another axis of the array instead: every device sends a part to every other one."""
    for d, e in itertools.permutations(range(len(have)), 2):
        names = have[d][len(want[d]) :]
        to = want[e][len(have[e]) :]
        stay = have[d][: len(want[d])] == want[d] and want[e][: len(have[e])] == have[e]
        if stay and names and to[: len(names)] == names:
            if c.axis_size(names) > 1:
                value = c.all_to_all(value, one_or_all(names), split_axis=e, concat_axis=d, tiled=True)
            have[d], have[e] = want[d], have[e] + names
    return value


def _gathered(value: Any, have: Axes, want: Axes) -> Any:
    """The parts of all devices, along mesh axes that are not to divide the axis."""
    for d, (before, after) in enumerate(zip(have, want, strict=True)):
        same = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
        names = before[same:]
        if c.axis_size(names) > 1:
            value = c.all_gather(value, one_or_all(names), axis=d, tiled=True)
        have[d] = before[:same]
    return value


def one_or_all(names: Sequence[AxisName]) -> Any:
    """One name by itself, several as a tuple: so they are printed as users write them."""
    return names[0] if len(names) == 1 else tuple(names)
