"""Gather: many windows of an array read at once, at places that are data. (Scatter, its mirror, writes them.)"""

import enum
import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import dtypes
from ..aval import Shape, ShapedArray, canonicalize_shape, shaped, typeof
from .families import primitive
from .joining import concatenate
from .shaping import expand_dims


class GatherDimensionNumbers(NamedTuple):
    """How the axes of a gather's operand, indices and result belong together.

    The last axis of the indices holds the components of one start index; the others are batch axes.
    """

    offset_dims: tuple[int, ...]  # axes of the result that run over a window
    collapsed_slice_dims: tuple[int, ...]  # axes of the operand whose window has size 1 and is dropped
    start_index_map: tuple[int, ...]  # component k of an index is a place along this axis of the operand
    operand_batching_dims: tuple[int, ...] = ()  # axes of the operand that run along with ...
    start_indices_batching_dims: tuple[int, ...] = ()  # ... these batch axes of the indices


class GatherScatterMode(enum.Enum):
    """What becomes of a window that sticks out of the operand.

    CLIP moves it inside. FILL_OR_DROP reads a fill value, and writes nothing. PROMISE_IN_BOUNDS: the caller
    promises that there is none; should there be one, a gather clips and a scatter drops.
    """

    CLIP = enum.auto()
    FILL_OR_DROP = enum.auto()
    PROMISE_IN_BOUNDS = enum.auto()
    ONE_HOT = enum.auto()

    @staticmethod
    def from_any(mode: "str | GatherScatterMode | None") -> "GatherScatterMode":
        """The mode that a `mode=` argument names. Raises ValueError for an unknown name."""
        if isinstance(mode, GatherScatterMode):
            return mode
        if mode not in _MODE_OF_NAME:
            raise ValueError(f'Unknown gather mode "{mode}"')
        return _MODE_OF_NAME[mode]


_MODE_OF_NAME = {
    None: GatherScatterMode.FILL_OR_DROP,
    "fill": GatherScatterMode.FILL_OR_DROP,
    "drop": GatherScatterMode.FILL_OR_DROP,
    "clip": GatherScatterMode.CLIP,
    "promise_in_bounds": GatherScatterMode.PROMISE_IN_BOUNDS,
    "one_hot": GatherScatterMode.ONE_HOT,
}


# ---- what dimension numbers must satisfy, for gather and scatter alike


def check_sorted(op: str, name: str, dims: Sequence[int]) -> None:
    if any(a > b for a, b in itertools.pairwise(dims)):
        raise TypeError(f"{name} in {op} op must be sorted; got {dims}")


def check_distinct(op: str, name: str, dims: Sequence[int]) -> None:
    if len(set(dims)) != len(dims):
        raise TypeError(f"{name} in {op} op must not repeat; got: {dims}.")


def check_in_range(op: str, name: str, dims: Sequence[int], rank: int) -> None:
    for d in dims:
        if not 0 <= d < rank:
            raise TypeError(f"Invalid {name} set in {op} op; valid range is [0, {rank}); got: {d}.")


def check_disjoint(op: str, names: tuple[str, str], dims: Sequence[int], others: Sequence[int]) -> None:
    if set(dims) & set(others):
        raise TypeError(f"{names[0]} and {names[1]} in {op} op must be disjoint; got: {dims} and {others}.")


def check_dims(op: str, name: str, dims: Sequence[int], rank: int) -> None:
    """`dims` are axes of an array of this rank, sorted, none twice."""
    check_sorted(op, name, dims)
    check_distinct(op, name, dims)
    check_in_range(op, name, dims, rank)


def check_index_axis(op: str, indices: ShapedArray) -> None:
    """The indices have a last axis, which holds the components of an index."""
    if not indices.ndim:
        raise TypeError(
            f"{op} index leaf dimension must be within [0, rank(indices) + 1). "
            f"rank(indices) is 0 and {op.lower()} index leaf dimension is -1."
        )


def check_batching(
    op: str, indices: ShapedArray, operand_dims: Sequence[int], indices_dims: Sequence[int], indices_name: str
) -> None:
    """The batching axes of the indices: as many as the operand has, and not the index axis."""
    check_distinct(op.lower(), indices_name, indices_dims)
    check_in_range(op.lower(), indices_name, indices_dims, indices.ndim)
    if indices.ndim - 1 in indices_dims:
        raise TypeError(f"{op} op cannot have the index vector dimension as a batching dimension; got {indices_dims}.")
    if len(operand_dims) != len(indices_dims):
        raise TypeError(
            f"{op} op requires equal numbers of operand_batching_dims and {indices_name}, "
            f"got {operand_dims} and{' ' * (op == 'Scatter')}{indices_dims}."
        )


def check_batch_shapes(op: str, what: str, operand_shape: Shape, other_shape: Shape) -> None:
    if operand_shape != other_shape:
        raise TypeError(
            f"{op} op requires operand batching dimensions and {what} batching dimensions to have the same shape, "
            f"got {operand_shape} and {other_shape}."
        )


# ---- gather


def _check_gather_dims(x: ShapedArray, indices: ShapedArray, numbers: GatherDimensionNumbers) -> None:
    offset, collapsed, index_map, operand_batch, indices_batch = numbers
    check_index_axis("Gather", indices)
    check_sorted("gather", "offset_dims", offset)
    check_distinct("gather", "offset_dims", offset)
    rank = len(offset) + indices.ndim - 1
    for i, d in enumerate(offset):
        if not 0 <= d < rank:
            raise TypeError(
                f"Offset dimension {i} in gather op is out of bounds; got {d}, but should have been in [0, {rank})"
            )
    if len(index_map) != indices.shape[-1]:
        raise TypeError(
            f"Gather op has {len(index_map)} elements in start_index_map and the bound of dimension "
            f"index_vector_dim={indices.ndim - 1} of indices is {indices.shape[-1]}. These two numbers must be equal."
        )
    for i, d in enumerate(index_map):
        if not 0 <= d < x.ndim:
            raise TypeError(f"Invalid start_index_map; domain is [0, {x.ndim}), got: {i}->{d}.")
    check_distinct("gather", "start_index_map", index_map)
    check_dims("gather", "collapsed_slice_dims", collapsed, x.ndim)
    check_dims("gather", "operand_batching_dims", operand_batch, x.ndim)
    check_disjoint("gather", ("collapsed_slice_dims", "operand_batching_dims"), collapsed, operand_batch)
    check_disjoint("gather", ("start_index_map", "operand_batching_dims"), index_map, operand_batch)
    check_batching("Gather", indices, operand_batch, indices_batch, "start_indices_batching_dims")
    shapes = (tuple(a.shape[d] for d in dims) for a, dims in ((x, operand_batch), (indices, indices_batch)))
    check_batch_shapes("Gather", "indices", *shapes)


def _check_slice_sizes(x: ShapedArray, indices: ShapedArray, numbers: GatherDimensionNumbers, sizes: Shape) -> None:
    offset, collapsed, _, operand_batch, _ = numbers
    if len(sizes) != x.ndim:
        raise TypeError(
            "Gather op must have one slice size for every input dimension; "
            f"got: len(slice_sizes)={len(sizes)}, input_shape.rank={x.ndim}"
        )
    if len(sizes) != len(offset) + len(collapsed) + len(operand_batch):
        raise TypeError(
            "All components of the offset index in a gather op must either be a offset dimension or explicitly "
            f"collapsed/batching; got len(slice_sizes)={len(sizes)}, output_slice_sizes={offset}, "
            f"collapsed_slice_dims={collapsed}, operand_batching_dims={operand_batch}."
        )
    for i, (size, n) in enumerate(zip(sizes, x.shape, strict=True)):
        if indices.size and not 0 <= size <= n:
            raise TypeError(
                f"Slice size at index {i} in gather op is out of range, must be within [0, {n} + 1), got {size}."
            )
    for i, d in enumerate(collapsed):
        if sizes[d] != 1:
            raise TypeError(
                "Gather op can only collapse slice dims with bound 1, "
                f"but bound is {sizes[d]} for index {d} at position {i}."
            )
    for i, d in enumerate(operand_batch):
        if sizes[d] > 1:
            raise TypeError(
                "Gather op can only have operand batching dims with bound 0/1, "
                f"but bound is {sizes[d]} for index {d} at position {i}."
            )


def _gather_rule(
    x: ShapedArray, indices: ShapedArray, *, dimension_numbers: GatherDimensionNumbers, slice_sizes: Shape, **_: Any
) -> ShapedArray:
    _check_gather_dims(x, indices, dimension_numbers)
    _check_slice_sizes(x, indices, dimension_numbers, slice_sizes)
    if not dtypes.issubdtype(indices.dtype, np.integer):
        raise ValueError("indices must have an integer type")
    offset, collapsed, _map, operand_batch, _batch = dimension_numbers
    window = iter(n for d, n in enumerate(slice_sizes) if d not in (*collapsed, *operand_batch))
    batch = iter(indices.shape[:-1])
    shape = (next(window if i in offset else batch) for i in range(len(offset) + indices.ndim - 1))
    return shaped(tuple(shape), x.dtype, x.weak_type)


gather_p = primitive("gather", _gather_rule)


def gather(
    operand: Any,
    start_indices: Any,
    dimension_numbers: GatherDimensionNumbers,
    slice_sizes: Sequence[int],
    *,
    unique_indices: bool = False,
    indices_are_sorted: bool = False,
    mode: str | GatherScatterMode | None = None,
    fill_value: Any = None,
) -> Any:
    """The windows of `slice_sizes` of `operand` that start at the last axis of `start_indices`.

    x[ids] for rows of x, in these terms: every window is one row, whose axis of size 1 is dropped.

    >>> rows = GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,))
    >>> gather(np.arange(6).reshape(3, 2), np.array([[2], [0]]), rows, slice_sizes=(1, 2))
    Array([[4, 5],
           [0, 1]], dtype=int32)
    """
    parsed = GatherScatterMode.PROMISE_IN_BOUNDS if mode is None else GatherScatterMode.from_any(mode)
    if parsed is GatherScatterMode.ONE_HOT:
        raise NotImplementedError("gather with mode='one_hot': multiply by jax.nn.one_hot(...) instead")
    fills = parsed is GatherScatterMode.FILL_OR_DROP
    if fills and fill_value is None:
        fill_value = default_fill_value(typeof(operand).dtype)
    return gather_p.bind(
        operand,
        start_indices,
        dimension_numbers=dimension_numbers,
        slice_sizes=canonicalize_shape(slice_sizes),
        unique_indices=bool(unique_indices),
        indices_are_sorted=bool(indices_are_sorted),
        mode=parsed,
        fill_value=fill_value if fills else None,
    )


def default_fill_value(dtype: Any) -> Any:
    """What reading outside gives: NaN, the most negative or (unsigned) the largest integer, True."""
    if dtypes.issubdtype(dtype, np.inexact):
        return np.nan
    if dtype == np.bool_:
        return True
    if dtypes.is_extended(dtype):
        return dtype.fill_value
    info = dtypes.iinfo(dtype)
    return int(info.max if dtypes.issubdtype(dtype, np.unsignedinteger) else info.min)


def index_take(src: Any, idxs: Sequence[Any], axes: Sequence[int]) -> Any:
    """The slices of `src` at idxs[k][i] along axis axes[k], for each i; indices wrap around."""
    indices = concatenate([expand_dims(i, (1,)) for i in idxs], 1)
    sizes = np.array([src.shape[axis] for axis in axes], np.int32)
    indices = indices % expand_dims(sizes, (0,))
    slice_sizes = [1 if d in axes else n for d, n in enumerate(src.shape)]
    offset_dims = tuple(range(1, src.ndim - len(axes) + 1))
    return gather(src, indices, GatherDimensionNumbers(offset_dims, tuple(axes), tuple(axes)), slice_sizes)
