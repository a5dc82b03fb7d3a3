"""Devices, their memories, and the sharding of an array that is whole, on one device."""

import functools
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from . import config
from .aval import Shape, ShapedArray
from .errors import JaxRuntimeError

Index = tuple[slice, ...]  # (slice(0, 2), slice(None)): the part of an array that a device holds


class Memory:
    """A memory of a device. On a CPU all are the same, and differ in name."""

    def __init__(self, kind: str, id: int, process_index: int = 0):
        self.kind, self.id, self.process_index = kind, id, process_index

    platform = "cpu"

    def __repr__(self) -> str:
        return f"{_PRINTED[self.kind][0]}_{self.id}"

    def __str__(self) -> str:
        return f"{_PRINTED[self.kind][1]}(id={self.id}, process_index={self.process_index}, client=cpu)"


_PRINTED = {
    "device": ("CPU_DEVICE", "CpuDeviceMemory"),
    "pinned_host": ("PINNED_HOST", "PinnedHostMemory"),
    "unpinned_host": ("UNPINNED_HOST", "UnpinnedHostMemory"),
}
MEMORY_KINDS = tuple(_PRINTED)
_SPACES = {"device": "device", None: "device", "pinned_host": "host", "unpinned_host": "host"}


def memory_space(kind: str | None) -> str:
    """The memory space that an array's type shows for a kind of memory."""
    return _SPACES[kind]


def _unknown_memory(kind: str) -> str:
    return (
        f"Could not find memory addressable by device cpu. Device cpu can address the following memory kinds: "
        f"{', '.join(MEMORY_KINDS)}. Got memory kind: {kind}"
    )


def check_memory_kind(kind: str | None) -> None:
    """Raises ValueError for a kind of memory that no device has."""
    if kind not in _SPACES:
        raise ValueError(_unknown_memory(str(kind)))


class Processes:
    """The processes that run the program together: the number of this one, and how many devices each has.

    One process alone has as many devices as the flag `jax_num_cpu_devices` says. Chapter 7 brings several.
    """

    def __init__(self) -> None:
        self.index, self.devices = 0, ()

    index: int
    devices: tuple[int, ...]  # () for one process alone


processes = Processes()
IDS = 2048  # so far apart are the ids of the devices of two processes


class Device:
    """A simulated device; all of them compute on the CPU."""

    platform = device_kind = "cpu"

    def __init__(self, id: int):
        self.id = id
        self.process_index = self.host_id = self.task_id = id // IDS

    @property
    def is_addressable(self) -> bool:
        """Whether it is a device of this process."""
        return self.process_index == processes.index

    @property
    def local_hardware_id(self) -> int | None:
        """Its number in this process; None for a device of another one."""
        return self.id % IDS if self.is_addressable else None

    @property
    def client(self) -> "Device":
        return self

    @functools.cached_property
    def _memories(self) -> tuple[Memory, ...]:
        return tuple(
            Memory(kind, len(MEMORY_KINDS) * self.id + i, self.process_index) for i, kind in enumerate(MEMORY_KINDS)
        )

    def addressable_memories(self) -> list[Memory]:
        """The memories that the device can use."""
        return list(self._memories)

    def default_memory(self) -> Memory:
        """The memory where arrays are put that name none."""
        return self._memories[0]

    def memory(self, kind: str) -> Memory:
        """The memory of this kind. Raises JaxRuntimeError where there is none."""
        if kind not in MEMORY_KINDS:
            raise JaxRuntimeError(f"INVALID_ARGUMENT: {_unknown_memory(kind)}")
        return self._memories[MEMORY_KINDS.index(kind)]

    def memory_stats(self) -> None:
        """How full its memory is: a CPU does not tell."""

    def __str__(self) -> str:
        return f"cpu:{self.id}"

    def __repr__(self) -> str:
        return f"CpuDevice(id={self.id})"

    def __reduce__(self) -> Any:
        return _device, (self.id,)


@functools.cache
def _device(index: int) -> Device:
    return Device(index)


def devices(backend: str | None = None) -> list[Device]:
    """All devices, of all processes. Raises RuntimeError for a backend that is not there: only 'cpu' is."""
    if backend == "gpu":
        raise RuntimeError(
            "Unknown backend: 'gpu' requested, but no platforms that are instances of gpu are present. "
            "Platforms present are: cpu"
        )
    if backend not in (None, "cpu"):
        raise RuntimeError(f"Unknown backend {backend}. Available backends are ['cpu']")
    numbers = processes.devices or (config.num_cpu_devices.value,)
    return [_device(process * IDS + i) for process, number in enumerate(numbers) for i in range(number)]


def are_in_use() -> bool:
    """Whether the program has met a device already."""
    return _device.cache_info().currsize > 0


def default_device() -> Device:
    """Where uncommitted values go: the device that `jax.default_device` names, or the first of this process."""
    chosen = config.default_device.value
    return chosen if isinstance(chosen, Device) else _device(processes.index * IDS)


# ---- shardings


class Sharding:
    """Which device holds which part of an array. A class of shardings says `devices_indices_map` and `memory_kind`."""

    __slots__ = ()
    memory_kind: str | None

    @property
    def device_list(self) -> tuple[Device, ...]:
        """Its devices, in order."""
        raise NotImplementedError

    def devices_indices_map(self, global_shape: Shape) -> Mapping[Device, Index]:
        """For each device, the part that it holds of an array of this shape."""
        raise NotImplementedError

    def shard_shape(self, global_shape: Shape) -> Shape:
        """The shape of each part of an array of this shape."""
        raise NotImplementedError

    def typed(self, aval: ShapedArray) -> ShapedArray:
        """The type of an array of type `aval` that lies here."""
        raise NotImplementedError

    def with_memory_kind(self, kind: str) -> "Sharding":
        """The same parts on the same devices, in memory of this kind."""
        raise NotImplementedError

    is_fully_replicated: Any

    @property
    def is_fully_addressable(self) -> bool:
        """Whether all its devices are of this process."""
        return all(device.is_addressable for device in self.device_list)

    @property
    def has_addressable_devices(self) -> bool:
        return any(device.is_addressable for device in self.device_list)

    @property
    def device_set(self) -> set[Device]:
        return set(self.device_list)

    @property
    def addressable_devices(self) -> set[Device]:
        """Those of this process."""
        return {device for device in self.device_list if device.is_addressable}

    @property
    def num_devices(self) -> Any:
        """How many devices there are, an int."""
        return len(self.device_list)

    def addressable_devices_indices_map(self, global_shape: Shape) -> Mapping[Device, Index]:
        """For each device of this process, the part that it holds."""
        parts = self.devices_indices_map(global_shape)
        return {device: index for device, index in parts.items() if device.is_addressable}

    def is_equivalent_to(self, other: Any, ndim: int) -> bool:
        """Whether each device holds the same part of an array of `ndim` axes."""
        if self == other:
            return True
        same = self.device_list == other.device_list and self.memory_kind == other.memory_kind
        return same and self._parts(ndim) == other._parts(ndim)

    def _parts(self, ndim: int) -> Any:
        """For each device, which part of each axis of an array of `ndim` axes it holds."""
        raise NotImplementedError


class SingleDeviceSharding(Sharding):
    """The placement of a whole array on one device."""

    __slots__ = ("_device", "memory_kind", "_addressable")
    is_fully_replicated = True
    num_devices: Any = 1

    def __init__(self, device: Device, *, memory_kind: str | None = None):
        check_memory_kind(memory_kind)
        self._device, self.memory_kind = device, memory_kind or "device"
        self._addressable = device.is_addressable

    @property
    def device_list(self) -> tuple[Device, ...]:
        return (self._device,)

    def devices_indices_map(self, global_shape: Shape) -> Mapping[Device, Index]:
        return {self._device: (slice(None),) * len(global_shape)}

    def shard_shape(self, global_shape: Shape) -> Shape:
        return global_shape

    def check_compatible_aval(self, aval_shape: Shape) -> None:
        """Any array can be here."""

    def with_memory_kind(self, kind: str) -> "SingleDeviceSharding":
        return SingleDeviceSharding(self._device, memory_kind=kind)

    def typed(self, aval: ShapedArray) -> ShapedArray:
        """Its type says in which memory it is, and nothing of the device."""
        space = memory_space(self.memory_kind)
        if aval.memory_space == space and aval.is_undivided:
            return aval
        return aval.update(memory_space=space, sharding=None)

    def _parts(self, ndim: int) -> Any:
        return ((0,) * ndim,)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            type(other) is SingleDeviceSharding
            and other._device is self._device
            and other.memory_kind == self.memory_kind
        )

    def __hash__(self) -> int:
        return hash((self._device, self.memory_kind))

    def __repr__(self) -> str:
        return f"SingleDeviceSharding(device={self._device!r}, memory_kind={self.memory_kind})"


@functools.lru_cache(maxsize=1024)
def sharding_on(device: Device) -> SingleDeviceSharding:
    """The sharding of a whole array on `device`, always the same object."""
    return SingleDeviceSharding(device)


# ---- values and their parts


def divided(value: np.ndarray, sharding: Sharding) -> list[np.ndarray]:
    """The part of `value` for each device of this process: a view of it, since an array never changes.

    Equal parts are one.
    """
    if type(sharding) is SingleDeviceSharding:
        return [value] if sharding._addressable else []
    made: dict[Any, np.ndarray] = {}
    for index in (indices := sharding.addressable_devices_indices_map(value.shape).values()):
        made.setdefault(key_of(index), value[index] if index else value)
    return [made[key_of(index)] for index in indices]


def key_of(index: Index) -> Any:
    """What equal indices have in common, as a key of a dict: slices are none in Python 3.11."""
    return tuple((s.start, s.stop) for s in index)


def joined(parts: list[np.ndarray], sharding: Sharding, shape: Shape) -> np.ndarray:
    """The value whose parts these are, all of this process: a copy."""
    out = np.empty(shape, parts[0].dtype)
    for index, part in distinct(parts, sharding, shape):
        out[index] = part
    return out


def distinct(parts: list[Any], sharding: Sharding, shape: Shape) -> Iterator[tuple[Index, Any]]:
    """Each part of this process once, with its place; several devices may hold the same one."""
    seen: set[Any] = set()
    for index, part in zip(sharding.addressable_devices_indices_map(shape).values(), parts, strict=True):
        key = key_of(index)
        if key not in seen:
            seen.add(key)
            yield index, part
