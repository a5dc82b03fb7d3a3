"""Carry out a collective: by the ring algorithm, and by the package's `shard_map`."""

from collections.abc import Sequence

import numpy as np

from .batch_call import words_of_error
from .figure import package_module
from .mesh_placing import SPEC, device_grid, with_auto_axes
from .mesh_recording import Grid
from .ring_algorithms import ALGORITHMS, end_of, numbers, steps_of
from .ring_recording import Recording

Sizes = tuple[tuple[str, int], ...]


def recorded(name: str, sizes: Sizes, axis: str) -> Recording:
    """A collective along one axis of a mesh. What the package refuses is told in the recording."""
    algorithm, groups = ALGORITHMS[name], groups_along(sizes, axis)
    n = len(groups[0])
    start, steps = steps_of(algorithm, groups)
    end = end_of(algorithm, groups, steps[-1].state)
    ring = [(i, (i + 1) % n) for i in range(n)]
    code = algorithm.call.format(axis=axis, ring=ring)
    problem, result = "", ()
    try:
        result = by_package(name, sizes, axis, ring)
    except Exception as error:  # told, where a traceback would say less
        problem = words_of_error(error).rstrip(".")
    return Recording(
        name, code, sizes, axis, groups, start, steps, end, algorithm.finish, algorithm.cost, result, problem
    )


def groups_along(sizes: Sizes, axis: str) -> tuple[tuple[int, ...], ...]:
    """The devices that differ only in their coordinate along `axis`: a group for each of the other coordinates."""
    shape, d = [n for _, n in sizes], [name for name, _ in sizes].index(axis)
    devices = np.arange(np.prod(shape)).reshape(shape)
    rows = np.moveaxis(devices, d, -1).reshape(-1, shape[d])
    return tuple(tuple(map(int, row)) for row in rows)


def by_package(name: str, sizes: Sizes, axis: str, ring: Sequence[tuple[int, int]]) -> tuple[tuple[float, ...], ...]:
    """The numbers that each device gets from `shard_map` of the collective, on simulated devices."""
    names = tuple(each for each, _ in sizes)
    groups = groups_along(sizes, axis)
    count = sum(map(len, groups))
    rows = [numbers(ALGORITHMS[name], d, len(groups[0])) for d in range(count)]
    grid = Grid(sizes, tuple(range(count)))
    with device_grid(grid) as mesh:
        spec, mesh = package_module(SPEC).P(names), with_auto_axes(mesh)
        shard_map = package_module("layer7_sharding.shard_map").shard_map
        f = shard_map(lambda v: called(name, v, axis, ring), mesh=mesh, in_specs=spec, out_specs=spec)
        out = f(np.array(rows, np.float32).ravel())
        found = np.asarray(out).reshape(count, -1)
    return tuple(tuple(map(float, row)) for row in found)


def called(name: str, v: object, axis: str, ring: Sequence[tuple[int, int]]) -> object:
    """The collective of the package as it stands."""
    fun = getattr(package_module("lax"), name)
    match name:
        case "all_gather" | "psum_scatter":
            return fun(v, axis, tiled=True)
        case "ppermute":
            return fun(v, axis, ring)
        case "all_to_all":
            return fun(v, axis, 0, 0, tiled=True)
    return fun(v, axis)
