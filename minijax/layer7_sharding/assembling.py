"""Arrays made from their parts: each device is given its own."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..layer1_core.array import ArrayImpl, numpy_value, read_only
from ..layer1_core.aval import Shape, ShapedArray, canonicalize_shape, shaped, typeof
from ..layer1_core.buffers import share
from ..layer1_core.devices import Index, Sharding, distinct, key_of
from ..layer1_core.dtypes import check_user_dtype_supported
from ..layer1_core.runtime import process_count
from ..layer1_core.tree import tree_map


def make_array_from_callback(
    shape: Any, sharding: Sharding, data_callback: Callable[[Index | None], Any], dtype: Any = None
) -> ArrayImpl:
    """An array of this shape, divided as `sharding` says, whose part at an index is `data_callback(index)`.

    Each distinct part that devices of this process hold is asked for once. Raises ValueError where a part has another
    shape than it should, or another dtype than the first one or the one that is named.
    """
    shape = canonicalize_shape(shape)
    indices = list(sharding.addressable_devices_indices_map(shape).values())
    made = {key_of(index): _part(data_callback(index)) for index, _ in distinct(indices, sharding, shape)}
    parts = [made[key_of(index)] for index in indices]
    if dtype is not None and parts[0].dtype != check_user_dtype_supported(dtype, "make_array_from_callback"):
        raise ValueError(
            "If `dtype` is provided to `jax.make_array_from_callback`, it must match the dtype of the addressable "
            f"shards. Got dtype={np.dtype(dtype).name} and shard dtype={parts[0].dtype.name}`."
        )
    aval = sharding.typed(shaped(shape, parts[0].dtype))
    _check_parts(aval, sharding, parts)
    return ArrayImpl(aval, parts, sharding, True)


def _part(data: Any) -> np.ndarray:
    """One part as a buffer: a copy, of the dtype that it has as an array."""
    return read_only(np.array(numpy_value(data), typeof(data).dtype))


def _check_parts(aval: ShapedArray, sharding: Sharding, parts: Sequence[Any]) -> None:
    """Raises ValueError for a part of another dtype than the array, or of another shape than its parts have."""
    wanted = sharding.shard_shape(aval.shape)
    for part in parts:
        if part.dtype != aval.dtype:
            raise ValueError(
                "Input buffers to `Array` must have matching dtypes. "
                f"Got {part.dtype}, expected {aval.dtype} for buffer: {part}"
            )
        if part.shape != wanted:
            raise ValueError(
                f"Expected shard shape {wanted} doesn't match the single device array shape {part.shape}. "
                f"Shape of Array is {aval.str_short()} with sharding {sharding}"
            )


def make_array_from_process_local_data(sharding: Sharding, local_data: Any, global_shape: Any = None) -> Any:
    """The arrays, divided as `sharding` says, of which each process gives the part that its devices hold.

    `local_data` is a tree of NumPy arrays. Along each axis it has the size of the whole, or that of what the devices of
    this process hold. Without `global_shape` the latter is meant. Raises ValueError where a size is neither.
    """
    return tree_map(lambda data: _from_process(sharding, data, global_shape), local_data)


def _from_process(sharding: Sharding, data: Any, global_shape: Any) -> ArrayImpl:
    data = np.asarray(data)
    held = _held(sharding, data.ndim)
    if global_shape is None:
        shape = tuple(n * parts // len(own) for n, (parts, own) in zip(data.shape, held, strict=True))
    else:
        shape = _checked(global_shape, data.shape, held)
    sizes = sharding.shard_shape(shape)

    def part(index: Any) -> np.ndarray:
        return data[tuple(map(_inside, index, sizes, data.shape, shape, held))]

    return make_array_from_callback(shape, sharding, part)


def _held(sharding: Sharding, ndim: int) -> list[tuple[int, list[int]]]:
    """Along each axis of an array, into how many parts it is divided, and which of them this process holds."""
    tiling = [n // part for n, part in zip(*_tiled(sharding, ndim), strict=True)]
    indices = sharding.addressable_devices_indices_map(tuple(tiling)).values()
    columns = zip(*indices, strict=True) if ndim else ()
    return [(n, sorted({s.start or 0 for s in column})) for n, column in zip(tiling, columns, strict=True)]


def _tiled(sharding: Sharding, ndim: int) -> tuple[Shape, Shape]:
    """The shape of an array that can be divided so, and that of its parts."""
    shape = (sharding.num_devices,) * ndim
    return shape, sharding.shard_shape(shape)


def _checked(global_shape: Any, local_shape: Shape, held: Any) -> Shape:
    """`global_shape`, where each size of the data fits it."""
    if process_count() == 1 and tuple(global_shape) != local_shape:
        raise ValueError(
            "When calling `make_array_from_process_local_data` on a single process, global_shape should be None or "
            f"equal to local_data.shape.Got global_shape={global_shape} and local_data.shape={local_shape}."
        )
    if None in global_shape:
        raise ValueError(f"{global_shape=} has Nones. This is not supported.")
    if len(global_shape) != len(local_shape):
        raise ValueError(
            f"{global_shape=} has another number of axes than the process data, whose shape is {local_shape}."
        )
    for axis, (n, whole, (parts, own)) in enumerate(zip(local_shape, global_shape, held, strict=True)):
        here = whole * len(own) // parts
        if n not in (here, whole):
            raise ValueError(
                "Invalid host data, each dimension should match either global or process shape. In dimension "
                f"{axis}, the process data has {n} elements. Process addresses {here} elements and {global_shape=}."
            )
    return canonicalize_shape(global_shape)


def _inside(place: slice, size: int, local: int, whole: int, held: tuple[int, list[int]]) -> slice:
    """Where the data of this process has what is at this place of the whole."""
    if local == whole:
        return place
    start = held[1].index((place.start or 0) // max(size, 1)) * size
    return slice(start, start + size)


def make_array_from_single_device_arrays(
    shape: Any, sharding: Sharding, arrays: Sequence[ArrayImpl], *, dtype: Any = None
) -> ArrayImpl:
    """The array of this shape whose parts these are, each on the device that shall hold it. Nothing is copied.

    It has their buffers, so when it is deleted, they are too. Raises TypeError for what is no list of arrays,
    ValueError where a part is missing, on a wrong device or of another shape or dtype.
    """
    if not isinstance(arrays, (list, tuple)):
        raise TypeError(
            "jax.make_array_from_single_device_arrays `arrays` argument must be a list or tuple, "
            f"but got {type(arrays)}."
        )
    for x in arrays:
        if not isinstance(x, ArrayImpl):
            raise TypeError(f"Unsupported type for elements in `arrays`: {type(x)}")
    aval = sharding.typed(shaped(canonicalize_shape(shape), arrays[0].dtype if arrays else np.dtype(dtype)))
    by_device = _by_device(arrays, sharding)
    _check_parts(aval, sharding, arrays)
    own = [device for device in sharding.device_list if device in by_device]
    out = ArrayImpl(aval, [by_device[device]._value for device in own], sharding, True)
    for device in own:
        share(by_device[device]._value, device, by_device[device], out)
    return out


def _by_device(arrays: Sequence[ArrayImpl], sharding: Sharding) -> dict[Any, ArrayImpl]:
    """Each array by its device. Raises ValueError where these are not the sharding's devices of this process."""
    ids = [x.device.id for x in arrays]
    if len(set(ids)) < len(ids):
        raise ValueError(
            "When making an array from single-device arrays, the input arrays must be from distinct devices, but got "
            f"device IDs {ids}"
        )
    wanted = sharding.addressable_devices
    if len(arrays) != len(wanted):
        raise ValueError(
            f"Expected {len(wanted)} per-device arrays (this is how many devices are addressable by the "
            f"sharding), but got {len(arrays)}"
        )
    found = {x.device: x for x in arrays}
    if set(found) != wanted:
        raise ValueError(
            "Addressable devices and per-device arrays devices do not match. Sharding contains devices "
            f"{wanted - set(found)} that are not present in per-device arrays. Per-device arrays contain devices "
            f"{set(found) - wanted} that are not present in the sharding."
        )
    return found
