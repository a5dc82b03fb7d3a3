"""dot_general: products summed over some axes, matched over others. Every matrix product is one."""

import enum
import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .. import config, dtypes
from ..aval import Shape, ShapedArray, shaped, typeof
from ..jaxpr import JaxprEqn
from ..placement import named
from .families import all_weak, primitive, sizes_without

Axes = tuple[int, ...]
# ((lhs_contracting, rhs_contracting), (lhs_batch, rhs_batch))
DotDimensionNumbers = tuple[tuple[Sequence[int], Sequence[int]], tuple[Sequence[int], Sequence[int]]]

# ---- precision: on a CPU every product is computed in full; kept because programs say it


class Precision(enum.Enum):
    """How exactly float32 products are computed on accelerators."""

    DEFAULT = 0
    HIGH = 1
    HIGHEST = 2

    @classmethod
    def _missing_(cls, value: object) -> "Precision | None":
        return _PRECISION_OF_NAME.get(value)  # type: ignore[arg-type]

    def __repr__(self) -> str:
        return f"Precision.{self.name}"

    def __str__(self) -> str:
        return self.name


PrecisionLike = str | Precision | tuple[str, str] | tuple[Precision, Precision] | None

_PRECISION_OF_NAME = {
    "highest": Precision.HIGHEST,
    "float32": Precision.HIGHEST,
    "high": Precision.HIGH,
    "bfloat16_3x": Precision.HIGH,
    "tensorfloat32": Precision.HIGH,
    "default": Precision.DEFAULT,
    "bfloat16": Precision.DEFAULT,
    "fastest": Precision.DEFAULT,
    None: Precision.DEFAULT,
}


def canonicalize_precision(precision: Any) -> tuple[Precision, Precision] | None:
    """The precisions of the two operands that a `precision=` argument means; None for the default."""
    if precision is None:
        precision = config.default_matmul_precision.value
    if precision is None:
        return None
    both = tuple(precision) if isinstance(precision, (list, tuple)) else (precision, precision)
    if len(both) == 2 and all(isinstance(p, Precision) for p in both):
        return both
    if len(both) == 2 and all(isinstance(p, str) and p in _PRECISION_OF_NAME for p in both):
        return Precision(both[0]), Precision(both[1])
    raise ValueError(
        f"Precision argument must be one of:\n- None,\n- a string in {list(_PRECISION_OF_NAME)},\n"
        "- a lax.Precision value,\n- a tuple of two lax.Precision values or strings,\n"
        "- a lax.DotAlgorithmPreset or the name of one of these presets, or\n- a lax.DotAlgorithm value;\n"
        f"but got {precision}."
    )


# ---- dtype


def _rank_of(dtype: np.dtype) -> tuple[bool, int, int, int, bool]:
    """What XLA compares to find the higher of two dtypes: complex, exponent, mantissa, width, signed."""
    part = dtypes.real_dtype(dtype)
    is_float = dtypes.issubdtype(part, np.floating)
    info = dtypes.finfo(part) if is_float else None
    bits = 1 if part == np.bool_ else 8 * part.itemsize
    signed = not dtypes.issubdtype(part, np.unsignedinteger)
    return part != dtype, info.maxexp if info else -1, info.nmant if info else -1, bits, signed


def higher_dtype(lhs: np.dtype, rhs: np.dtype) -> np.dtype:
    """The dtype of the product of two dtypes, by XLA's own order.

    >>> higher_dtype(np.dtype("int32"), np.dtype("float16"))
    dtype('float16')
    """
    return max(lhs, rhs, key=_rank_of)


def result_dtype(lhs: np.dtype, rhs: np.dtype, preferred: Any) -> np.dtype:
    """The preferred dtype, or else the operands' higher one. Raises TypeError where it is narrower than integers."""
    higher = higher_dtype(lhs, rhs)
    if preferred is None or preferred == higher:
        return higher
    if not dtypes.issubdtype(higher, np.floating) and _rank_of(preferred)[3] < _rank_of(higher)[3]:
        raise TypeError(
            "`preferred_element_type` must not be narrower than the original type, got preferred_element_type of "
            f"{preferred} for result type of {higher}."
        )
    return preferred


# ---- shape


def _check_side(side: str, x: ShapedArray, batch: Sequence[int], contracting: Sequence[int]) -> None:
    if not all(0 <= d < x.ndim for d in (*batch, *contracting)):
        raise TypeError(
            f"dot_general requires {side} dimension numbers to be nonnegative and less than the number of axes of the "
            f"{side} value, got {side}_batch of {batch} and {side}_contracting of {contracting} "
            f"for {side} of rank {x.ndim}"
        )


def _check_distinct(side: str, kind: str, dims: Sequence[int]) -> None:
    if len(set(dims)) != len(dims):
        raise TypeError(f"dot_general requires {side} {kind} dimensions to be distinct, got {side}_{kind} {dims}.")


def _check_disjoint(side: str, batch: Sequence[int], contracting: Sequence[int]) -> None:
    if set(batch) & set(contracting):
        raise TypeError(
            f"dot_general requires {side} batch dimensions to be disjoint from contracting dimensions, "
            f"got {side}_batch {batch} and {side}_contracting {contracting}."
        )


def _check_dims(lhs: ShapedArray, rhs: ShapedArray, dimension_numbers: DotDimensionNumbers) -> None:
    (lhs_contracting, rhs_contracting), (lhs_batch, rhs_batch) = dimension_numbers
    _check_side("lhs", lhs, lhs_batch, lhs_contracting)
    _check_side("rhs", rhs, rhs_batch, rhs_contracting)
    if len(lhs_batch) != len(rhs_batch):
        raise TypeError(
            "dot_general requires equal numbers of lhs_batch and rhs_batch dimensions, "
            f"got lhs_batch {lhs_batch} and rhs_batch {rhs_batch}."
        )
    _check_distinct("lhs", "batch", lhs_batch)
    _check_distinct("rhs", "batch", rhs_batch)
    _check_distinct("lhs", "contracting", lhs_contracting)
    _check_distinct("rhs", "contracting", rhs_contracting)
    _check_disjoint("lhs", lhs_batch, lhs_contracting)
    _check_disjoint("rhs", rhs_batch, rhs_contracting)


def _dot_general_rule(
    lhs: ShapedArray,
    rhs: ShapedArray,
    *,
    dimension_numbers: DotDimensionNumbers,
    precision: Any,
    preferred_element_type: Any,
    out_sharding: Any,
) -> ShapedArray:
    _check_dims(lhs, rhs, dimension_numbers)
    (lhs_contracting, rhs_contracting), (lhs_batch, rhs_batch) = dimension_numbers
    batch, other_batch = _sizes(lhs, lhs_batch), _sizes(rhs, rhs_batch)
    if batch != other_batch:
        raise TypeError(
            "dot_general requires lhs batch dimensions and rhs batch dimensions to have the same shape, "
            f"got {batch} and {other_batch}."
        )
    summed, other_summed = _sizes(lhs, lhs_contracting), _sizes(rhs, rhs_contracting)
    if summed != other_summed:
        raise TypeError(
            f"dot_general requires contracting dimensions to have the same shape, got {summed} and {other_summed}."
        )
    rows = sizes_without(lhs.shape, (*lhs_batch, *lhs_contracting))
    columns = sizes_without(rhs.shape, (*rhs_batch, *rhs_contracting))
    dtype = result_dtype(lhs.dtype, rhs.dtype, preferred_element_type)
    return shaped(batch + rows + columns, dtype, all_weak((lhs, rhs)))


def _sizes(x: ShapedArray, dims: Sequence[int]) -> Shape:
    return tuple(x.shape[d] for d in dims)


def _dot_general_pretty(eqn: JaxprEqn, names: Any) -> list[tuple[str, Any]]:
    """The axes as lists, and the other params where they say something."""
    axes = tuple(tuple(map(list, pair)) for pair in eqn.params["dimension_numbers"])
    others = ((name, eqn.params[name]) for name in ("precision", "preferred_element_type"))
    return [("dimension_numbers", axes), *((name, value) for name, value in others if value is not None)]


dot_general_p = primitive("dot_general", _dot_general_rule)
dot_general_p.pretty = _dot_general_pretty


# ---- functions


def dot_general(
    lhs: Any,
    rhs: Any,
    dimension_numbers: DotDimensionNumbers,
    precision: Any = None,
    preferred_element_type: Any = None,
    *,
    out_sharding: Any = None,
) -> Any:
    """Products of lhs and rhs, summed over the contracting axes, for each point of the batch axes.

    Axes of the result: batch axes, the free axes of lhs, those of rhs.

    >>> dot_general(np.ones((2, 3), np.int32), np.ones((4, 3), np.int32), (((1,), (1,)), ((), ())))
    Array([[3, 3, 3, 3],
           [3, 3, 3, 3]], dtype=int32)
    """
    if preferred_element_type is not None:
        preferred_element_type = dtypes.check_user_dtype_supported(preferred_element_type, "dot")
    (lhs_contracting, rhs_contracting), (lhs_batch, rhs_batch) = dimension_numbers
    return dot_general_p.bind(
        lhs,
        rhs,
        dimension_numbers=((_axes(lhs_contracting), _axes(rhs_contracting)), (_axes(lhs_batch), _axes(rhs_batch))),
        precision=canonicalize_precision(precision),
        preferred_element_type=preferred_element_type,
        out_sharding=named(out_sharding, "dot_general"),
    )


def _axes(dims: int | Iterable[int]) -> Axes:
    return (operator.index(dims),) if hasattr(dims, "__index__") else tuple(map(operator.index, dims))  # type: ignore


def dot(
    lhs: Any,
    rhs: Any,
    *,
    dimension_numbers: DotDimensionNumbers | None = None,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> Any:
    """dot_general; without dimension numbers the product of two matrices, or of vectors with them."""
    lhs_shape, rhs_shape = typeof(lhs).shape, typeof(rhs).shape
    if dimension_numbers is None:
        if not (len(lhs_shape) in (1, 2) and len(rhs_shape) in (1, 2) and lhs_shape[-1] == rhs_shape[0]):
            raise ValueError(
                "jax.lax.dot: dimension_numbers must be specified when not performing simple un-batched "
                f"matrix-matrix, matrix-vector, or vector-vector products; got {lhs_shape=} {rhs_shape=}"
            )
        dimension_numbers = (((len(lhs_shape) - 1,), (0,)), ((), ()))
    return dot_general(lhs, rhs, dimension_numbers, precision, preferred_element_type, out_sharding=out_sharding)


def batch_matmul(lhs: Any, rhs: Any, precision: Any = None) -> Any:
    """The matrix product of the last two axes, for each point of the others: [*B, M, K], [*B, K, N] -> [*B, M, N]."""
    if min(lhs.ndim, rhs.ndim) < 2:
        raise ValueError(f"Arguments to batch_matmul must be at least 2D, got {lhs.ndim}, {rhs.ndim}")
    if lhs.ndim != rhs.ndim:
        raise ValueError(f"Arguments to batch_matmul must have same ndim, got {lhs.ndim}, {rhs.ndim}")
    batch = tuple(range(lhs.ndim - 2))
    return dot_general(lhs, rhs, (((lhs.ndim - 1,), (rhs.ndim - 2,)), (batch, batch)), precision)
