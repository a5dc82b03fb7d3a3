"""Slices: static ones, and windows of a fixed size whose place is data."""

import operator
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from .. import dtypes
from ..array import ArrayImpl
from ..aval import Shape, ShapedArray, canonicalize_shape, shaped, typeof
from ..jit import jit
from ..trace import EVAL, current_trace
from .converting import convert, scalar
from .elementwise import add, lt, select
from .families import all_weak, check_same_dtypes, check_shapelike, primitive
from .joining import unstack
from .shaping import expand_dims, squeeze


def check_each_axis(x: ShapedArray, sizes: Sequence[Any]) -> None:
    """Raises JAX's ValueError where there is not one of `sizes` for each axis of `x`."""
    if len(sizes) != x.ndim:
        which = "shorter" if len(sizes) < x.ndim else "longer"
        raise ValueError(f"safe_map() argument 2 is {which} than argument 1")


def strided(size: int, window: int, stride: int) -> int:
    """How many windows, `stride` apart, lie inside an axis of `size`."""
    return max(0, (size - window) // stride + 1)


# ---- slices at a fixed place


def _slice_rule(x: ShapedArray, *, start_indices: Shape, limit_indices: Shape, strides: Shape | None) -> ShapedArray:
    starts, limits = start_indices, limit_indices
    check_shapelike("slice", "start_indices", starts)
    check_shapelike("slice", "limit_indices", limits)
    check_each_axis(x, starts)
    if len(limits) != len(starts):
        raise TypeError(
            "slice limit_indices must have the same length as start_indices, "
            f"got start_indices {starts} and limit_indices {limits}."
        )
    if any(limit > n for limit, n in zip(limits, x.shape, strict=True)):
        raise TypeError(
            "slice limit_indices must be less than or equal to operand shape, "
            f"got limit_indices {limits} for operand shape {x.shape}."
        )
    if any(start > limit for start, limit in zip(starts, limits, strict=True)):
        raise TypeError(
            "slice limit_indices must be greater than or equal to start_indices, "
            f"got start_indices {starts} and limit_indices {limits}."
        )
    sizes = [limit - start for start, limit in zip(starts, limits, strict=True)]
    return shaped(_strided_sizes(x, sizes, strides), x.dtype, x.weak_type)


def _strided_sizes(x: ShapedArray, sizes: Sequence[int], strides: Shape | None) -> Shape:
    if strides is None:
        return tuple(map(int, sizes))
    check_shapelike("slice", "strides", strides)
    if len(strides) != x.ndim:
        raise TypeError(
            "slice strides must have length equal to the number of dimensions of the operand, "
            f"got strides {strides} for operand shape {x.shape}."
        )
    return tuple(int(strided(n, 1, stride)) for n, stride in zip(sizes, strides, strict=True))


slice_p = primitive("slice", _slice_rule)


def slice(
    operand: Any, start_indices: Sequence[int], limit_indices: Sequence[int], strides: Sequence[int] | None = None
) -> Any:
    """operand[start:limit:stride] along every axis. The bounds must lie inside: nothing wraps and nothing is cut.

    >>> slice(np.arange(6, dtype=np.float32), (1,), (6,), (2,))
    Array([1., 3., 5.], dtype=float32)
    """
    starts, limits = tuple(start_indices), tuple(limit_indices)
    if strides is None and _is_read_dynamically(operand, starts, limits):
        sizes = tuple(np.array(limits) - np.array(starts))  # NumPy's integers, which JAX's messages show
        return dynamic_slice_p.bind(operand, *starts, slice_sizes=sizes)
    steps = None if strides is None else tuple(strides)
    return slice_p.bind(operand, start_indices=starts, limit_indices=limits, strides=steps)


def _is_read_dynamically(x: Any, starts: Sequence[Any], limits: Sequence[Any]) -> bool:
    """Whether dynamic_slice reads these bounds of an array that has a value: where they leave it (JAX moves such a
    slice inside), and where they are arrays, which no parameter can be.
    """
    if not isinstance(x, ArrayImpl) or current_trace.get() is not EVAL or not len(starts) == len(limits) == x.ndim:
        return False
    if not all(hasattr(bound, "__index__") for bound in (*starts, *limits)):
        return False
    if any(isinstance(bound, ArrayImpl) for bound in (*starts, *limits)):
        return True
    return any(not 0 <= start <= limit <= n for start, limit, n in zip(starts, limits, x.shape, strict=True))


def slice_in_dim(operand: Any, start_index: int | None, limit_index: int | None, stride: int = 1, axis: int = 0) -> Any:
    """`operand` sliced along one axis; negative bounds count from the end of it."""
    shape, axis = operand.shape, int(axis)
    starts, limits, strides = [0] * len(shape), list(shape), [1] * len(shape)
    start = 0 if start_index is None else operator.index(start_index)
    limit = shape[axis] if limit_index is None else operator.index(limit_index)
    starts[axis] = start + shape[axis] if start < 0 else start
    limits[axis] = limit + shape[axis] if limit < 0 else limit
    strides[axis] = operator.index(stride)
    return slice(operand, starts, limits, strides)


def index_in_dim(operand: Any, index: int, axis: int = 0, keepdims: bool = True) -> Any:
    """The element `index` along one axis, which stays with size 1 where `keepdims`. Raises IndexError outside."""
    index, axis = operator.index(index), int(axis)
    size = operand.shape[axis]
    place = index + size if index < 0 else index
    if not 0 <= place < size:
        raise IndexError(f"index {index} is out of bounds for axis {axis} with size {size}")
    result = slice_in_dim(operand, place, place + 1, 1, axis)
    return result if keepdims else squeeze(result, (axis,))


def _rev_rule(x: ShapedArray, *, dimensions: tuple[int, ...]) -> ShapedArray:
    check_shapelike("rev", "dimensions", dimensions)
    if len(set(dimensions)) != len(dimensions):
        raise TypeError(f"rev dimensions must be unique, got {dimensions}.")
    if any(d >= x.ndim for d in dimensions):
        raise TypeError(
            f"rev dimensions must all be less than operand ndim, got dimensions {dimensions} for operand ndim {x.ndim}."
        )
    return x


rev_p = primitive("rev", _rev_rule)


def rev(operand: Any, dimensions: Sequence[int]) -> Any:
    """`operand` with these axes read from the end."""
    return rev_p.bind(operand, dimensions=tuple(dimensions))


# ---- windows at a place that is data


def _check_starts(name: str, starts: Sequence[ShapedArray], comma: str) -> None:
    """The start indices are scalars, integers of one dtype. (JAX's two messages differ in their punctuation.)"""
    if any(s.shape for s in starts):
        raise TypeError(f"start_indices arguments to {name} must be scalars{comma} got indices {tuple(starts)}")


def _check_start_dtypes(name: str, starts: Sequence[ShapedArray], colon: str) -> None:
    if any(s.dtype != starts[0].dtype or not dtypes.issubdtype(s.dtype, np.integer) for s in starts):
        told = ", ".join(s.dtype.name for s in starts)
        raise TypeError(f"index arguments to {name} must be integers of the same type, got{colon} {told}")


def _dynamic_slice_rule(x: ShapedArray, *starts: ShapedArray, slice_sizes: Shape) -> ShapedArray:
    check_each_axis(x, slice_sizes)
    if any(size > n for size, n in zip(slice_sizes, x.shape, strict=True)):
        raise TypeError(
            "slice slice_sizes must be less than or equal to operand shape, "
            f"got slice_sizes {slice_sizes} for operand shape {x.shape}."
        )
    if any(size < 0 for size in slice_sizes):
        raise TypeError(f"slice slice_sizes must be greater than or equal to zero, got slice_sizes of {slice_sizes}.")
    _check_starts("dynamic_slice", starts, ", ")
    _check_start_dtypes("dynamic_slice", starts, ":")
    return shaped(slice_sizes, x.dtype, x.weak_type)


dynamic_slice_p = primitive("dynamic_slice", _dynamic_slice_rule)


def dynamic_slice(
    operand: Any,
    start_indices: Any,
    slice_sizes: Sequence[int],
    *,
    allow_negative_indices: bool | Sequence[bool] = True,
) -> Any:
    """The window of `slice_sizes` of `operand` that begins at `start_indices`, one scalar an axis.

    A negative start counts from the end. Then a window that sticks out is moved inside.

    >>> dynamic_slice(np.arange(5), (4,), (2,))
    Array([3, 4], dtype=int32)
    """
    starts = _wrapped_starts(operand.shape, start_indices, allow_negative_indices)
    return dynamic_slice_p.bind(operand, *starts, slice_sizes=canonicalize_shape(slice_sizes))


def _wrapped_starts(shape: Shape, starts: Any, allow_negative: bool | Sequence[bool]) -> list[Any]:
    """The start indices, each with the size of its axis added where it is negative (and may be)."""
    if len(starts) != len(shape):
        raise ValueError(f"Length of slice indices must match number of operand dimensions ({len(starts)} vs {shape})")
    if not isinstance(starts, (tuple, list)):
        if typeof(starts).ndim != 1:
            raise ValueError(f"Slice indices must be a 1D sequence, got {starts.shape}")
        starts = unstack(starts)
    allowed = [allow_negative] * len(shape) if isinstance(allow_negative, bool) else allow_negative
    return [_wrapped(i, n, allow) for i, n, allow in zip(starts, shape, allowed, strict=True)]


def _wrapped(index: Any, size: int, allow_negative: bool) -> Any:
    dtype = typeof(index).dtype
    if isinstance(index, (int, np.integer)):
        if index < 0 and not allow_negative:
            raise ValueError(f"Index {index} is out of bounds for dimension {size} if allow_negative_indices=False")
        return scalar(index + size if index < 0 else index, dtype)
    if not allow_negative or not dtypes.issubdtype(dtype, np.signedinteger):
        return index
    return select(lt(index, scalar(0, dtype)), add(convert(index, dtype), scalar(size, dtype)), index)


def dynamic_slice_in_dim(
    operand: Any, start_index: Any, slice_size: int, axis: int = 0, *, allow_negative_indices: bool = True
) -> Any:
    """dynamic_slice along one axis, whole along the others."""
    starts, allowed = _along(operand.ndim, int(axis), start_index, allow_negative_indices)
    sizes = list(operand.shape)
    sizes[axis] = operator.index(slice_size)
    return dynamic_slice(operand, starts, sizes, allow_negative_indices=allowed)


def _along(ndim: int, axis: int, start: Any, allow_negative: bool) -> tuple[list[Any], list[bool]]:
    """Start indices that are `start` along one axis and 0 along the others, and where negative ones may be."""
    starts, allowed = [scalar(0, typeof(start).dtype)] * ndim, [False] * ndim
    starts[axis], allowed[axis] = start, allow_negative
    return starts, allowed


@partial(jit, static_argnames=["axis", "keepdims", "allow_negative_indices"])
def dynamic_index_in_dim(
    operand: Any, index: Any, axis: int = 0, keepdims: bool = True, *, allow_negative_indices: bool = True
) -> Any:
    """The element `index` along one axis, which stays with size 1 where `keepdims`. An index outside is clamped."""
    result = dynamic_slice_in_dim(operand, index, 1, axis, allow_negative_indices=allow_negative_indices)
    return result if keepdims else squeeze(result, (axis,))


def _dynamic_update_slice_rule(x: ShapedArray, update: ShapedArray, *starts: ShapedArray) -> ShapedArray:
    if x.ndim != update.ndim:
        raise TypeError(
            "dynamic_update_slice update must have the same rank as operand, "
            f"got update shape {update.shape} for operand shape {x.shape}."
        )
    if x.ndim != len(starts):
        raise TypeError(
            "dynamic_update_slice start_indices must have length equal to the rank of operand, "
            f"got indices {starts} for operand shape {x.shape}."
        )
    if any(size > n for size, n in zip(update.shape, x.shape, strict=True)):
        raise TypeError(
            "dynamic_update_slice update shape must be smaller than operand shape, "
            f"got update shape {update.shape} for operand shape {x.shape}."
        )
    _check_starts("dynamic_update_slice", starts, ",")
    check_same_dtypes("dynamic_update_slice", (x, update))
    _check_start_dtypes("dynamic_update_slice", starts, "")
    return shaped(x.shape, x.dtype, all_weak((x, update, *starts)))


dynamic_update_slice_p = primitive("dynamic_update_slice", _dynamic_update_slice_rule)


def dynamic_update_slice(
    operand: Any, update: Any, start_indices: Any, *, allow_negative_indices: bool | Sequence[bool] = True
) -> Any:
    """`operand` with `update` in the window that begins at `start_indices`, moved inside where it sticks out.

    >>> dynamic_update_slice(np.zeros(4, np.int32), np.array([7, 8], np.int32), (3,))
    Array([0, 0, 7, 8], dtype=int32)
    """
    starts = _wrapped_starts(operand.shape, start_indices, allow_negative_indices)
    return dynamic_update_slice_p.bind(operand, update, *starts)


def dynamic_update_slice_in_dim(
    operand: Any, update: Any, start_index: Any, axis: int, *, allow_negative_indices: bool = True
) -> Any:
    """dynamic_update_slice at a place along one axis, and at 0 along the others."""
    starts, allowed = _along(operand.ndim, int(axis), start_index, allow_negative_indices)
    return dynamic_update_slice(operand, update, starts, allow_negative_indices=allowed)


@partial(jit, static_argnames=["axis", "allow_negative_indices"])
def dynamic_update_index_in_dim(
    operand: Any, update: Any, index: Any, axis: int, *, allow_negative_indices: bool = True
) -> Any:
    """`operand` with `update` as its element `index` along one axis, which `update` may lack."""
    if typeof(update).ndim != operand.ndim:
        update = expand_dims(update, (axis,))
    return dynamic_update_slice_in_dim(operand, update, index, axis, allow_negative_indices=allow_negative_indices)
