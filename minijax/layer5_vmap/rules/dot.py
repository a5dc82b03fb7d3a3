"""dot_general: a batch axis of both operands is one more batch axis of the product, that of one a free axis of it.

vmap(a . b)   A [B, M, K], b [B, K, N]   ->   [B, M, N]     batch axes ([0], [0])
              A [B, M, K], b [K, N]      ->   [B, M, N]     free axes of A, one more
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...layer1_core.aval import partition_of_axis, typeof
from ...layer1_core.lax.dot import DotDimensionNumbers, dot_general, dot_general_p
from ..batching import Dim, batching_rules
from ..families import Dims, Result, bumped


@batching_rules.rule(dot_general_p)
def _dot_rule(
    args: Sequence[Any], dims: Dims, *, dimension_numbers: DotDimensionNumbers, out_sharding: Any, **params: Any
) -> Result:
    lhs, rhs = args
    numbers, dim = _batched_numbers(dimension_numbers, np.ndim(lhs), np.ndim(rhs), *dims)
    if out_sharding is not None:
        of_batch = [partition_of_axis(typeof(x), d) for x, d in zip((lhs, rhs), dims, strict=True) if d is not None]
        out_sharding = out_sharding.with_axis(dim, next(filter(None, of_batch), None))
    return dot_general(lhs, rhs, numbers, out_sharding=out_sharding, **params), dim


def _batched_numbers(
    numbers: DotDimensionNumbers, lhs_ndim: int, rhs_ndim: int, lhs_dim: Dim, rhs_dim: Dim
) -> tuple[DotDimensionNumbers, int]:
    """The axes of the product of batches, and the place of its batch axis."""
    (lhs_contract, rhs_contract), (lhs_batch, rhs_batch) = numbers
    if lhs_dim is None:
        assert rhs_dim is not None
        rhs_contract, rhs_free = _one_more(rhs_contract, rhs_batch, rhs_ndim, rhs_dim)
        batch = lhs_batch, bumped(rhs_batch, rhs_dim)
        return ((lhs_contract, rhs_contract), batch), lhs_ndim - len(lhs_contract) + rhs_free
    if rhs_dim is None:
        lhs_contract, lhs_free = _one_more(lhs_contract, lhs_batch, lhs_ndim, lhs_dim)
        batch = bumped(lhs_batch, lhs_dim), rhs_batch
        return ((lhs_contract, rhs_contract), batch), len(lhs_batch) + lhs_free
    batch = (lhs_dim, *bumped(lhs_batch, lhs_dim)), (rhs_dim, *bumped(rhs_batch, rhs_dim))
    return ((bumped(lhs_contract, lhs_dim), bumped(rhs_contract, rhs_dim)), batch), 0


def _one_more(contract: Sequence[int], batch: Sequence[int], ndim: int, dim: int) -> tuple[tuple[int, ...], int]:
    """Of an operand whose batch axis, at `dim`, is one more free axis: its contracted axes; and which of
    its free axes the batch axis is, from 0 on. The result has the free axes in this order.

    `contract` and `batch` are axes of one example, `ndim` is the rank of the batch.
    """
    contract, batch = bumped(contract, dim), bumped(batch, dim)
    free = [d for d in range(ndim) if d not in batch and d not in contract]
    return contract, free.index(dim)
