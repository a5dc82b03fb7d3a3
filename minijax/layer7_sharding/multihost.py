"""`jax.experimental.multihost_utils`: what processes tell each other outside of programs on arrays."""

import zlib
from typing import Any

import numpy as np

from ..layer1_core.array import ArrayImpl, numpy_value
from ..layer1_core.aval import typeof
from ..layer1_core.device_put import spanning
from ..layer1_core.devices import Sharding, processes
from ..layer1_core.dtypes import canonicalize_dtype
from ..layer1_core.runtime import process_count
from ..layer1_core.tree import flatten_axes, tree_flatten, tree_map, tree_unflatten
from .across import gathered
from .assembling import make_array_from_process_local_data
from .mesh import Mesh
from .named import NamedSharding
from .processes import links

# ---- of all processes


def process_allgather(in_tree: Any, tiled: bool = False) -> Any:
    """The arrays of all processes, as NumPy arrays: stacked along a new first axis, or with `tiled` along the first.

    An array that spans processes is brought together as it is; raises ValueError for it without `tiled`.
    """
    return tree_map(lambda x: _of_all(x, tiled), in_tree)


def _of_all(x: Any, tiled: bool) -> np.ndarray:
    if isinstance(x, ArrayImpl) and not x.is_fully_addressable:
        if not tiled:
            raise ValueError("Gathering global non-fully-addressable arrays only supports tiled=True")
        return np.array(gathered(x))
    rows = _rows(_host_value(x))
    return np.concatenate(rows) if tiled and rows[0].ndim else np.stack(rows)


def _host_value(x: Any) -> np.ndarray:
    """The value as NumPy has it, of a dtype that JAX has."""
    value = np.asarray(x)
    return value.astype(canonicalize_dtype(value.dtype), copy=False) if process_count() > 1 else value


def _rows(value: np.ndarray) -> list[np.ndarray]:
    """The values of all processes, in their order."""
    if not links:
        return [value]
    everyone = tuple(range(links[0].size))
    return links[0].gathered(everyone, [value], [1] * len(everyone), value, "process_allgather")


def broadcast_one_to_all(in_tree: Any, is_source: bool | None = None) -> Any:
    """The arrays that one process has, in all: of the first, or of the one where `is_source` is True."""
    source = processes.index == 0 if is_source is None else bool(is_source)
    if not links:
        return tree_map(np.asarray, in_tree)
    marks = _rows(np.array(source))
    found = next((rank for rank, mark in enumerate(marks) if mark), 0)
    everyone = tuple(range(links[0].size))
    return tree_map(lambda x: links[0].broadcast(everyone, _host_value(x), found, "broadcast_one_to_all"), in_tree)


def sync_global_devices(name: str) -> None:
    """Wait until all processes are here. Raises AssertionError where they come with other names."""
    assert_equal(np.uint32(zlib.crc32(name.encode())), f"sync_global_devices name mismatch ('{name}')")


def assert_equal(in_tree: Any, fail_message: str = "") -> None:
    """Raises AssertionError where the arrays are not the same in all processes."""
    for x in tree_flatten(in_tree)[0]:
        value = _host_value(x)
        rows = _rows(value)
        if any(not np.array_equal(rows[0], row) for row in rows):
            expected = np.concatenate(list(map(np.atleast_1d, rows)))
            raise AssertionError(f"{fail_message}. Expected: {expected}; got: {value}.")


# ---- arrays of a process, and of all


def host_local_array_to_global_array(local_inputs: Any, global_mesh: Mesh, pspecs: Any) -> Any:
    """Arrays of which each process has its part, as arrays of all: see `make_array_from_process_local_data`."""
    leaves, tree = tree_flatten(local_inputs)
    specs = flatten_axes("host_local_array_to_global_array pspecs", tree, pspecs)
    made = [
        x if isinstance(x, ArrayImpl) and not x.is_fully_addressable
        else make_array_from_process_local_data(NamedSharding(global_mesh, spec), x)
        for x, spec in zip(leaves, specs, strict=True)
    ]  # fmt: skip
    return tree_unflatten(tree, made)


def global_array_to_host_local_array(global_inputs: Any, global_mesh: Mesh, pspecs: Any) -> Any:
    """Of arrays of all processes the part that devices of this one hold, each as an array on these devices."""
    leaves, tree = tree_flatten(global_inputs)
    specs = flatten_axes("global_array_to_host_local_array pspecs", tree, pspecs)
    places = [NamedSharding(global_mesh.local_mesh, spec) for spec in specs]
    return tree_unflatten(tree, [_local(x, place) for x, place in zip(leaves, places, strict=True)])


def _local(x: ArrayImpl, place: NamedSharding) -> Any:
    parts = x._buffers()
    shape = tuple(n * k for n, k in zip(parts[0].shape, place.tiling(parts[0].ndim), strict=True))
    return ArrayImpl(place.typed(typeof(x).update(shape=shape, sharding=None)), parts, place, True)


# ---- `device_put` where several processes are concerned


def _agreed(x: Any, sharding: Sharding) -> np.ndarray:
    """The value of `x`, which all processes put there: of an array of all, or the same one in each."""
    if isinstance(x, ArrayImpl) and not x.is_fully_addressable:
        _check_same_devices(x, sharding)
        return gathered(x)
    value = np.array(numpy_value(x), typeof(x).dtype)
    if links and len({device.process_index for device in sharding.device_list}) == links[0].size:
        _check_same(value, type(x))
    return value


def _check_same(value: np.ndarray, kind: type) -> None:
    """Raises AssertionError where the processes have different values. They compare checksums first."""
    told = (
        f"{kind} passed to device_put is not the same on each process. Make sure you are passing the same value of "
        f"{kind} on each process."
    )
    looks = zlib.crc32(f"{value.dtype} {value.shape}".encode())
    found = np.array(_rows(np.array([looks, zlib.crc32(value.tobytes())])))
    if len(set(found[:, 0])) > 1:
        raise AssertionError(f"{told} Its shapes or dtypes differ; got: {value.dtype}{list(value.shape)}.")
    if len(set(found[:, 1])) > 1:
        assert_equal(value, told)


def _check_same_devices(x: ArrayImpl, sharding: Sharding) -> None:
    if sharding.num_devices == 1 and x._sharding.num_devices > 1:
        raise ValueError(
            "When the second argument to `device_put` is a Device, the first argument must be a fully addressable "
            f"array or a non-addressable array with a single device sharding. Got value with devices {x.devices()}"
        )
    if x._sharding.device_set != sharding.device_set:
        ids = [sorted(d.id for d in s.device_list) for s in (x._sharding, sharding)]
        raise ValueError(
            "For a cross-host reshard in multi-controller JAX, input and target sharding should have the same set of "
            f"devices. Got input's device set ids: {ids[0]} on platform CPU and target sharding's device set ids: "
            f"{ids[1]} on platform CPU."
        )


spanning.append(_agreed)
