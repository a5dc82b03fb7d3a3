"""What dot_general computes: a product of matrices for each point of the batch axes.

B: the batch axes. M, N: the axes that only the left or only the right operand has. K: the axes summed over.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..lax.dot import DotDimensionNumbers, result_dtype
from .converting import convert_element_type
from .reducing import accumulator


def dot_general(
    lhs: np.ndarray,
    rhs: np.ndarray,
    *,
    dimension_numbers: DotDimensionNumbers,
    preferred_element_type: Any = None,
    **_: Any,
) -> np.ndarray:
    """The sum over K of lhs[B, M, K] * rhs[B, N, K]: [B, M, N]. Integers wrap around."""
    (lhs_summed, rhs_summed), (lhs_batch, rhs_batch) = dimension_numbers
    result = result_dtype(lhs.dtype, rhs.dtype, preferred_element_type)
    if lhs.dtype != rhs.dtype:
        lhs, rhs = converted(lhs, result), converted(rhs, result)
    dtype = working_dtype(lhs.dtype, result)
    batch, rows, left = as_matrices(lhs, lhs_batch, lhs_summed)  # [B, M, K]
    _, columns, right = as_matrices(rhs, rhs_batch, rhs_summed)  # [B, N, K]
    out = np.matmul(left.astype(dtype, copy=False), right.astype(dtype, copy=False).mT)
    return converted(out.reshape(batch + rows + columns), result)


def converted(x: np.ndarray, dtype: np.dtype) -> np.ndarray:
    return x if x.dtype == dtype else convert_element_type(x, new_dtype=dtype, weak_type=False)


def as_matrices(x: np.ndarray, batch: Sequence[int], summed: Sequence[int]) -> tuple[Any, Any, np.ndarray]:
    """The sizes of x's batch axes and of its free axes, and x as one matrix [free, summed] for each batch point."""
    free = [d for d in range(x.ndim) if d not in (*batch, *summed)]
    sizes = [tuple(x.shape[d] for d in axes) for axes in (batch, free, summed)]
    return sizes[0], sizes[1], x.transpose(*batch, *free, *summed).reshape([*map(math.prod, sizes)])


def working_dtype(operand: np.dtype, result: np.dtype) -> np.dtype:
    """The dtype to multiply and add in: the wider of the floats among the two, and at least float32."""
    floats = [accumulator(dtype) for dtype in (operand, result) if dtype.kind not in "biu"]
    return np.result_type(*floats) if floats else result
