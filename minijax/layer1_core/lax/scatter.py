"""Scatter: many windows of an array written at once, at places that are data. The mirror of gather."""

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import dtypes
from ..aval import ShapedArray, shaped, typeof
from ..jaxpr import Jaxpr
from ..primitive import Primitive
from ..staging import stage, struct_of
from ..trace import Tracer
from . import elementwise
from .families import check_same_dtypes, described, primitive
from .gather import (
    GatherScatterMode,
    check_batch_shapes,
    check_batching,
    check_dims,
    check_disjoint,
    check_distinct,
    check_index_axis,
)
from .shaping import full


class ScatterDimensionNumbers(NamedTuple):
    """How the axes of a scatter's operand, indices and updates belong together.

    The last axis of the indices holds the components of one start index; the others are batch axes.
    """

    update_window_dims: tuple[int, ...]  # axes of the updates that run over a window
    inserted_window_dims: tuple[int, ...]  # axes of the operand whose window has size 1 and is not in the updates
    scatter_dims_to_operand_dims: tuple[int, ...]  # component k of an index is a place along this axis of the operand
    operand_batching_dims: tuple[int, ...] = ()  # axes of the operand that run along with ...
    scatter_indices_batching_dims: tuple[int, ...] = ()  # ... these batch axes of the indices


def _check_dims(x: ShapedArray, indices: ShapedArray, updates: ShapedArray, numbers: ScatterDimensionNumbers) -> None:
    window, inserted, index_map, operand_batch, indices_batch = numbers
    check_index_axis("Scatter", indices)
    rank = indices.ndim - 1 + len(window)
    if updates.ndim != rank:
        raise TypeError(f"Updates tensor must be of rank {rank}; got {updates.ndim}.")
    check_dims("scatter", "update_window_dims", window, updates.ndim)
    check_dims("scatter", "inserted_window_dims", inserted, x.ndim)
    check_dims("scatter", "operand_batching_dims", operand_batch, x.ndim)
    check_disjoint("scatter", ("inserted_window_dims", "operand_batching_dims"), inserted, operand_batch)
    check_disjoint("scatter", ("scatter_dims_to_operand_dims", "operand_batching_dims"), index_map, operand_batch)
    check_batching("Scatter", indices, operand_batch, indices_batch, "scatter_indices_batching_dims")
    _check_batch_shapes(x, indices, updates, numbers)
    if x.ndim != len(window) + len(inserted) + len(operand_batch):
        size = len(window) + len(inserted) + len(operand_batch)
        raise TypeError(f"Scatter op has window of size {size}; doesn't match operand of rank {x.ndim}.")
    if len(index_map) != indices.shape[-1]:
        raise TypeError(
            f"Scatter op has {len(index_map)} elements in scatter_dims_to_operand_dims and the bound of dimension "
            f"index_vector_dim={indices.ndim - 1} of indices is {indices.shape[-1]}. These two numbers must be equal"
        )
    for i, d in enumerate(index_map):
        if not 0 <= d < x.ndim:
            raise TypeError(f"Invalid scatter_dims_to_operand_dims mapping; domain is [0, {x.ndim}), got: {i}->{d}.")
    check_distinct("scatter", "scatter_dims_to_operand_dims", index_map)


def _check_batch_shapes(
    x: ShapedArray, indices: ShapedArray, updates: ShapedArray, numbers: ScatterDimensionNumbers
) -> None:
    batch = [n for d, n in enumerate(updates.shape) if d not in numbers.update_window_dims]
    operand_shape = tuple(x.shape[d] for d in numbers.operand_batching_dims)
    indices_shape = tuple(indices.shape[d] for d in numbers.scatter_indices_batching_dims)
    updates_shape = tuple(batch[d] for d in numbers.scatter_indices_batching_dims)
    check_batch_shapes("Scatter", "indices", operand_shape, indices_shape)
    check_batch_shapes("Scatter", "updates", operand_shape, updates_shape)


def _check_update_sizes(
    x: ShapedArray, indices: ShapedArray, updates: ShapedArray, numbers: ScatterDimensionNumbers
) -> None:
    """A window of the updates fits into the operand, and there are as many as there are indices."""
    window = numbers.update_window_dims
    gone = (*numbers.inserted_window_dims, *numbers.operand_batching_dims)
    limits = [n for d, n in enumerate(x.shape) if d not in gone]
    for d, limit in zip(window, limits, strict=True):
        if updates.shape[d] > limit:
            raise TypeError(
                "Bounds of the window dimensions of updates must not exceed the bounds of the corresponding "
                f"dimensions of operand. For dimension {d}, updates bound is {updates.shape[d]}, "
                f"operand bound is {limit}."
            )
    scattered = [d for d in range(updates.ndim) if d not in window]
    for d, n in zip(scattered, indices.shape[:-1], strict=True):
        if updates.shape[d] != n:
            raise TypeError(
                "Bounds of the scatter dimensions of updates must be the same as the bounds of the corresponding "
                f"dimensions of scatter indices. For scatter dimension {d}, updates bound is {updates.shape[d]}, "
                f"indices bound is {n}."
            )


def _scatter_rule(
    x: ShapedArray,
    indices: ShapedArray,
    updates: ShapedArray,
    *,
    dimension_numbers: ScatterDimensionNumbers,
    **_: Any,
) -> ShapedArray:
    _check_dims(x, indices, updates, dimension_numbers)
    _check_update_sizes(x, indices, updates, dimension_numbers)
    if not dtypes.issubdtype(indices.dtype, np.integer):
        raise ValueError("indices must have an integer type")
    check_same_dtypes("scatter", (x, updates))
    return x


scatter_p, scatter_add_p, scatter_sub_p, scatter_mul_p, scatter_min_p, scatter_max_p = (
    primitive(name, _scatter_rule)
    for name in ["scatter", "scatter-add", "scatter-sub", "scatter-mul", "scatter-min", "scatter-max"]
)


def scalar_jaxpr(combine: Callable[..., Any], dtype: Any) -> Jaxpr:
    """The program of `combine` on two scalars of `dtype`. It may use constants, but no tracers, from outside."""
    scalar = struct_of(shaped((), dtype))
    jaxpr, _ = stage(combine, (scalar, scalar), {}, "reduction function")
    if len(jaxpr.outvars) != 1:
        raise ValueError("Invalid return type from reduction function: it should return one array.")
    if any(isinstance(const, Tracer) for const in jaxpr.consts):
        raise NotImplementedError(
            "Reduction computations can't close over Tracers. Please open an issue at https://github.com/jax-ml/jax."
        )
    return jaxpr


_combining_jaxpr = functools.lru_cache(maxsize=64)(scalar_jaxpr)  # one object a kind, so that it is printed once


def _scatterer(p: Primitive, combine: Callable[..., Any] | None, what: str) -> Callable[..., Any]:
    """The function of a scatter that puts `combine` of the old and the new element in place, or the new one."""
    doc = f"`operand` with {what} at `scatter_indices`. By default a window that sticks out is dropped."

    @described(p.name.replace("-", "_"), doc)
    def apply(
        operand: Any,
        scatter_indices: Any,
        updates: Any,
        dimension_numbers: ScatterDimensionNumbers,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: str | GatherScatterMode | None = None,
    ) -> Any:
        jaxpr = combine and _combining_jaxpr(combine, typeof(operand).dtype)
        return p.bind(
            operand,
            scatter_indices,
            updates,
            update_jaxpr=jaxpr,
            update_consts=(),
            dimension_numbers=dimension_numbers,
            indices_are_sorted=indices_are_sorted,
            unique_indices=unique_indices,
            mode=GatherScatterMode.from_any(mode),
        )

    return apply


scatter = _scatterer(scatter_p, None, "the windows in `updates` written, in order,")
scatter_add = _scatterer(scatter_add_p, elementwise.add, "the windows in `updates` added")
scatter_sub = _scatterer(scatter_sub_p, elementwise.sub, "the windows in `updates` subtracted")
scatter_mul = _scatterer(scatter_mul_p, elementwise.mul, "its elements multiplied by the windows in `updates`")
scatter_min = _scatterer(scatter_min_p, elementwise.min, "the smaller of its elements and those of `updates`")
scatter_max = _scatterer(scatter_max_p, elementwise.max, "the larger of its elements and those of `updates`")


def scatter_apply(
    operand: Any,
    scatter_indices: Any,
    func: Callable[[Any], Any],
    dimension_numbers: ScatterDimensionNumbers,
    *,
    update_shape: Sequence[int] = (),
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    mode: str | GatherScatterMode | None = None,
) -> Any:
    """`operand` with `func` applied to its elements at `scatter_indices`, as often as an index is there."""
    dtype = typeof(operand).dtype
    jaxpr = scalar_jaxpr(lambda x, _: func(x), dtype)
    return scatter_p.bind(
        operand,
        scatter_indices,
        full(update_shape, 0, dtype),
        update_jaxpr=jaxpr,
        update_consts=tuple(jaxpr.consts),
        dimension_numbers=dimension_numbers,
        indices_are_sorted=indices_are_sorted,
        unique_indices=unique_indices,
        mode=GatherScatterMode.from_any(mode),
    )
