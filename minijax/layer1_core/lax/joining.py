"""Joining arrays along an axis, and parting one."""

from collections.abc import Sequence
from typing import Any

from ..array import ArrayImpl
from ..aval import ShapedArray, shaped, typeof
from ..basearray import Array
from ..trace import index_or_tracer
from .families import all_weak, check_same_dtypes, primitive, sizes_without
from .shaping import canonicalize_axis

# ---- joining


def _concatenate_rule(*avals: ShapedArray, dimension: int) -> ShapedArray:
    shapes = [a.shape for a in avals]
    told = ", ".join(map(str, shapes))
    if len({len(s) for s in shapes}) != 1:
        raise TypeError(f"Cannot concatenate arrays with different numbers of dimensions: got {told}.")
    if not 0 <= dimension < len(shapes[0]):
        raise TypeError(f"concatenate dimension out of bounds: dimension {dimension} for shapes {told}.")
    if len({s[:dimension] + s[dimension + 1 :] for s in shapes}) != 1:
        raise TypeError(
            "Cannot concatenate arrays with shapes that differ in dimensions other than the one being concatenated: "
            f"concatenating along dimension {dimension} for shapes {told}."
        )
    check_same_dtypes("concatenate", avals)
    total = sum(s[dimension] for s in shapes)
    return shaped((*shapes[0][:dimension], total, *shapes[0][dimension + 1 :]), avals[0].dtype, all_weak(avals))


concatenate_p = primitive("concatenate", _concatenate_rule)


def concatenate(operands: Sequence[Any], dimension: int) -> Any:
    """The operands one after the other along axis `dimension`."""
    operands = list(operands)
    if not operands:
        raise ValueError("concatenate requires a non-empty sequences of arrays")
    if len(operands) == 1 and isinstance(operands[0], (ArrayImpl, Array)):
        return operands[0]
    return concatenate_p.bind(*operands, dimension=index_or_tracer(dimension))


def _stack_rule(*avals: ShapedArray, axis: int) -> ShapedArray:
    told = ", ".join(str(a.shape) for a in avals)
    if len({a.ndim for a in avals}) > 1:
        raise ValueError(f"Cannot stack arrays with different numbers of dimensions: got {told}.")
    if any(a.shape != avals[0].shape for a in avals):
        raise ValueError(f"All input arrays must have the same shape. Got {told}.")
    check_same_dtypes("stack", avals)
    shape = avals[0].shape
    return shaped((*shape[:axis], len(avals), *shape[axis:]), avals[0].dtype, all_weak(avals))


stack_p = primitive("stack", _stack_rule)


def stack(arrays: Sequence[Any], axis: int = 0) -> Any:
    """The arrays, all of one shape, along a new axis."""
    arrays = list(arrays)
    if not arrays:
        raise ValueError("Need at least one array to stack.")
    return stack_p.bind(*arrays, axis=canonicalize_axis(axis, typeof(arrays[0]).ndim + 1))


# ---- parting


def _unstack_rule(x: ShapedArray, *, axis: int) -> list[ShapedArray]:
    return [shaped(sizes_without(x.shape, (axis,)), x.dtype, x.weak_type)] * x.shape[axis]


unstack_p = primitive("unstack", _unstack_rule, multiple_results=True)


def unstack(x: Any, axis: int = 0) -> tuple[Any, ...]:
    """The slices of `x` along `axis`, without that axis."""
    return tuple(unstack_p.bind(x, axis=canonicalize_axis(axis, typeof(x).ndim)))


def _split_rule(x: ShapedArray, *, sizes: tuple[int, ...], axis: int) -> list[ShapedArray]:
    if any(n < 0 for n in sizes):
        raise ValueError(f"Sizes passed to split must be nonnegative, got {list(sizes)}")
    if sum(sizes) != x.shape[axis]:
        raise ValueError(
            f"Sum of sizes {sum(sizes)} must be equal to dimension {axis} of the operand shape {list(x.shape)}"
        )
    return [shaped((*x.shape[:axis], n, *x.shape[axis + 1 :]), x.dtype, x.weak_type) for n in sizes]


split_p = primitive("split", _split_rule, multiple_results=True)


def split(operand: Any, sizes: Sequence[int], axis: int = 0) -> list[Any]:
    """`operand` cut along `axis` into pieces of these sizes."""
    axis = canonicalize_axis(axis, typeof(operand).ndim)
    return split_p.bind(operand, sizes=tuple(map(index_or_tracer, sizes)), axis=axis)


# ---- repeating


def _tile_rule(x: ShapedArray, *, reps: tuple[int, ...]) -> ShapedArray:
    if len(reps) != x.ndim:
        raise ValueError(f"reps must have one entry for each axis of the operand, got {reps} for shape {x.shape}")
    return shaped(tuple(n * r for n, r in zip(x.shape, reps, strict=True)), x.dtype, x.weak_type)


tile_p = primitive("tile", _tile_rule)


def tile(operand: Any, reps: Sequence[int]) -> Any:
    """`operand` repeated reps[i] times along each axis i."""
    return tile_p.bind(operand, reps=tuple(map(index_or_tracer, reps)))
