"""What the joining and parting primitives compute, in NumPy."""

from collections.abc import Sequence

import numpy as np

# ---- joining


def concatenate(*operands: np.ndarray, dimension: int) -> np.ndarray:
    """The operands one behind the other along an axis."""
    return np.concatenate(operands, axis=dimension)


def stack(*operands: np.ndarray, axis: int) -> np.ndarray:
    """The operands side by side along a new axis."""
    return np.stack(operands, axis=axis)


# ---- parting


def unstack(x: np.ndarray, *, axis: int) -> list[np.ndarray]:
    """The slices of x along an axis, each without it."""
    return [np.asarray(piece) for piece in np.moveaxis(x, axis, 0)]


def split(x: np.ndarray, *, sizes: Sequence[int], axis: int) -> list[np.ndarray]:
    """x cut along an axis into pieces of these sizes."""
    return np.split(x, np.cumsum(sizes)[:-1], axis=axis)


# ---- repeating


def tile(x: np.ndarray, *, reps: Sequence[int]) -> np.ndarray:
    """x repeated `reps[i]` times along axis i."""
    return np.tile(x, tuple(reps))
