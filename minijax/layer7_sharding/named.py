"""`NamedSharding`: a mesh, and which of its axes divide which axis of an array.

The same class says where an array is (its mesh has devices) and, in types, how it is divided (its mesh is abstract).
"""

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..layer1_core.aval import Shape, ShapedArray, undivided
from ..layer1_core.devices import Device, Index, Sharding, check_memory_kind, memory_space
from .mesh import AbstractMesh, AxisType, BaseMesh, Mesh, empty_abstract_mesh
from .parts import Tiling, entries, index_of, parts_along, places, sizes_of_part, tiling
from .spec import UNCONSTRAINED, AxisName, P, Partition, PartitionSpec, axes_of, partition_of


class DuplicateSpecError(Exception):
    """A mesh axis divides two axes of an array."""

    def __init__(self, message: str, mesh: BaseMesh, pspec: PartitionSpec):
        super().__init__(message)
        self.message, self.mesh, self.pspec = message, mesh, pspec


class NamedSharding(Sharding):
    """How an array is divided among the devices of `mesh`: as `spec` says.

    Raises DuplicateSpecError for a mesh axis that occurs twice, ValueError for one that the mesh does not have.
    """

    __slots__ = ("mesh", "spec", "memory_kind", "_hash", "__dict__")
    __module__ = "jax.sharding"

    def __init__(self, mesh: Any, spec: PartitionSpec, *, memory_kind: str | None = None):
        check_memory_kind(memory_kind)
        self.mesh: Any = mesh
        self.spec: PartitionSpec = spec
        self.memory_kind = memory_kind or ("device" if isinstance(mesh, Mesh) else None)
        self._hash = hash((mesh, spec, self.memory_kind))
        check_spec(mesh, spec)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            type(other) is NamedSharding
            and self.spec == other.spec
            and self.memory_kind == other.memory_kind
            and self.mesh == other.mesh
        )

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> Any:
        return _rebuild, (self.mesh, self.spec, self.memory_kind)

    def __repr__(self) -> str:
        memory = "" if self.memory_kind is None else f", memory_kind={self.memory_kind}"
        return f"NamedSharding(mesh={self.mesh!s}, spec={self.spec}{memory})"

    def update(self, **changes: Any) -> "NamedSharding":
        """This sharding with some fields changed."""
        fields = {"mesh": self.mesh, "spec": self.spec, "memory_kind": self.memory_kind} | changes
        spec = fields["spec"]
        fields["spec"] = spec if isinstance(spec, PartitionSpec) else P(*spec)
        return NamedSharding(**fields)

    def with_memory_kind(self, kind: str) -> "NamedSharding":
        return self.update(memory_kind=kind)

    # its devices

    def _needs_devices(self, what: str) -> None:
        if isinstance(self.mesh, AbstractMesh):
            raise ValueError(f"{what} is not implemented for `jax.sharding.AbstractMesh`.")

    @property
    def device_list(self) -> tuple[Device, ...]:
        self._needs_devices("_device_assignment")
        return self.mesh.device_list

    @property
    def device_set(self) -> set[Device]:
        self._needs_devices("device_set")
        return set(self.mesh.device_list)

    @property
    def addressable_devices(self) -> set[Device]:
        self._needs_devices("addressable_devices")
        return set(self.mesh.own)

    @property
    def num_devices(self) -> int:
        return self.mesh.size

    @property
    def is_fully_addressable(self) -> bool:
        self._needs_devices("is_fully_addressable")
        return len(self.mesh.own) == self.mesh.size

    # what they hold

    def parts_along(self, partition: Partition) -> int:
        """Into how many parts an axis with this entry is divided."""
        return parts_along(self.mesh, partition)

    def tiling(self, ndim: int) -> Tiling:
        """Into how many parts each axis is divided."""
        return tiling(self.mesh, self.spec, ndim)

    @functools.cached_property
    def is_fully_replicated(self) -> bool:
        """Whether each device holds the whole array."""
        return self.mesh.size == 1 or (not self.spec.unreduced and math.prod(self.tiling(len(self.spec))) == 1)

    @property
    def replicated_axes(self) -> frozenset[AxisName]:
        """The mesh axes along which all devices hold the same."""
        named = frozenset(itertools.chain.from_iterable(map(axes_of, self.spec.partitions)))
        return frozenset(self.mesh.axis_names) - (named | self.spec.unreduced | self.spec.reduced)

    def check_compatible_aval(self, aval_shape: Shape) -> None:
        """Raises ValueError where the spec has more entries than an array of this shape has axes."""
        if len(aval_shape) < len(self.spec):
            more = "" if aval_shape else " For scalars the PartitionSpec should be P()"
            raise ValueError(
                f"Sharding {self} is only valid for values of rank at least {len(self.spec)}, but was applied to a "
                f"value of rank {len(aval_shape)}.{more}"
            )

    def shard_shape(self, global_shape: Shape) -> Shape:
        """The shape of each part of an array of this shape. Raises IndivisibleError where the parts would differ."""
        self.check_compatible_aval(global_shape)
        return sizes_of_part(self.mesh, self.spec, global_shape, self)

    def devices_indices_map(self, global_shape: Shape) -> Mapping[Device, Index]:
        return dict(zip(self.device_list, self._indices(tuple(global_shape)), strict=True))

    @functools.lru_cache(maxsize=4096)  # noqa: B019 (shardings are few, and equal ones share the entry)
    def _indices(self, shape: Shape) -> list[Index]:
        """The part of each device, in the order of the mesh."""
        sizes, partitions = self.shard_shape(shape), entries(self.spec, len(shape))
        return [index_of(sizes, partitions, where) for where in places(self.mesh, partitions)]

    def _parts(self, ndim: int) -> Any:
        return tuple(places(self.mesh, entries(self.spec, ndim)))

    def is_equivalent_to(self, other: Any, ndim: int) -> bool:
        """Whether each device holds the same part of an array of `ndim` axes."""
        if isinstance(self.mesh, AbstractMesh):
            return self.mesh.size == other.num_devices and self._parts(ndim) == other._parts(ndim)
        return super().is_equivalent_to(other, ndim)

    # in types

    def matches(self, other: "NamedSharding") -> bool:
        """Whether a type may have the one or the other: along Explicit axes they must be equal."""
        return self == other or not (self.mesh.explicit_axes or other.mesh.explicit_axes)

    def typed(self, aval: ShapedArray) -> ShapedArray:
        """The type of an array of type `aval` that is divided so."""
        return typed(aval, self)

    def told(self, order: Sequence[int] | None = None) -> "NamedSharding | None":
        """This sharding for axes in another order; None where no mesh axis is Explicit."""
        if not self.mesh.explicit_axes:
            return None
        entries = self.spec.partitions
        return self if order is None else self.update(spec=self.spec.update(partitions=[entries[d] for d in order]))

    def of(self, entries: Sequence[Partition]) -> "NamedSharding":
        """The sharding of an array whose axes are divided so, on the same mesh."""
        return self.update(spec=P(*entries))

    def without_axis(self, axis: int) -> "NamedSharding":
        """The sharding of one element along this axis."""
        entries = self.spec.partitions
        return self.update(spec=self.spec.update(partitions=entries[:axis] + entries[axis + 1 :]))

    def with_axis(self, axis: int, partition: Partition = None) -> "NamedSharding":
        """The sharding with a new axis that is divided so."""
        entries = self.spec.partitions
        return self.update(spec=self.spec.update(partitions=(*entries[:axis], partition, *entries[axis:])))

    def extent_text(self, aval: ShapedArray, mesh_axis_types: bool = False) -> str:
        """The sizes of a type's axes and what divides them: `[8@x,4]{V:y}`."""
        axes = f"({self.axis_types_text()})" if mesh_axis_types else ""
        return f"[{self.sizes_text(aval.shape)}]{self.varying_text(aval.vma)}{axes}"

    def axis_types_text(self) -> str:
        """Which axes of the mesh are of which type."""
        kinds = dict.fromkeys(self.mesh.axis_types)
        return str({kind: tuple(n for n, t in self.mesh.type_of.items() if t is kind) for kind in kinds})

    def sizes_text(self, shape: Shape) -> str:
        """The sizes of the axes as a type shows them: `8@x,4,16@(y,z)`."""
        return ",".join(
            f"{size}@{_axis_text(p)}" if p is not None else str(size)
            for size, p in zip(shape, self.spec.partitions, strict=True)
        )

    def varying_text(self, vma: frozenset[AxisName]) -> str:
        """`{V:x, U:y}`: along which axes it varies, is not yet summed, or is already summed."""
        kinds = (("V", vma), ("U", self.spec.unreduced), ("R", self.spec.reduced))
        told = [f"{letter}:{_axis_text(partition_of(self.mesh.in_order(axes)))}" for letter, axes in kinds if axes]
        return f"{{{', '.join(told)}}}" if told else ""


def _axis_text(partition: Partition) -> str:
    return f"({','.join(map(str, partition))})" if isinstance(partition, tuple) else str(partition)


def _rebuild(mesh: Any, spec: PartitionSpec, memory_kind: str | None) -> NamedSharding:
    return NamedSharding(mesh, spec, memory_kind=memory_kind)


# ---- what a spec may say


@functools.lru_cache(maxsize=4096)
def check_spec(mesh: BaseMesh, spec: PartitionSpec) -> None:
    """Raises where a spec names a mesh axis twice, one that is not there, or one that cannot be named so."""
    named = list(itertools.chain.from_iterable(map(axes_of, spec.partitions)))
    twice = {name for name in named if named.count(name) > 1}
    if twice:
        raise DuplicateSpecError(
            "A single NamedSharding spec specification can map every mesh axis to at most one positional dimension, "
            f"but {spec} has duplicate entries for {', '.join(sorted(f'`{name}`' for name in twice))}",
            mesh,
            spec,
        )
    for name in named:
        if name not in mesh.axis_names:
            raise ValueError(f"Resource axis: {name} of {spec} is not found in mesh: {mesh.axis_names}.")
    if not mesh.auto_axes and UNCONSTRAINED in spec.partitions:
        raise ValueError(
            f"{spec} cannot contain `P.UNCONSTRAINED` when no mesh axis_types are `Auto`. "
            f"Got mesh axis_types: {mesh.axis_types}"
        )
    for what, axes in (("unreduced", spec.unreduced), ("reduced", spec.reduced)):
        for name in axes:
            _check_sum_axis(mesh, spec, what, name, axes)


def _check_sum_axis(mesh: BaseMesh, spec: PartitionSpec, what: str, name: AxisName, axes: Any) -> None:
    """Raises ValueError for an unreduced or reduced axis, as `what` says, that is no Explicit axis of the mesh."""
    if name not in mesh.axis_names:
        raise ValueError(
            f"{what.capitalize()} axes {name} is not found in mesh.axis_names={mesh.axis_names}. Got pspec={spec}"
        )
    if mesh.type_of[name] is not AxisType.Explicit:
        raise ValueError(
            f"{what.capitalize()} axes can only refer to mesh axes that is of type `Explicit`. "
            f"Got {what} axes: {axes} and mesh: {mesh}"
        )


# ---- shardings of types


@functools.lru_cache(maxsize=8192)
def typed(aval: ShapedArray, sharding: NamedSharding) -> ShapedArray:
    """`aval`, divided as `sharding` says along the Explicit axes of its mesh; the type does not show others.

    Raises ValueError where an axis cannot be divided evenly.
    """
    if len(sharding.spec) > aval.ndim:
        sharding.check_compatible_aval(aval.shape)
    mesh: AbstractMesh = sharding.mesh.abstract_mesh
    spec = shown(sharding.spec, mesh, aval.ndim)
    found = NamedSharding(mesh, spec)
    check_divisible(found, aval.shape)
    space = "device" if sharding.memory_kind is None else memory_space(sharding.memory_kind)
    return aval.update(sharding=found, memory_space=space)


def shown(spec: PartitionSpec, mesh: BaseMesh, ndim: int) -> PartitionSpec:
    """The spec as a type shows it: an entry for each axis of the array, and only Explicit mesh axes."""
    explicit = frozenset(mesh.explicit_axes)
    entries = [partition_of(name for name in axes_of(p) if name in explicit) for p in spec.partitions]
    entries += [None] * (ndim - len(entries))
    sums = dict(unreduced=spec.unreduced & explicit, reduced=spec.reduced & explicit)
    return P(*entries, **sums, unreduced_kind=spec.unreduced_kind if sums["unreduced"] else None)


def check_divisible(sharding: NamedSharding, shape: Shape) -> None:
    """Raises ValueError where an axis is no multiple of the number of its parts."""
    for axis, (partition, size) in enumerate(zip(sharding.spec.partitions, shape, strict=False)):
        parts = sharding.parts_along(partition)
        if size % parts:
            raise ValueError(
                f"Sharding spec {axes_of(partition)} implies that array axis {axis} is partitioned {parts} times, but "
                f"does not evenly divide the dimension size {size}. Got shape: {shape} and sharding {sharding}"
            )


@functools.cache
def _in_no_mesh(ndim: int) -> NamedSharding:
    return NamedSharding(empty_abstract_mesh, P(*(None,) * ndim))


undivided.append(_in_no_mesh)
