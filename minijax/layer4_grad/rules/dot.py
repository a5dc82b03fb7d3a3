"""Products of matrices."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...layer1_core.aval import told, typeof
from ...layer1_core.lax.converting import convert
from ...layer1_core.lax.dot import dot_general, dot_general_p
from ...layer1_core.lax.shaping import transpose
from ..families import defbilinear
from .parts import inverse


def _dot_transpose_lhs(ct: Any, x: Any, y: Any, *, dimension_numbers: Any, **params: Any) -> Any:
    """The axes of ct are [batch, kept of x, kept of y]."""
    (x_contract, _), _ = dimension_numbers
    return _dot_transpose(ct, x.ndim - len(x_contract), x, y, dimension_numbers, **params)


def _dot_transpose_rhs(ct: Any, x: Any, y: Any, *, dimension_numbers: Any, **params: Any) -> Any:
    """The axes of ct are [batch, kept of x, kept of y]: those of x follow the batch axes."""
    (x_contract, y_contract), (x_batch, y_batch) = dimension_numbers
    turned = (y_contract, x_contract), (y_batch, x_batch)
    return _dot_transpose(ct, len(x_batch), y, x, turned, **params)


def _dot_transpose(
    ct: Any, start: int, x: Any, y: Any, dimension_numbers: Any, *, precision: Any, preferred_element_type: Any,
    out_sharding: Any,
) -> Any:  # fmt: skip
    """The cotangent of x: ct times y, summed over the axes that y keeps; then the axes in the order of x.

    The batch axes are the first ones of ct, and what y keeps stands in it from axis `start` on.
    """
    (x_contract, y_contract), (x_batch, y_batch) = dimension_numbers
    x_kept = _others(x.ndim, x_contract, x_batch)
    y_kept = _others(typeof(y).ndim, y_contract, y_batch)
    ct_y, ct_batch = tuple(range(start, start + len(y_kept))), tuple(range(len(x_batch)))
    order = [*x_batch, *x_kept, *(x_contract[i] for i in np.argsort(y_contract))]
    product = dot_general(
        ct, y, ((ct_y, y_kept), (ct_batch, y_batch)), precision=precision,
        preferred_element_type=preferred_element_type, out_sharding=told(x.aval, order),
    )  # fmt: skip
    out = transpose(product, inverse(order))
    return convert(out, x.dtype, x.aval.weak_type) if typeof(out).dtype != x.dtype else out


def _others(ndim: int, *used: Sequence[int]) -> list[int]:
    return [d for d in range(ndim) if not any(d in axes for axes in used)]


defbilinear(dot_general_p, _dot_transpose_lhs, _dot_transpose_rhs)
