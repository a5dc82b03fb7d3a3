"""`ArrayImpl`: the array that has a value. An aval, a list of buffers, a sharding, and `committed`.

A buffer is a read-only NumPy array, one for each addressable device of the sharding. Here there is one
device a sharding; layer 7 gives the list its meaning.
"""

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import config
from .aval import ShapedArray, shaped, typeof
from .basearray import Array
from .errors import JaxRuntimeError
from .trace import IMMUTABLE, aval_property, truth_value_message

# ---- devices


class Device:
    """A simulated device of this process; all of them compute on the CPU."""

    platform = device_kind = "cpu"
    process_index = 0

    def __init__(self, id: int):
        self.id = id

    @property
    def client(self) -> "Device":
        return self

    def __str__(self) -> str:
        return f"cpu:{self.id}"

    def __repr__(self) -> str:
        return f"CpuDevice(id={self.id})"


@functools.cache
def _device(index: int) -> Device:
    return Device(index)


def devices(backend: str | None = None) -> list[Device]:
    """All devices. Raises RuntimeError for a backend that is not there: only 'cpu' is."""
    if backend == "gpu":
        raise RuntimeError(
            "Unknown backend: 'gpu' requested, but no platforms that are instances of gpu are present. "
            "Platforms present are: cpu"
        )
    if backend not in (None, "cpu"):
        raise RuntimeError(f"Unknown backend {backend}. Available backends are ['cpu']")
    return [_device(i) for i in range(config.num_cpu_devices.value)]


def default_device() -> Device:
    """Where uncommitted values go: the device that `jax.default_device` names, or the first."""
    chosen = config.default_device.value
    return _device(0) if chosen is None else chosen if isinstance(chosen, Device) else devices(chosen)[0]


class SingleDeviceSharding:
    """The placement of a whole array on one device."""

    __slots__ = ("_device", "memory_kind")
    spec = None
    is_fully_replicated = is_fully_addressable = True
    num_devices = 1

    def __init__(self, device: Device, *, memory_kind: str | None = None):
        self._device, self.memory_kind = device, memory_kind or "device"

    @property
    def device_set(self) -> set[Device]:
        return {self._device}

    addressable_devices = device_set

    def shard_shape(self, global_shape: tuple[int, ...]) -> tuple[int, ...]:
        return global_shape

    def is_equivalent_to(self, other: Any, ndim: int) -> bool:
        return getattr(other, "device_set", None) == self.device_set

    def __eq__(self, other: object) -> bool:
        return type(other) is SingleDeviceSharding and other._device is self._device

    def __hash__(self) -> int:
        return hash(self._device)

    def __repr__(self) -> str:
        return f"SingleDeviceSharding(device={self._device!r}, memory_kind={self.memory_kind})"


@functools.lru_cache(maxsize=1024)
def sharding_on(device: Device) -> SingleDeviceSharding:
    return SingleDeviceSharding(device)


class Shard:
    """The part of an array that one device holds."""

    def __init__(self, device: Device, index: tuple[slice, ...], replica_id: int, data: "ArrayImpl"):
        self.device, self.index, self.replica_id, self.data = device, index, replica_id, data

    def __repr__(self) -> str:
        return f"Shard(device={self.device!r}, index={self.index}, replica_id={self.replica_id}, data={self.data})"


# ---- the array


class ArrayImpl:
    """An immutable array with a value. Made by jnp functions and by computing, never by calling this class."""

    __slots__ = ("aval", "_arrays", "_sharding", "_committed", "_plain", "__weakref__")
    __array_priority__ = 100
    __hash__ = None  # type: ignore[assignment]  # equality is elementwise, so an array cannot be a key

    def __init__(self, aval: ShapedArray, arrays: Sequence[np.ndarray], sharding: Any, committed: bool):
        self.aval, self._sharding, self._committed = aval, sharding, committed
        self._arrays: list[np.ndarray] | None = list(arrays)
        self._plain: np.ndarray | None = None  # its memory, once quick.py has found it to be as usual

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

    is_fully_addressable = property(lambda self: True)
    is_fully_replicated = property(lambda self: self._sharding.is_fully_replicated)

    @property
    def addressable_shards(self) -> list[Shard]:
        whole = (slice(None),) * self.ndim
        return [Shard(d, whole, 0, self) for d in self.devices()]

    global_shards = addressable_shards

    def addressable_data(self, index: int) -> "ArrayImpl":
        return self.addressable_shards[index].data

    # its buffers

    @property
    def _value(self) -> np.ndarray:
        """The value as a read-only NumPy array, not copied. Raises RuntimeError once it is deleted."""
        if not self._arrays:
            raise self._deleted()
        return self._arrays[0]

    def _deleted(self) -> RuntimeError:
        return RuntimeError(f"Array has been deleted with shape={self.aval.str_short()}.")

    def is_deleted(self) -> bool:
        return not self._arrays

    def delete(self) -> None:
        """Give the buffers back now; any later use raises."""
        self._arrays, self._plain = [], None

    def give_away(self) -> None:
        """Be deleted as a donated argument is: a result has the buffers."""
        self._arrays = self._plain = None

    def is_ready(self) -> bool:
        return self._value is not None

    def block_until_ready(self) -> "ArrayImpl":
        """This array, once it is computed: here that is at once. Raises JaxRuntimeError on a deleted one."""
        if not self._arrays:
            raise JaxRuntimeError("INVALID_ARGUMENT: BlockHostUntilReady() called on deleted or donated buffer")
        return self

    def copy_to_host_async(self) -> None:
        self.is_ready()

    def unsafe_buffer_pointer(self) -> int:
        return self._value.ctypes.data

    def on_device_size_in_bytes(self) -> int:
        if not self._arrays:
            raise JaxRuntimeError("INVALID_ARGUMENT: GetOnDeviceSizeInBytes() called on deleted or donated buffer")
        return self._value.nbytes

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
        return format(self._value[()], spec) if self.ndim == 0 else format(self._value, spec)

    def __str__(self) -> str:
        return str(self._value)

    def __repr__(self) -> str:
        return array_repr(self._value, self.aval)

    # immutable

    def __setitem__(self, index: Any, value: Any) -> None:
        raise TypeError(IMMUTABLE)

    def __reduce__(self) -> Any:
        return _unpickle, (np.array(self._value), self.weak_type)

    def __copy__(self) -> "ArrayImpl":
        return ArrayImpl(self.aval, [self._value], self._sharding, self._committed)

    def __deepcopy__(self, memo: Any) -> "ArrayImpl":
        return ArrayImpl(self.aval, [read_only(self._value.copy())], self._sharding, self._committed)


def array_repr(value: np.ndarray, aval: ShapedArray) -> str:
    """`Array([0., 1.], dtype=float32)`, with the shape where the elements do not show it."""
    start, width = "Array(", np.get_printoptions()["linewidth"]
    kind = f"dtype={aval.dtype.name}" + ", weak_type=True" * aval.weak_type
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

# ---- committed arrays decide where a computation happens


def device_conflict(where: str, operands: dict[int, ArrayImpl], names: Sequence[str] | None = None) -> ValueError:
    """The error for committed operands on different devices. It keeps the operands, by position, for `with_names`."""
    told = " and ".join(
        f"argument {names[i] if names else f'args[{i}]'} of {where} with shape {x.aval.str_short()} "
        f"and with device ids {sorted(d.id for d in x.devices())} on platform CPU"
        for i, x in operands.items()
    )
    error = ValueError(f"Received incompatible devices for jitted computation. Got {told}")
    error.operands = operands  # type: ignore[attr-defined]
    return error


def with_names(error: ValueError, where: str, names: Sequence[str]) -> ValueError:
    """A device conflict in the words of the function `where`, whose arguments have these names; others as they are."""
    operands = getattr(error, "operands", None)
    return error if operands is None else device_conflict(where, operands, names)


def placement(args: Sequence[Any], where: str) -> tuple[Any, bool]:
    """The (sharding, committed) of a result: that of the committed operands, or the default device.

    Raises ValueError where two committed operands are on different devices, naming both.
    """
    found: tuple[int, ArrayImpl] | None = None
    for i, x in enumerate(args):
        if type(x) is ArrayImpl and x._committed:
            if found is not None and found[1]._sharding != x._sharding:
                raise device_conflict(where, dict([found, (i, x)]))
            found = found or (i, x)
    return (found[1]._sharding, True) if found else (sharding_on(default_device()), False)


Array.register(ArrayImpl)
