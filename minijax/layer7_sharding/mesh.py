"""Meshes: devices in a grid whose axes have names. An `AbstractMesh` is the grid alone, without the devices."""

import enum
import functools
import math
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..layer1_core import config
from ..layer1_core.devices import Device, devices as all_devices
from .spec import AxisName


class AxisType(enum.Enum):
    """Who decides how arrays are divided along an axis of a mesh: the compiler, the types, or the program by hand."""

    Auto = enum.auto()
    Explicit = enum.auto()
    Manual = enum.auto()

    def __repr__(self) -> str:
        return self.name


AxisTypes = tuple[AxisType, ...]


def _axis_types(names: Sequence[AxisName], types: Any, where: str) -> AxisTypes:
    """A type for each axis; Auto where none is given. Raises TypeError or ValueError for others."""
    types = (AxisType.Auto,) * len(names) if types is None else types if isinstance(types, tuple) else (types,)
    if not all(isinstance(t, AxisType) for t in types):
        raise TypeError(
            f"axis_types passed to {where} must be of type `jax.sharding.AxisType`. "
            f"Got {types} of type {tuple(map(type, types))}"
        )
    if len(names) != len(types):
        raise ValueError(
            "Number of axis names should match the number of axis_types. "
            f"Got axis_names={tuple(names)} and axis_types={types}"
        )
    return types


class Sizes(OrderedDict[AxisName, int]):
    """Sizes by name. Printed alike by all versions of Python."""

    def __repr__(self) -> str:
        return f"OrderedDict({dict(self)})"


class BaseMesh:
    """What meshes with and without devices have in common: sizes, names and types of axes."""

    axis_sizes: tuple[int, ...]
    axis_names: tuple[AxisName, ...]
    axis_types: AxisTypes

    @property
    def size(self) -> int:
        """The number of devices; 0 for the empty mesh."""
        return math.prod(self.axis_sizes) if self.axis_names else 0

    @property
    def empty(self) -> bool:
        return self.size == 0

    @functools.cached_property
    def shape(self) -> Sizes:
        """The size of each axis, by name."""
        return Sizes(self.shape_tuple)

    @functools.cached_property
    def shape_tuple(self) -> tuple[tuple[AxisName, int], ...]:
        return tuple(zip(self.axis_names, self.axis_sizes, strict=True))

    @functools.cached_property
    def type_of(self) -> dict[AxisName, AxisType]:
        """The type of each axis, by name."""
        return dict(zip(self.axis_names, self.axis_types, strict=True))

    def _of_type(self, kind: AxisType) -> tuple[AxisName, ...]:
        return tuple(name for name, t in self.type_of.items() if t is kind)

    @functools.cached_property
    def auto_axes(self) -> tuple[AxisName, ...]:
        return self._of_type(AxisType.Auto)

    @functools.cached_property
    def explicit_axes(self) -> tuple[AxisName, ...]:
        return self._of_type(AxisType.Explicit)

    @functools.cached_property
    def manual_axes(self) -> tuple[AxisName, ...]:
        return self._of_type(AxisType.Manual)

    @property
    def are_all_axes_auto(self) -> bool:
        return bool(self.axis_names) and len(self.auto_axes) == len(self.axis_names)

    @property
    def are_all_axes_explicit(self) -> bool:
        return bool(self.axis_names) and len(self.explicit_axes) == len(self.axis_names)

    @property
    def are_all_axes_manual(self) -> bool:
        return bool(self.axis_names) and len(self.manual_axes) == len(self.axis_names)

    def coordinates(self) -> Iterator[dict[AxisName, int]]:
        """Where each device stands, in order: {'x': 0, 'y': 1}."""
        for index in np.ndindex(*self.axis_sizes):
            yield dict(zip(self.axis_names, index, strict=True))

    def in_order(self, names: Any) -> tuple[AxisName, ...]:
        """These axes, in the order of the mesh."""
        return tuple(name for name in self.axis_names if name in names)

    def _sizes_text(self) -> str:
        return ", ".join(f"'{name}': {size}" for name, size in self.shape_tuple)


class Mesh(BaseMesh):
    """Devices in a grid, an axis for each name.

    `devices` is a NumPy array (or nested lists) of Devices with as many axes as there are names. The axes are Auto
    where no types are given. Raises ValueError where the numbers of axes differ.
    """

    def __init__(self, devices: Any, axis_names: str | Sequence[AxisName], axis_types: Any = None):
        devices = np.array(devices, dtype=object)
        names = (axis_names,) if isinstance(axis_names, str) else tuple(axis_names)
        if None in names:
            raise ValueError(f"Mesh axis names cannot be None. Got: {names}")
        if devices.ndim != len(names):
            raise ValueError(
                "Mesh requires the ndim of its first argument (`devices`) to equal the length of its second argument "
                f"(`axis_names`), but got devices.ndim == {devices.ndim} and len(axis_names) == {len(names)}."
            )
        devices.flags.writeable = False
        self.devices, self.axis_names, self.axis_sizes = devices, names, devices.shape
        self.axis_types = _axis_types(names, axis_types, "Mesh")
        self.device_list: tuple[Device, ...] = tuple(devices.flat) if names else ()
        self._hash = hash((self.device_list, self.axis_sizes, names, self.axis_types))

    def __eq__(self, other: object) -> bool:
        return self is other or (
            type(other) is Mesh
            and self._hash == other._hash
            and self.device_list == other.device_list
            and (self.shape_tuple, self.axis_types) == (other.shape_tuple, other.axis_types)
        )

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> Any:
        return Mesh, (self.devices, self.axis_names, self.axis_types)

    def update(self, devices: Any = None, axis_names: Any = None, axis_types: Any = None) -> "Mesh":
        """This mesh with some fields changed."""
        return Mesh(
            self.devices if devices is None else devices,
            self.axis_names if axis_names is None else axis_names,
            self.axis_types if axis_types is None else axis_types,
        )

    @functools.cached_property
    def abstract_mesh(self) -> "AbstractMesh":
        """The grid without the devices."""
        if not self.axis_names:
            return empty_abstract_mesh
        return AbstractMesh(self.axis_sizes, self.axis_names, self.axis_types, abstract_device=CPU)

    @property
    def device_ids(self) -> np.ndarray:
        return np.array([d.id for d in self.device_list], dtype=int).reshape(self.axis_sizes)

    @property
    def local_devices(self) -> list[Device]:
        """The devices of this process."""
        return list(self.own)

    @functools.cached_property
    def own(self) -> tuple[Device, ...]:
        """The devices of this process, in order."""
        return tuple(device for device in self.device_list if device.is_addressable)

    @property
    def local_mesh(self) -> "Mesh":
        """The part of the mesh with the devices of this process. Raises ValueError where they are no block of it."""
        if not self.is_multi_process:
            return self
        own = np.array([device.is_addressable for device in self.device_list]).reshape(self.axis_sizes)
        block = self.devices[np.ix_(*(np.unique(places) for places in own.nonzero()))]
        if block.size != own.sum() or not block.size:
            raise ValueError(f"The devices of this process are no block of the mesh: {self.local_devices} of {self}")
        return Mesh(block, self.axis_names)

    @functools.cached_property
    def is_multi_process(self) -> bool:
        """Whether its devices are of several processes."""
        return len({device.process_index for device in self.device_list}) > 1

    def __str__(self) -> str:
        return f"Mesh({self._sizes_text()}, axis_types={self.axis_types})" if self.axis_names else "Mesh()"

    def __repr__(self) -> str:
        types = f", axis_types={self.axis_types}" if self.axis_names else ""
        return f"Mesh(axis_sizes={self.axis_sizes}, axis_names={self.axis_names}{types})"

    def __enter__(self) -> "Mesh":
        """`with mesh:`, the old way, says where a PartitionSpec of `with_sharding_constraint` and jit belongs."""
        warnings.warn(
            "`with mesh:` context manager has been deprecated. Please use `with jax.set_mesh(mesh):` instead.",
            DeprecationWarning,
            stacklevel=2,
        )
        _left.then.append(config.entered_mesh.set_here(self))
        return self

    def __exit__(self, *error: Any) -> None:
        _left.then.pop()()


class _Left(threading.local):
    """What is to be done where `with mesh:` is left, in this thread, for the innermost one last."""

    def __init__(self) -> None:
        self.then: list[Callable[[], None]] = []


_left = _Left()


@dataclass(frozen=True, slots=True)
class AbstractDevice:
    """What is known of the devices of an abstract mesh."""

    device_kind: str
    num_cores: int | None
    platform: str

    def _text(self) -> str:
        return f"device_kind={self.device_kind}, num_cores={self.num_cores}, platform={self.platform}"

    def __repr__(self) -> str:
        return f"AbstractDevice({self._text()})"


CPU = AbstractDevice("cpu", None, "cpu")


class AbstractMesh(BaseMesh):
    """Sizes, names and types of a mesh's axes, without devices: what types speak of."""

    def __init__(
        self, axis_sizes: Sequence[int], axis_names: Sequence[AxisName], axis_types: Any = None, *,
        abstract_device: AbstractDevice | None = None,
    ):  # fmt: skip
        self.axis_sizes, self.axis_names = tuple(axis_sizes), tuple(axis_names)
        self.axis_types = _axis_types(self.axis_names, axis_types, "AbstractMesh")
        self.abstract_device = abstract_device
        self._hash = hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.axis_sizes, self.axis_names, self.axis_types, self.abstract_device

    def __eq__(self, other: object) -> bool:
        return self is other or (
            type(other) is AbstractMesh and self._hash == other._hash and self._key() == other._key()
        )

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> Any:
        return _rebuild_abstract, self._key()

    def update(self, axis_sizes: Any = None, axis_names: Any = None, axis_types: Any = None, **device: Any) -> Any:
        """This mesh with some fields changed."""
        return AbstractMesh(
            self.axis_sizes if axis_sizes is None else axis_sizes,
            self.axis_names if axis_names is None else axis_names,
            self.axis_types if axis_types is None else axis_types,
            **({"abstract_device": self.abstract_device} | device),
        )

    def update_axis_types(self, name_to_type: dict[AxisName, AxisType]) -> "AbstractMesh":
        """This mesh with other types of these axes."""
        return self.update(axis_types=tuple((self.type_of | name_to_type)[name] for name in self.axis_names))

    @property
    def abstract_mesh(self) -> "AbstractMesh":
        return self

    def __getattr__(self, name: str) -> Any:
        if name in ("devices", "device_ids", "is_multi_process", "local_devices", "local_mesh"):
            raise ValueError(f"AbstractMesh does not implement {name}")
        raise AttributeError(f"'AbstractMesh' object has no attribute {name!r}")

    def __enter__(self) -> Any:
        raise ValueError("AbstractMesh does not implement __enter__")

    def __exit__(self, *error: Any) -> None:
        raise ValueError("AbstractMesh does not implement __exit__")

    def __repr__(self) -> str:
        device = f", {self.abstract_device._text()}" if self.abstract_device else ""
        return f"AbstractMesh({self._sizes_text() or '()'}, axis_types={self.axis_types}{device})"


def _rebuild_abstract(sizes: Any, names: Any, types: Any, device: Any) -> AbstractMesh:
    return AbstractMesh(sizes, names, types, abstract_device=device)


empty_abstract_mesh = AbstractMesh((), ())
empty_mesh = Mesh(np.empty((), dtype=object), ())


def make_mesh(
    axis_shapes: Sequence[int], axis_names: str | Sequence[AxisName], axis_types: Any = None, *,
    devices: Sequence[Device] | None = None,
) -> Mesh:  # fmt: skip
    """A mesh of the first devices, with Explicit axes unless said otherwise.

    Raises ValueError where there are too few devices.
    """
    sizes = tuple(axis_shapes)
    names = (axis_names,) if isinstance(axis_names, str) else tuple(axis_names)
    found = all_devices() if devices is None else list(devices)
    wanted = math.prod(sizes)
    if len(found) < wanted:
        raise ValueError(f"Number of devices {len(found)} must be >= the product of mesh_shape {sizes}")
    if wanted < 0:
        raise ValueError(f"Number of devices {-wanted} must equal the product of mesh_shape {sizes}")
    types = (AxisType.Explicit,) * len(names) if axis_types is None else axis_types
    return Mesh(np.array(found[:wanted], dtype=object).reshape(sizes), names, types)


def create_device_mesh(
    mesh_shape: Sequence[int], devices: Sequence[Device] | None = None, *, contiguous_submeshes: bool = False,
    allow_split_physical_axes: bool = False,
) -> np.ndarray:  # fmt: skip
    """The devices (all, for None) in a grid of this shape, for `Mesh`. The other arguments are about TPUs.

    Raises ValueError where there are more devices, or fewer.
    """
    found = all_devices() if devices is None else list(devices)
    if len(found) != math.prod(mesh_shape):
        raise ValueError(f"Number of devices {len(found)} must equal the product of mesh_shape {tuple(mesh_shape)}")
    return np.array(found, dtype=object).reshape(mesh_shape)


# ---- the mesh of the context


def get_abstract_mesh() -> AbstractMesh:
    """The mesh that `set_mesh` or a transformation has set here, without devices; the empty one where none has."""
    return config.abstract_mesh.value or empty_abstract_mesh


def get_mesh() -> Mesh:
    """The mesh that `set_mesh` has set here; the empty one where none is set."""
    everywhere = config.everywhere.value
    return empty_mesh if everywhere is None else everywhere.mesh
