"""Arrays made from their parts: each device is given its own."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..layer1_core.array import ArrayImpl, numpy_value, read_only
from ..layer1_core.aval import Shape, ShapedArray, canonicalize_shape, shaped, typeof
from ..layer1_core.devices import Index, Sharding, distinct
from ..layer1_core.dtypes import check_user_dtype_supported


def make_array_from_callback(
    shape: Any, sharding: Sharding, data_callback: Callable[[Index | None], Any], dtype: Any = None
) -> ArrayImpl:
    """An array of this shape, divided as `sharding` says, whose part at an index is `data_callback(index)`.

    Each distinct part is asked for once. Raises ValueError where a part has another shape than it should, or
    another dtype than the one that is named.
    """
    shape = canonicalize_shape(shape)
    indices = list(sharding.devices_indices_map(shape).values())
    made = {_key(index): _part(data_callback(index)) for index, _ in distinct(indices, sharding, shape)}
    parts = [made[_key(index)] for index in indices]
    if dtype is not None and parts[0].dtype != check_user_dtype_supported(dtype, "make_array_from_callback"):
        raise ValueError(
            "If `dtype` is provided to `jax.make_array_from_callback`, it must match the dtype of the addressable "
            f"shards. Got dtype={np.dtype(dtype).name} and shard dtype={parts[0].dtype.name}`."
        )
    return _assembled(sharding.typed(shaped(shape, parts[0].dtype)), sharding, parts)


def _key(index: Index) -> Any:
    return tuple((s.start, s.stop) for s in index)


def _part(data: Any) -> np.ndarray:
    """One part as a buffer: a copy, of the dtype that it has as an array."""
    return read_only(np.array(numpy_value(data), typeof(data).dtype))


def make_array_from_single_device_arrays(
    shape: Any, sharding: Sharding, arrays: Sequence[ArrayImpl], *, dtype: Any = None
) -> ArrayImpl:
    """The array of this shape whose parts these are, each on the device that shall hold it. Nothing is copied.

    Raises TypeError for what is no list of arrays, ValueError where a part is missing, on a wrong device or of
    another shape.
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
    _check_parts(aval, arrays, sharding)
    return _assembled(aval, sharding, [by_device[device]._value for device in sharding.device_list])


def _by_device(arrays: Sequence[ArrayImpl], sharding: Sharding) -> dict[Any, ArrayImpl]:
    ids = [x.device.id for x in arrays]
    if len(set(ids)) < len(ids):
        raise ValueError(
            "When making an array from single-device arrays, the input arrays must be from distinct devices, but got "
            f"device IDs {ids}"
        )
    if len(arrays) != sharding.num_devices:
        raise ValueError(
            f"Expected {sharding.num_devices} per-device arrays (this is how many devices are addressable by the "
            f"sharding), but got {len(arrays)}"
        )
    found = {x.device: x for x in arrays}
    wanted = sharding.device_set
    if set(found) != wanted:
        raise ValueError(
            "Addressable devices and per-device arrays devices do not match. Sharding contains devices "
            f"{wanted - set(found)} that are not present in per-device arrays. Per-device arrays contain devices "
            f"{set(found) - wanted} that are not present in the sharding."
        )
    return found


def _check_parts(aval: ShapedArray, arrays: Sequence[ArrayImpl], sharding: Sharding) -> None:
    told = f"Shape of Array is {aval.str_short()} with sharding {sharding}"
    wanted: Shape = sharding.shard_shape(aval.shape)
    for x in arrays:
        if x.shape != wanted:
            raise ValueError(
                f"Expected shard shape {wanted} doesn't match the single device array shape {x.shape}. {told}"
            )
        if x.dtype != aval.dtype:
            raise ValueError(
                "Input buffers to `Array` must have matching dtypes. "
                f"Got {x.dtype}, expected {aval.dtype} for buffer: {x}"
            )


def _assembled(aval: ShapedArray, sharding: Sharding, parts: Sequence[np.ndarray]) -> ArrayImpl:
    wanted = sharding.shard_shape(aval.shape)
    for part in parts:
        if part.shape != wanted:
            raise ValueError(
                f"Expected shard shape {wanted} doesn't match the single device array shape {part.shape}. "
                f"Shape of Array is {aval.str_short()} with sharding {sharding}"
            )
    return ArrayImpl(aval, parts, sharding, True)
