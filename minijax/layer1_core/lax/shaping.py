"""Shaping: broadcasting, reshaping, permuting, padding, and making arrays."""

import itertools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import dtypes
from ..array import ArrayImpl
from ..aval import (
    Shape,
    ShapedArray,
    canonicalize_shape,
    is_jax_type,
    partition_of_axis,
    shaped,
    told,
    typeof,
)
from ..basearray import Array
from ..jaxpr import JaxprEqn
from ..placement import named
from ..staging import forwarding_rules
from ..trace import index_or_tracer, pure
from ..tree import tree_map
from .converting import convert, stop_gradient_p, without_high_bits
from .families import all_weak, check_shapelike, primitive, sizes_without


def canonicalize_axis(axis: Any, ndim: int) -> int:
    """`axis` counted from the front. Raises ValueError where it is out of bounds."""
    axis = operator.index(axis)
    if not -ndim <= axis < ndim:
        raise ValueError(f"axis {axis} is out of bounds for array of dimension {ndim}")
    return axis % ndim


# ---- broadcast_in_dim


def _broadcast_rule(
    x: ShapedArray, *dyn: Any, shape: Shape, broadcast_dimensions: tuple[int, ...], sharding: Any
) -> ShapedArray:
    dims = broadcast_dimensions
    if len(dims) != x.ndim:
        raise TypeError(
            "broadcast_in_dim broadcast_dimensions must have length equal to operand ndim; "
            f"got broadcast_dimensions {dims} for operand ndim {x.ndim}."
        )
    if not set(dims) <= set(range(len(shape))):
        raise TypeError(
            "broadcast_in_dim broadcast_dimensions must be a subset of output dimensions, "
            f"got {dims} for operand ndim {x.ndim} and shape {shape}."
        )
    if any(n not in (1, shape[d]) for n, d in zip(x.shape, dims, strict=True)):
        raise TypeError(
            "broadcast_in_dim operand dimension sizes must either be 1, or be equal to their corresponding dimensions "
            f"in the target broadcast shape; got operand of shape {x.shape}, target broadcast shape {shape}, "
            f"broadcast_dimensions {dims} "
        )
    if any(n < 0 for n in shape):
        raise TypeError(f"broadcast_in_dim shape must have every element be nonnegative, got {shape}.")
    if any(a >= b for a, b in itertools.pairwise(dims)):
        raise TypeError(
            f"broadcast_in_dim broadcast_dimensions must be strictly increasing; got broadcast_dimensions {dims}"
        )
    return shaped(shape, x.dtype, x.weak_type)


def _broadcast_pretty(eqn: JaxprEqn, names: Any) -> list[tuple[str, Any]]:
    """Where the operand's axes go; nothing for a scalar. The shape stands in the result's type."""
    dims = eqn.params["broadcast_dimensions"]
    return [("broadcast_dimensions", dims)] if dims else []


broadcast_in_dim_p = primitive("broadcast_in_dim", _broadcast_rule)
broadcast_in_dim_p.pretty = _broadcast_pretty
forwarding_rules[broadcast_in_dim_p] = lambda operands, params: (
    operands[0] if operands[0].aval.shape == params["shape"] and params["sharding"] is None else None
)


def broadcast_in_dim(
    operand: Any, shape: Sequence[int], broadcast_dimensions: Sequence[int], *, out_sharding: Any = None
) -> Any:
    """`operand` repeated to `shape`: its axis i becomes axis broadcast_dimensions[i] of the result."""
    shape, dims = canonicalize_shape(shape), tuple(map(operator.index, broadcast_dimensions))
    same = typeof(operand).shape == shape and dims == tuple(range(len(shape))) and out_sharding is None
    if same and isinstance(operand, (ArrayImpl, Array)):
        return operand
    sharding = named(out_sharding, "broadcast_in_dim")
    return broadcast_in_dim_p.bind(operand, shape=shape, broadcast_dimensions=dims, sharding=sharding)


def broadcast(operand: Any, sizes: Sequence[int], *, out_sharding: Any = None) -> Any:
    """`operand` with new leading axes of these sizes."""
    shape = typeof(operand).shape
    dims = range(len(sizes), len(sizes) + len(shape))
    return broadcast_in_dim(operand, (*sizes, *shape), dims, out_sharding=out_sharding)


def broadcast_to_rank(x: Any, rank: int) -> Any:
    """`x` with leading axes of size 1 up to `rank` axes."""
    return expand_dims(x, range(rank - typeof(x).ndim))


def broadcast_shapes(*shapes: Sequence[int]) -> Shape:
    """The one shape that all of `shapes` broadcast to, by NumPy's rule.

    Line the shapes up at their last axes; along each, the sizes are equal or 1.

    >>> broadcast_shapes((3, 1), (4,))
    (3, 4)

    Raises ValueError where two sizes differ and neither is 1.
    """
    checked = [canonicalize_shape(shape) for shape in shapes]
    rank = max(map(len, checked), default=0)
    out = []
    for sizes in zip(*((1,) * (rank - len(s)) + s for s in checked), strict=True):
        others = {n for n in sizes if n != 1}
        if len(others) > 1:
            raise ValueError(f"Incompatible shapes for broadcasting: shapes={checked}")
        out.append(others.pop() if others else 1)
    return tuple(out)


def expand_dims(array: Any, dimensions: Sequence[int]) -> Any:
    """`array` with new axes of size 1 at these positions of the result."""
    dimensions = tuple(dimensions)
    ndim = typeof(array).ndim + len(dimensions)
    new = {canonicalize_axis(d, ndim) for d in dimensions}
    if len(new) != len(dimensions):
        raise ValueError(f"repeated axis in lax.expand_dims: {dimensions}")
    dims = [d for d in range(ndim) if d not in new]
    sizes = iter(typeof(array).shape)
    return broadcast_in_dim(array, [1 if d in new else next(sizes) for d in range(ndim)], dims)


# ---- reshape, squeeze, transpose


def _reshape_rule(x: ShapedArray, *dyn: Any, new_sizes: Shape, dimensions: Any, sharding: Any) -> ShapedArray:
    if any(n < 0 for n in new_sizes):
        raise TypeError(f"reshape new_sizes must all be positive, got {new_sizes}.")
    if math.prod(new_sizes) != x.size:
        raise TypeError(f"reshape total size must be unchanged, got new_sizes {new_sizes} for shape {x.shape}.")
    if dimensions is not None and sorted(dimensions) != list(range(x.ndim)):
        raise TypeError(
            "reshape dimensions must be a permutation of operand dimensions, "
            f"got dimensions {dimensions} for shape {x.shape}."
        )
    return shaped(new_sizes, x.dtype, x.weak_type)


reshape_p = primitive("reshape", _reshape_rule)


def reshape(operand: Any, new_sizes: Sequence[int], dimensions: Any = None, *, out_sharding: Any = None) -> Any:
    """`operand` with its elements, in row-major order (of the axes in the order `dimensions`), in a new shape."""
    sizes, aval = canonicalize_shape(new_sizes), typeof(operand)
    dims = None if dimensions is None or tuple(dimensions) == tuple(range(aval.ndim)) else tuple(dimensions)
    same = aval.shape and aval.shape == sizes and dims is None and out_sharding is None
    if same and isinstance(operand, (ArrayImpl, Array)):
        return operand  # a scalar is reshaped even to a scalar: so it is in JAX
    return reshape_p.bind(operand, new_sizes=sizes, dimensions=dims, sharding=named(out_sharding, "reshape"))


def collapse(operand: Any, start_dimension: int, stop_dimension: int | None = None) -> Any:
    """`operand` with the axes from start to stop (not included) made one."""
    shape = typeof(operand).shape
    low, high, _ = slice(start_dimension, stop_dimension).indices(len(shape))
    if high < low:
        raise ValueError(f"Invalid dimension range passed to collapse: {shape}[{start_dimension}:{stop_dimension}]")
    return reshape(operand, (*shape[:low], math.prod(shape[low:high]), *shape[high:]))


def _squeeze_rule(x: ShapedArray, *, dimensions: tuple[int, ...]) -> ShapedArray:
    if any(x.shape[d] != 1 for d in dimensions):
        raise ValueError(
            "cannot select an axis to squeeze out which has size not equal to one, "
            f"got shape={x.shape} and dimensions={dimensions}"
        )
    return shaped(sizes_without(x.shape, dimensions), x.dtype, x.weak_type)


squeeze_p = primitive("squeeze", _squeeze_rule)


def squeeze(array: Any, dimensions: Sequence[int]) -> Any:
    """`array` without these axes, all of size 1. Raises ValueError where one is larger."""
    ndim = typeof(array).ndim
    dims = tuple(canonicalize_axis(d, ndim) for d in dimensions)
    if len(set(dims)) != len(dims):
        raise ValueError(f"dimensions are not unique: {tuple(dimensions)}")
    if not dims and isinstance(array, (ArrayImpl, Array)):
        return array
    return squeeze_p.bind(array, dimensions=dims)


def _transpose_rule(x: ShapedArray, *, permutation: tuple[int, ...]) -> ShapedArray:
    if sorted(permutation) != list(range(x.ndim)):
        raise TypeError(
            "transpose permutation isn't a permutation of operand dimensions, "
            f"got permutation {permutation} for operand shape {x.shape}."
        )
    return shaped(tuple(x.shape[d] for d in permutation), x.dtype, x.weak_type)


transpose_p = primitive("transpose", _transpose_rule)


def transpose(operand: Any, permutation: Sequence[int]) -> Any:
    """`operand` with its axes in the order `permutation`."""
    permutation = tuple(map(operator.index, permutation))
    if permutation == tuple(range(typeof(operand).ndim)) and isinstance(operand, (ArrayImpl, Array)):
        return operand
    return transpose_p.bind(operand, permutation=permutation)


# ---- pad

PaddingConfig = tuple[tuple[int, int, int], ...]  # ((low, high, interior), ...), one an axis


def _pad_rule(x: ShapedArray, value: ShapedArray, *, padding_config: PaddingConfig) -> ShapedArray:
    if x.dtype != value.dtype:
        raise TypeError(f"pad operand and padding_value must be same dtype: got {x.dtype.name} and {value.dtype.name}.")
    if value.shape:
        raise ValueError(f"padding_value must be a scalar; got np.shape(padding_value)={value.shape}")
    if len(padding_config) != x.ndim:
        raise ValueError(
            "length of padding_config must equal the number of axes of operand, "
            f"got padding_config {padding_config} for operand shape {x.shape}"
        )
    if any(inside < 0 for _, _, inside in padding_config):
        raise ValueError(f"interior padding in padding_config must be nonnegative, got padding_config {padding_config}")
    sizes = zip(x.shape, padding_config, strict=True)
    shape = tuple(low + high + n + max(n - 1, 0) * inside for n, (low, high, inside) in sizes)
    if any(n < 0 for n in shape):
        raise ValueError(
            f"Dimension size after padding is not at least 0, got result shape {shape}, "
            f"for padding_config {padding_config} and operand shape {x.shape}"
        )
    return shaped(shape, x.dtype, all_weak((x, value)))


pad_p = primitive("pad", _pad_rule)


def pad(operand: Any, padding_value: Any, padding_config: Sequence[tuple[int, int, int]]) -> Any:
    """`operand` with `padding_value` before, after and between its elements; negative counts take elements away."""
    config = tuple(tuple(map(index_or_tracer, axis)) for axis in padding_config)
    return pad_p.bind(operand, padding_value, padding_config=config)


# ---- making arrays


def _iota_rule(*dyn: Any, dtype: Any, shape: Shape, dimension: int, sharding: Any) -> ShapedArray:
    if not dtypes.issubdtype(dtype, np.number):
        raise TypeError(
            f"iota does not accept dtype {dtype.name}. "
            "Accepted dtypes are subtypes of integer, complexfloating, floating."
        )
    check_shapelike("iota", "shape", shape)
    if not 0 <= dimension < len(shape):
        raise ValueError(f"iota dimension must be between 0 and len(shape), got {dimension=} for {shape=}")
    return shaped(shape, dtype)


iota_p = primitive("iota", _iota_rule)


def iota(dtype: Any, size: int) -> Any:
    """0, 1, ..., size - 1."""
    return broadcasted_iota(dtype, (size,), 0)


def broadcasted_iota(dtype: Any, shape: Sequence[int], dimension: int, *, out_sharding: Any = None) -> Any:
    """An array of `shape` whose element at an index is that index along axis `dimension`."""
    dtype = dtypes.check_user_dtype_supported(dtype, "iota")
    sharding = named(out_sharding, "broadcasted_iota")
    return iota_p.bind(dtype=dtype, shape=canonicalize_shape(shape), dimension=int(dimension), sharding=sharding)


def full(shape: Sequence[int], fill_value: Any, dtype: Any = None, *, sharding: Any = None) -> Any:
    """An array of `shape` filled with a scalar. Its dtype is the scalar's where none is given (then it may be weak)."""
    shape = canonicalize_shape(shape)
    if typeof(fill_value).shape:
        raise TypeError(f"full must be called with scalar fill_value, got fill_value.shape {typeof(fill_value).shape}.")
    weak = dtype is None and typeof(fill_value).weak_type
    if weak and type(fill_value) is int:
        fill_value = without_high_bits(fill_value, typeof(fill_value).dtype)
    dtype = typeof(fill_value).dtype if dtype is None else dtypes.check_user_dtype_supported(dtype, "full")
    return pure(broadcast(convert(fill_value, dtype, weak), shape, out_sharding=sharding))


def full_like(x: Any, fill_value: Any, dtype: Any = None, shape: Any = None, sharding: Any = None) -> Any:
    """An array of the shape and dtype of `x` filled with a scalar; without `shape`, divided as the type of `x` says.

    Inside of `shard_map` it varies along the mesh axes along which `x` does.
    """
    aval = x if hasattr(x, "shape") and hasattr(x, "dtype") else typeof(x)
    weak = dtype is None and getattr(aval, "weak_type", False)
    dtype = (
        dtypes.canonicalize_dtype(aval.dtype)
        if dtype is None
        else dtypes.check_user_dtype_supported(dtype, "full_like")
    )
    place = _place_of(x) if shape is None else None
    out = pure(broadcast(convert(fill_value, dtype, weak), aval.shape if shape is None else shape, out_sharding=place))
    return made_like(out, x)


def _place_of(x: Any) -> Any:
    """How the type of `x` says that it is divided; None where it is whole, or no array."""
    aval = typeof(x) if is_jax_type(x) else None
    divided = aval is not None and any(partition_of_axis(aval, d) is not None for d in range(aval.ndim))
    return told(aval) if aval is not None and divided else None


empty_p = primitive("empty", lambda *, shape, dtype, out_sharding: shaped(shape, dtype))


def empty(shape: Sequence[int], dtype: Any, *, out_sharding: Any = None) -> Any:
    """An array of `shape` whose elements are not specified (zeros, as it happens)."""
    dtype = dtypes.check_user_dtype_supported(dtype, "empty")
    return empty_p.bind(shape=canonicalize_shape(shape), dtype=dtype, out_sharding=named(out_sharding, "empty"))


def zeros_like_aval(aval: ShapedArray) -> Any:
    """Zeros of this type."""
    return as_typed(broadcast(convert(0, aval.dtype, aval.weak_type), aval.shape, out_sharding=told(aval)), aval)


# What makes a value one of a type that tells of a mesh. Chapter 7 enters it.
typers: list[Callable[[Any, ShapedArray], Any]] = [lambda x, aval: x]


def as_typed(x: Any, aval: ShapedArray) -> Any:
    """`x` as a value of this type; where it has another shape, it only varies over devices as the type says."""
    return x if aval.is_undivided else typers[-1](x, aval)


def made_like(x: Any, like: Any) -> Any:
    """`x`, which was made like `like`, varying over devices as that does; a scalar is on its mesh as well."""
    aval = typeof(like) if is_jax_type(like) else None
    if aval is None or aval.is_undivided:
        return x
    own = typeof(x)
    return as_typed(x, own.update(vma=aval.vma) if own.shape else aval)


# How values of these types are divided once they are broadcast to one shape (a sharding that types show; None where
# they show none), for an error that names a function. Chapter 7 enters it.
dividers: list[Callable[[str, Sequence[ShapedArray]], Any]] = [lambda name, avals: None]


def broadcast_shardings(*xs: Any) -> Any:
    """How arrays are divided once they are broadcast to their common shape; None where no type says it."""
    return dividers[-1]("broadcast_shardings", list(map(typeof, xs)))


# ---- passing values through


def stop_gradient(x: Any) -> Any:
    """`x`, an array or a tree of arrays, through which derivatives do not flow."""
    return tree_map(stop_gradient_p.bind, x)
