"""`ArrayImpl`: the array that has a value. An aval, a list of buffers, a sharding, and `committed`.

A buffer is a read-only NumPy array, one for each device of the sharding. Until layer 7 every sharding has one device.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .aval import ShapedArray, shaped, typeof
from .basearray import Array
from .buffers import holders_of, share
from .devices import Device, Index, Sharding, default_device, divided, joined, key_of, sharding_on
from .errors import JaxRuntimeError
from .trace import IMMUTABLE, aval_property, truth_value_message


class Shard:
    """The part of an array that one device holds."""

    def __init__(self, device: Device, index: Index, replica_id: int, data: "ArrayImpl | None"):
        self.device, self.index, self.replica_id, self.data = device, index, replica_id, data

    def __repr__(self) -> str:
        return f"Shard(device={self.device!r}, index={self.index}, replica_id={self.replica_id}, data={self.data})"


# ---- the array


class ArrayImpl:
    """An immutable array with a value. Made by jnp functions and by computing, never by calling this class."""

    __slots__ = ("aval", "_arrays", "_sharding", "_committed", "_plain", "_whole", "__weakref__")
    __array_priority__ = 100
    __hash__ = None  # type: ignore[assignment]  # equality is elementwise, so an array cannot be a key

    def __init__(self, aval: ShapedArray, arrays: Sequence[np.ndarray], sharding: Any, committed: bool):
        self.aval, self._sharding, self._committed = aval, sharding, committed
        self._arrays: list[np.ndarray] | None = list(arrays)
        self._plain: np.ndarray | None = None  # its memory, once quick.py has found it to be as usual
        self._whole: np.ndarray | None = None  # its value, where that has been joined from several buffers

    # what it is

    @property
    def shape(self) -> tuple[int, ...]:
        return self.aval.shape

    @property
    def dtype(self) -> np.dtype:
        return self.aval.dtype

    @property
    def weak_type(self) -> bool:
        return self.aval.weak_type

    @property
    def ndim(self) -> int:
        return len(self.aval.shape)

    @property
    def size(self) -> int:
        return self.aval.size

    @property
    def itemsize(self) -> int:
        return self.aval.dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self.size * self.itemsize

    def __len__(self) -> int:
        return len(self.aval)

    # where it is

    @property
    def sharding(self) -> Any:
        return self._sharding

    @property
    def committed(self) -> bool:
        return self._committed

    def devices(self) -> set[Device]:
        return self._sharding.device_set

    @property
    def device(self) -> Any:
        """The device of an array that is on one, or the sharding."""
        return next(iter(self.devices())) if self._sharding.num_devices == 1 else self._sharding

    is_fully_addressable = property(lambda self: self._sharding.is_fully_addressable)
    is_fully_replicated = property(lambda self: self._sharding.is_fully_replicated)

    @property
    def addressable_shards(self) -> list[Shard]:
        """The parts that devices of this process hold, in their order."""
        return [shard for shard in self.global_shards if shard.device.is_addressable]

    @property
    def global_shards(self) -> list[Shard]:
        """The parts that the devices hold, in their order; `data` is None where that is a device of another process.

        Devices with equal parts have different replica_ids.
        """
        replicas: dict[Any, int] = {}
        shards: list[Shard] = []
        number = 0
        for device, index in self._sharding.devices_indices_map(self.shape).items():
            key = key_of(index)
            replicas[key] = replicas.get(key, -1) + 1
            data = self.addressable_data(number) if device.is_addressable else None
            number += device.is_addressable
            shards.append(Shard(device, index, replicas[key], data))
        return shards

    def addressable_data(self, index: int) -> "ArrayImpl":
        """The part that the device of this number in this process holds, as an array on that device.

        It has the same buffer: when either is deleted, so is the other.
        """
        return part_of(self._buffers()[index], self, self._own_devices()[index])

    def _own_devices(self) -> list[Device]:
        return [device for device in self._sharding.device_list if device.is_addressable]

    # its buffers

    @property
    def _value(self) -> np.ndarray:
        """The value as a read-only NumPy array, not copied.

        Raises RuntimeError once it is deleted, and where another process has parts of it.
        """
        if not self._arrays:
            self._buffers()
        elif self._sharding.num_devices == 1:
            return self._arrays[0]
        if self._whole is None:
            self._whole = self._found()
        return self._whole

    def _found(self) -> np.ndarray:
        if not self._can_be_read():
            raise RuntimeError(
                "Fetching value for `jax.Array` that spans non-addressable (non process local) devices is not "
                "possible. You can use `jax.experimental.multihost_utils.process_allgather` to print the global array "
                "or use `.addressable_shards` method of jax.Array to inspect the addressable (process local) shards."
            )
        parts = self._buffers()
        return parts[0] if self.is_fully_replicated else read_only(joined(parts, self._sharding, self.shape))

    def _can_be_read(self) -> bool:
        """Whether this process has all of its value."""
        sharding = self._sharding
        return sharding.is_fully_addressable or (sharding.is_fully_replicated and sharding.has_addressable_devices)

    def _buffers(self) -> list[np.ndarray]:
        """The part of each device of this process. Raises RuntimeError once the array is deleted."""
        if self.is_deleted():
            raise RuntimeError(f"Array has been deleted with shape={self.aval.str_short()}.")
        return self._arrays or []

    def is_deleted(self) -> bool:
        return not self._arrays and self._sharding.has_addressable_devices

    def delete(self) -> None:
        """Give the buffers back now; any later use raises, also of the arrays that have one of them too."""
        self._end([])

    def give_away(self) -> None:
        """Be deleted as a donated argument is: a result has the buffers."""
        self._end(None)

    def _end(self, left: list[np.ndarray] | None) -> None:
        for x in (self, *holders_of(self)):
            x._arrays, x._plain, x._whole = left, None, None

    def is_ready(self) -> bool:
        return self._buffers() is not None

    def block_until_ready(self) -> "ArrayImpl":
        """This array, once it is computed: here that is at once. Raises JaxRuntimeError on a deleted one."""
        if self.is_deleted():
            raise JaxRuntimeError("INVALID_ARGUMENT: BlockHostUntilReady() called on deleted or donated buffer")
        return self

    def copy_to_host_async(self) -> None:
        self.is_ready()

    def unsafe_buffer_pointer(self) -> int:
        if self._sharding.num_devices > 1:
            raise JaxRuntimeError("INVALID_ARGUMENT: UnsafeBufferPointer() is supported only for unsharded arrays.")
        return self._value.ctypes.data

    def on_device_size_in_bytes(self) -> int:
        if not self._arrays:
            raise JaxRuntimeError("INVALID_ARGUMENT: GetOnDeviceSizeInBytes() called on deleted or donated buffer")
        return self._arrays[0].nbytes * self._sharding.num_devices

    # to Python and NumPy

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self._value, dtype=dtype) if copy else np.asarray(self._value, dtype=dtype)

    def __dlpack__(self, **options: Any) -> Any:
        if (options.get("max_version") or (0,))[0] >= 1:
            return self._value.__dlpack__(**options)
        # before version 1, DLPack knows of no read-only buffers: it gets a writeable view of the same memory
        return _writeable_view(self._value).__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[Any, int]:
        return self._value.__dlpack_device__()

    def item(self, *args: int) -> Any:
        if not args and self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self._value.item(*args)

    def tolist(self) -> Any:
        return self._value.tolist()

    def tobytes(self, order: str = "C") -> bytes:
        return self._value.tobytes(order)  # type: ignore[arg-type]

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError(truth_value_message(self.aval))
        return bool(self._value)

    def _scalar(self) -> Any:
        if self.ndim:
            raise TypeError(f"Only scalar arrays can be converted to Python scalars; got arr.ndim={self.ndim}")
        return self._value.item()

    def __float__(self) -> float:
        return float(self._scalar())

    def __int__(self) -> int:
        return int(self._scalar())

    def __complex__(self) -> complex:
        return complex(self._scalar())

    def __index__(self) -> int:
        if self.ndim or self.dtype.kind not in "iu":
            raise TypeError("Only integer scalar arrays can be converted to a scalar index.")
        return self._value.item()

    def __format__(self, spec: str) -> str:
        if not self._can_be_read():
            return format(repr(self), spec)
        return format(self._value[()], spec) if self.ndim == 0 else format(self._value, spec)

    def __str__(self) -> str:
        return str(self._value) if self._can_be_read() else repr(self)

    def __repr__(self) -> str:
        return array_repr(self._value if self._can_be_read() else None, self.aval)

    # immutable

    def __setitem__(self, index: Any, value: Any) -> None:
        raise TypeError(IMMUTABLE)

    def __reduce__(self) -> Any:
        return _unpickle, (np.array(self._value), self.weak_type)

    def __copy__(self) -> "ArrayImpl":
        return ArrayImpl(self.aval, self._buffers(), self._sharding, self._committed)

    def __deepcopy__(self, memo: Any) -> "ArrayImpl":
        parts = [read_only(part.copy()) for part in self._buffers()]
        return ArrayImpl(self.aval, parts, self._sharding, self._committed)


def array_repr(value: np.ndarray | None, aval: ShapedArray) -> str:
    """`Array([0., 1.], dtype=float32)`, with the shape where the elements do not show it, or are not known here."""
    start, width = "Array(", np.get_printoptions()["linewidth"]
    kind = f"dtype={aval.dtype.name}" + ", weak_type=True" * aval.weak_type
    if value is None:
        return f"{start}shape={aval.shape}, {kind})"
    if value.size:
        body = np.array2string(value, prefix=start, suffix=",", separator=", ", max_line_width=width)
    else:
        body = f"[], shape={aval.shape}"
    last_line = len(body) - body.rfind("\n") + 1
    gap = " " * len(start) if last_line + len(kind) + 2 > width else " "  # JAX begins no new line here either
    return f"{start}{body},{gap}{kind})"


def read_only(value: np.ndarray) -> np.ndarray:
    """A view of `value` that stays read-only: what owns the memory is closed too, or NumPy could reopen the view."""
    if type(value.base) is np.ndarray:
        value.base.flags.writeable = False
    value.flags.writeable = False
    return value.view()


def _writeable_view(value: np.ndarray) -> np.ndarray:
    interface = dict(value.__array_interface__)
    interface["data"] = (interface["data"][0], False)
    holder = type("Holder", (), {"__array_interface__": interface, "value": value})()
    return np.asarray(holder)


def _unpickle(value: np.ndarray, weak_type: bool) -> ArrayImpl:
    return from_numpy(value, weak_type)


def array_on(value: np.ndarray, aval: ShapedArray, sharding: Sharding, committed: bool) -> ArrayImpl:
    """The array of this type with this value, which is read-only, on the devices of `sharding`."""
    return ArrayImpl(sharding.typed(aval), divided(value, sharding), sharding, committed)


def part_of(part: np.ndarray, x: ArrayImpl, device: Device) -> ArrayImpl:
    """A buffer of `x` as an array by itself."""
    sharding = sharding_on(device)
    if x._sharding.memory_kind != "device":
        sharding = sharding.with_memory_kind(x._sharding.memory_kind)
    out = array_on(part, shaped(part.shape, x.dtype, x.weak_type), sharding, True)
    share(part, device, x, out)
    return out


def from_numpy(value: np.ndarray, weak_type: bool = False, device: Device | None = None) -> ArrayImpl:
    """An array over `value`, which the caller gives away: it becomes read-only. Committed where a device is named."""
    aval = shaped(value.shape, value.dtype, weak_type)
    return ArrayImpl(aval, [read_only(value)], sharding_on(device or default_device()), device is not None)


def numpy_value(x: Any) -> np.ndarray:
    """The value of an argument as a NumPy array of its aval's dtype. Raises OverflowError for a too large int."""
    if type(x) is ArrayImpl:
        return x._value
    dtype = typeof(x).dtype
    if isinstance(x, int) and not isinstance(x, bool) and dtype.kind == "i":
        return int_value(x, dtype)
    return np.asarray(x).astype(dtype, copy=False)


def int_value(x: int, dtype: np.dtype) -> np.ndarray:
    limits = np.iinfo(dtype)
    if not limits.min <= x <= limits.max:
        raise OverflowError(f"Python int {x} too large to convert to {dtype.name}")
    return np.asarray(x, dtype)


aval_property(ArrayImpl)

Array.register(ArrayImpl)
