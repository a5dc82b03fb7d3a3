"""What the slicing primitives compute: static slices, and windows whose place is an operand."""

import numpy as np

from ..aval import Shape


def slice_(x: np.ndarray, *, start_indices: Shape, limit_indices: Shape, strides: Shape | None) -> np.ndarray:
    """x[start:limit:stride] along every axis, as a view."""
    strides = strides or (1,) * x.ndim
    return x[(..., *map(slice, start_indices, limit_indices, strides))]


def rev(x: np.ndarray, *, dimensions: Shape) -> np.ndarray:
    """x with the axes in `dimensions` read from the end, as a view."""
    return x[(..., *(slice(None, None, -1 if d in dimensions else 1) for d in range(x.ndim)))]


def dynamic_slice(x: np.ndarray, *starts: np.ndarray, slice_sizes: Shape) -> np.ndarray:
    """The window of `slice_sizes` that begins at `starts`, as a view."""
    return x[window_inside(x.shape, starts, slice_sizes)]


def dynamic_update_slice(x: np.ndarray, update: np.ndarray, *starts: np.ndarray) -> np.ndarray:
    """x with `update` written over the window that begins at `starts`."""
    out = x.copy()
    out[window_inside(x.shape, starts, update.shape)] = update
    return out


def window_inside(shape: Shape, starts: tuple[np.ndarray, ...], sizes: Shape) -> tuple:
    """The index of a window of `sizes` in an array of `shape`; one that would stick out is moved inside.

    >>> window_inside((5,), (np.int32(4),), (2,))
    (Ellipsis, slice(3, 5, None))
    """
    firsts = [min(max(int(start), 0), n - size) for start, n, size in zip(starts, shape, sizes, strict=True)]
    return (..., *(slice(first, first + size) for first, size in zip(firsts, sizes, strict=True)))
