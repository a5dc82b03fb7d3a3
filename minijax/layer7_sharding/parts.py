"""Which part of an array each device of a mesh holds: arithmetic on a mesh, a spec and a shape.

    a mesh of x: 2, y: 4       P("x", None) divides an array of shape (8, 4) into 2 parts of shape (4, 4)

Each part is held by the four devices that differ in their coordinate along y only.
"""

import math
from collections.abc import Iterable, Iterator, Sequence

from ..layer1_core.aval import Shape
from ..layer1_core.devices import Index
from .mesh import BaseMesh
from .spec import AxisName, Partition, PartitionSpec, axes_of

Tiling = tuple[int, ...]  # the number of parts along each axis: (2, 1)
PartNumbers = tuple[int, ...]  # which of them a part is, along each axis: (1, 0)


class IndivisibleError(ValueError):
    """The size of an axis is no multiple of the number of its parts."""


def parts_along(mesh: BaseMesh, partition: Partition) -> int:
    """Into how many parts an axis with this entry is divided."""
    return math.prod(mesh.shape[name] for name in axes_of(partition))


def tiling(mesh: BaseMesh, spec: PartitionSpec, ndim: int) -> Tiling:
    """Into how many parts each axis is divided."""
    return tuple(parts_along(mesh, p) for p in entries(spec, ndim))


def entries(spec: PartitionSpec, ndim: int) -> tuple[Partition, ...]:
    """An entry for each axis: those that the spec does not speak of are whole."""
    return (*spec.partitions, *(None,) * (ndim - len(spec)))


def sizes_of_part(mesh: BaseMesh, spec: PartitionSpec, shape: Shape, told: object) -> Shape:
    """The shape of each part. Raises IndivisibleError, about the sharding `told`, where the parts would differ."""
    found = tiling(mesh, spec, len(shape))
    for axis, (size, parts) in enumerate(zip(shape, found, strict=True)):
        if size % parts:
            raise IndivisibleError(
                f"{told} implies that array axis {axis} is partitioned {parts} times, but the dimension size is "
                f"{size} (full shape: {shape}, per-dimension tiling factors: {found} "
                "should evenly divide the shape)"
            )
    return tuple(size // parts for size, parts in zip(shape, found, strict=True))


def place(mesh: BaseMesh, names: Sequence[AxisName], at: dict[AxisName, int]) -> int:
    """Which part of an axis a device holds, from its coordinates: the first name divides most coarsely."""
    found = 0
    for name in names:
        found = found * mesh.shape[name] + at[name]
    return found


def places(mesh: BaseMesh, partitions: Sequence[Partition]) -> Iterator[PartNumbers]:
    """For each device, in the order of the mesh, which part of each axis it holds."""
    for at in mesh.coordinates():
        yield tuple(place(mesh, axes_of(p), at) for p in partitions)


def index_of(sizes: Shape, partitions: Iterable[Partition], where: PartNumbers) -> Index:
    """The slices of a part: those of an axis that is whole say nothing."""
    return tuple(
        slice(i * size, (i + 1) * size) if axes_of(p) else slice(None)
        for size, p, i in zip(sizes, partitions, where, strict=True)
    )
