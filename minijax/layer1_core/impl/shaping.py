"""What the shaping primitives compute, in NumPy: the same numbers in another arrangement. Many give views."""

from collections.abc import Sequence

import numpy as np

from ..aval import Shape

# ---- broadcast_in_dim


def broadcast_in_dim(x: np.ndarray, *, shape: Shape, broadcast_dimensions: Sequence[int], sharding=None) -> np.ndarray:
    """x stretched to `shape`: axis i of x becomes axis `broadcast_dimensions[i]`, the other axes repeat it."""
    sizes = [1] * len(shape)
    for axis, size in zip(broadcast_dimensions, x.shape, strict=True):
        sizes[axis] = size
    return np.broadcast_to(x.reshape(sizes), shape)


# ---- reshape, squeeze, transpose


def reshape(x: np.ndarray, *, new_sizes: Shape, dimensions: Sequence[int] | None, sharding=None) -> np.ndarray:
    """The elements of x, read with its axes in the order `dimensions`, in rows of the new shape."""
    return (x if dimensions is None else x.transpose(dimensions)).reshape(new_sizes)


def squeeze(x: np.ndarray, *, dimensions: Sequence[int]) -> np.ndarray:
    """x without the axes `dimensions`, which have size 1."""
    return np.squeeze(x, tuple(dimensions))


def transpose(x: np.ndarray, *, permutation: Sequence[int]) -> np.ndarray:
    """Axis i of the result is axis `permutation[i]` of x."""
    return x.transpose(permutation)


# ---- pad


def pad(x: np.ndarray, padding_value: np.ndarray, *, padding_config: Sequence[tuple[int, int, int]]) -> np.ndarray:
    """x with `low` copies of the value ahead of each axis, `high` behind it and `interior` between neighbours.

    A negative low or high cuts elements off. Element j of an axis lands at low + j * (interior + 1).
    """
    sizes, targets, sources = [], [], []
    for n, (low, high, interior) in zip(x.shape, padding_config, strict=True):
        step = interior + 1
        size = low + high + (n and (n - 1) * step + 1)
        first = -(min(low, 0) // step)
        last = min(n, -((low - size) // step))  # one past the last element that lands inside
        sizes.append(size)
        sources.append(slice(first, max(last, first)))
        targets.append(slice(low + first * step, max(low + last * step, 0), step))
    result = np.full(sizes, padding_value, x.dtype)
    result[tuple(targets)] = x[tuple(sources)]
    return result


# ---- making arrays


def iota(*, dtype: np.dtype, shape: Shape, dimension: int, sharding=None) -> np.ndarray:
    """0, 1, 2, ... along one axis, the same along every other one."""
    counts = np.arange(shape[dimension]).astype(dtype)
    return broadcast_in_dim(counts, shape=shape, broadcast_dimensions=(dimension,))


def empty(*, shape: Shape, dtype: np.dtype, out_sharding: object = None) -> np.ndarray:
    """Zeros: what is not specified must still not tell what was in the memory before."""
    return np.zeros(shape, dtype)
