"""What gather computes, and where the windows of a gather or a scatter lie.

That is: the start of each window, and for axes of the operand the coordinate at every point of every window.
NumPy's indexing with arrays of integers does the rest.
B: the batch axes of the indices. W: one axis for each axis of the operand, as long as the window.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..aval import Shape
from ..lax.gather import GatherDimensionNumbers, GatherScatterMode


def gather(
    operand: np.ndarray,
    indices: np.ndarray,
    *,
    dimension_numbers: GatherDimensionNumbers,
    slice_sizes: Shape,
    mode: GatherScatterMode,
    fill_value: Any,
    **_: bool,
) -> np.ndarray:
    """The windows of `slice_sizes` of the operand that start at `indices`."""
    offset_dims, collapsed, index_map, operand_batch, indices_batch = dimension_numbers
    starts, inside = starts_inside(indices, index_map, operand.shape, slice_sizes)
    ways = axis_starts(starts, index_map, operand_batch, indices_batch)
    windows = read_windows(operand, ways, slice_sizes, indices.shape[:-1])  # [B, W]
    if mode is GatherScatterMode.FILL_OR_DROP:
        inside = inside.reshape(inside.shape + (1,) * operand.ndim)
        windows = np.where(inside, windows, np.asarray(fill_value).astype(operand.dtype))
    kept = [d for d in range(operand.ndim) if d not in collapsed + operand_batch]
    return to_output_order(windows, kept, offset_dims, indices.ndim - 1)


def starts_inside(indices: np.ndarray, index_map: Shape, shape: Shape, sizes: Shape) -> tuple[np.ndarray, np.ndarray]:
    """The start indices moved so that their windows lie inside, and a mask [B] of those that did."""
    if indices.dtype == np.uint64:
        indices = np.minimum(indices, np.iinfo(np.int64).max)
    starts = indices.astype(np.int64)
    last = [shape[d] - sizes[d] for d in index_map]
    clipped = np.clip(starts, 0, np.array(last, np.int64))
    return clipped, np.all(clipped == starts, axis=-1)


def axis_starts(
    starts: np.ndarray, index_map: Shape, operand_batch: Shape, indices_batch: Shape
) -> dict[int, np.ndarray]:
    """Axis of the operand -> where the windows start along it, [B]. The other axes are read from 0."""
    ways = {d: starts[..., k] for k, d in enumerate(index_map)}
    batch = np.indices(starts.shape[:-1], sparse=True)
    return ways | {d: batch[k] for d, k in zip(operand_batch, indices_batch, strict=True)}


def coordinates(
    ways: dict[int, np.ndarray], axes: Sequence[int], sizes: Shape, batch_rank: int
) -> tuple[np.ndarray, ...]:
    """The coordinate along each of `axes` at every point of every window: shapes that broadcast to [B, *axes]."""
    steps = np.indices([sizes[d] for d in axes], sparse=True)
    starts = [ways.get(d, np.zeros((1,) * batch_rank, np.int64)) for d in axes]
    return tuple(
        start.reshape(start.shape + (1,) * len(axes)) + step for start, step in zip(starts, steps, strict=True)
    )


def read_windows(operand: np.ndarray, ways: dict[int, np.ndarray], sizes: Shape, batch: Shape) -> np.ndarray:
    """All windows, [B, W]. Axes that no index moves along are read as a block, which NumPy copies fast."""
    moving, still = sorted(ways), [d for d in range(operand.ndim) if d not in ways]
    block = operand.transpose(moving + still)[(..., *(slice(sizes[d]) for d in still))]
    windows = block[coordinates(ways, moving, sizes, len(batch))] if moving else block
    windows = np.broadcast_to(windows, batch + windows.shape[windows.ndim - operand.ndim :])
    return windows.transpose([*range(len(batch)), *(np.argsort(moving + still) + len(batch))])


def to_output_order(windows: np.ndarray, kept: Sequence[int], offset_dims: Shape, batch_rank: int) -> np.ndarray:
    """[B, W] -> the window axes `kept` at `offset_dims`, the batch axes at the other places; the rest have size 1."""
    batch, window = iter(range(batch_rank)), iter(d + batch_rank for d in kept)
    order = [next(window) if i in offset_dims else next(batch) for i in range(batch_rank + len(kept))]
    rest = [d for d in range(windows.ndim) if d not in order]
    return windows.transpose(order + rest).reshape([windows.shape[d] for d in order])
