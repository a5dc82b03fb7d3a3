"""Products of matrices."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...layer1_core.aval import typeof
from ...layer1_core.lax.converting import convert
from ...layer1_core.lax.dot import dot_general, dot_general_p
from ...layer1_core.lax.shaping import transpose
from ..families import defbilinear
from .parts import inverse


def _dot_transpose_lhs(
    ct: Any, x: Any, y: Any, *, dimension_numbers: Any, precision: Any, preferred_element_type: Any, out_sharding: Any,
    swapped: bool = False,
) -> Any:  # fmt: skip
    """The cotangent of x: ct times y, summed over the axes that y keeps; then the axes in the order of x.

    The axes of ct are [batch, kept of x, kept of y]; `swapped` where y was the left operand: [batch, of y, of x].
    """
    (x_contract, y_contract), (x_batch, y_batch) = dimension_numbers
    x_kept = _others(x.ndim, x_contract, x_batch)
    y_kept = _others(typeof(y).ndim, y_contract, y_batch)
    start = len(x_batch) + (0 if swapped else len(x_kept))
    ct_y, ct_batch = tuple(range(start, start + len(y_kept))), tuple(range(len(x_batch)))
    product = dot_general(
        ct, y, ((ct_y, y_kept), (ct_batch, y_batch)), precision=precision,
        preferred_element_type=preferred_element_type,
    )  # fmt: skip
    by_y = [x_contract[i] for i in np.argsort(y_contract)]
    out = transpose(product, inverse([*x_batch, *x_kept, *by_y]))
    return convert(out, x.dtype, x.aval.weak_type) if typeof(out).dtype != x.dtype else out


def _dot_transpose_rhs(ct: Any, x: Any, y: Any, *, dimension_numbers: Any, **params: Any) -> Any:
    (x_contract, y_contract), (x_batch, y_batch) = dimension_numbers
    swapped = (y_contract, x_contract), (y_batch, x_batch)
    return _dot_transpose_lhs(ct, y, x, dimension_numbers=swapped, swapped=True, **params)


def _others(ndim: int, *used: Sequence[int]) -> list[int]:
    return [d for d in range(ndim) if not any(d in axes for axes in used)]


defbilinear(dot_general_p, _dot_transpose_lhs, _dot_transpose_rhs)
