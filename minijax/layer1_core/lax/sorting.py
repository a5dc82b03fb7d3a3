"""Order: sort, the k largest elements, the place of the largest."""

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import dtypes
from ..aval import ShapedArray, shaped
from .families import check_dtype_at, ordered, primitive, sizes_without
from .shaping import canonicalize_axis

# ---- sort


def _sort_rule(*avals: ShapedArray, dimension: int, is_stable: bool, num_keys: int) -> list[ShapedArray]:
    if any(a.shape != avals[0].shape for a in avals):
        raise TypeError(f"Arguments to sort must have equal shapes, got: {' '.join(str(a.shape) for a in avals)}")
    if any(dtypes.is_extended(a.dtype) for a in avals[:num_keys]):
        check_dtype_at("lt_to", avals[:num_keys], [ordered] * num_keys)
    return list(avals)


sort_p = primitive("sort", _sort_rule, multiple_results=True)


def sort(operand: Any, dimension: int = -1, is_stable: bool = True, num_keys: int = 1) -> Any:
    """`operand` in ascending order along an axis; a sequence of arrays is ordered by the first `num_keys` of them.

    NaN comes last; -0.0 and 0.0 are equal. Complex numbers go by their real part, then the imaginary one.

    >>> sort((np.array([2, 1]), np.array([10.0, 20.0], np.float32)))
    (Array([1, 2], dtype=int32), Array([20., 10.], dtype=float32))
    """
    if not isinstance(operand, Sequence):
        if num_keys != 1:
            raise ValueError(f"{num_keys=} must equal 1 for a single operand.")
        return _sort([operand], dimension, is_stable, 1)[0]
    if not operand:
        raise TypeError("Sort requires at least one operand")
    if not 1 <= num_keys <= len(operand):
        raise ValueError(f"{num_keys=} must be between 1 and {len(operand)=}")
    return _sort(operand, dimension, is_stable, num_keys)


def _sort(operands: Sequence[Any], dimension: int, is_stable: bool, num_keys: int) -> tuple[Any, ...]:
    axis = canonicalize_axis(dimension, len(operands[0].shape))
    return tuple(sort_p.bind(*operands, dimension=axis, is_stable=is_stable, num_keys=num_keys))


def sort_key_val(keys: Any, values: Any, dimension: int = -1, is_stable: bool = True) -> tuple[Any, Any]:
    """`keys` in ascending order along an axis, and `values` rearranged alike."""
    keys, values = _sort((keys, values), dimension, is_stable, 1)
    return keys, values


# ---- the k largest


def _top_k_rule(x: ShapedArray, *, k: int, axis: int, is_stable: bool) -> list[ShapedArray]:
    if dtypes.issubdtype(x.dtype, np.complexfloating):
        raise ValueError("top_k is not compatible with complex inputs.")
    shape = list(x.shape)
    if shape[axis] < k:
        raise ValueError(
            f"k argument to top_k must be no larger than size along axis; got {k=} with {shape=} and {axis=}"
        )
    shape[axis] = k
    return _values_and_places(x, shape)


def _values_and_places(x: ShapedArray, shape: Sequence[int]) -> list[ShapedArray]:
    return [shaped(tuple(shape), x.dtype, x.weak_type), shaped(tuple(shape), np.dtype("int32"), x.weak_type)]


top_k_p = primitive("top_k", _top_k_rule, multiple_results=True)


def top_k(operand: Any, k: int, *, axis: int = -1, is_stable: bool = True) -> list[Any]:
    """The k largest elements along an axis, the largest first, and their places. Among equals the first comes first.

    >>> top_k(np.array([3, 9, 9]), 2)
    [Array([9, 9], dtype=int32), Array([1, 2], dtype=int32)]
    """
    k = operator.index(k)
    if k < 0:
        raise ValueError(f"k argument to top_k must be nonnegative, got {k}")
    return top_k_p.bind(operand, k=k, axis=canonicalize_axis(axis, np.ndim(operand)), is_stable=is_stable)


def _approx_top_k_rule(
    x: ShapedArray, *, k: int, reduction_dimension: int, aggregate_to_topk: bool, **_: Any
) -> list[ShapedArray]:
    if k <= 0:
        raise ValueError(f"k must be positive, got {k}")
    if not x.shape:
        raise TypeError(f"approx_top_k operand must have >= 1 dimension, got {x.shape}")
    shape = list(x.shape)
    if shape[reduction_dimension] < k:
        raise ValueError(f"k must be smaller than the size of reduction_dim {shape[reduction_dimension]}, got {k}")
    if not dtypes.issubdtype(x.dtype, np.floating):
        raise ValueError("operand must be a floating type")
    if not aggregate_to_topk:
        raise NotImplementedError("approx_top_k: only aggregate_to_topk=True, which gives the k best and no more")
    shape[reduction_dimension] = k
    return _values_and_places(x, shape)


approx_top_k_p = primitive("approx_top_k", _approx_top_k_rule, multiple_results=True)


def _approx_top_k(
    operand: Any, k: int, axis: int, recall_target: float, is_max_k: bool, size: int, aggregate_to_topk: bool
) -> list[Any]:
    return approx_top_k_p.bind(
        operand,
        k=k,
        reduction_dimension=axis,
        recall_target=recall_target,
        is_max_k=is_max_k,
        reduction_input_size_override=size,
        aggregate_to_topk=aggregate_to_topk,
    )


def approx_max_k(
    operand: Any,
    k: int,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
) -> list[Any]:
    """The k largest elements along an axis and their places; exactly, as a CPU finds them."""
    size = reduction_input_size_override
    return _approx_top_k(operand, k, reduction_dimension, recall_target, True, size, aggregate_to_topk)


def approx_min_k(
    operand: Any,
    k: int,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
) -> list[Any]:
    """The k smallest elements along an axis and their places; exactly, as a CPU finds them."""
    size = reduction_input_size_override
    return _approx_top_k(operand, k, reduction_dimension, recall_target, False, size, aggregate_to_topk)


# ---- the place of the largest


def _arg_rule(comparison: str) -> Callable[..., ShapedArray]:
    """The rule of argmax or argmin, whose elements are compared by `comparison`, which takes no complex numbers."""

    def rule(x: ShapedArray, *, axes: tuple[int], index_dtype: Any) -> ShapedArray:
        [axis] = axes
        if not 0 <= axis < x.ndim:
            raise ValueError(f"Invalid axis {axis} for operand shape {x.shape}")
        if not x.shape[axis]:
            raise ValueError(f"argmin and argmax require non-empty reduced dimension. operand.shape={x.shape} {axis=}")
        if not dtypes.issubdtype(index_dtype, np.integer):
            raise TypeError(f"index_dtype must be an integer type, but got {index_dtype.name}")
        check_dtype_at(comparison, (x,), (ordered,))
        return shaped(sizes_without(x.shape, axes), index_dtype)

    return rule


argmin_p = primitive("argmin", _arg_rule("lt"))
argmax_p = primitive("argmax", _arg_rule("gt"))


def argmin(operand: Any, axis: int, index_dtype: Any) -> Any:
    """The place of the first smallest element along an axis; of the first NaN where there is one."""
    dtype = dtypes.check_user_dtype_supported(index_dtype, "argmin")
    return argmin_p.bind(operand, axes=(axis,), index_dtype=dtype)


def argmax(operand: Any, axis: int, index_dtype: Any) -> Any:
    """The place of the first largest element along an axis; of the first NaN where there is one."""
    dtype = dtypes.check_user_dtype_supported(index_dtype, "argmax")
    return argmax_p.bind(operand, axes=(axis,), index_dtype=dtype)
