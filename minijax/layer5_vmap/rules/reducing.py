"""Reductions: the axes that disappear have other numbers, where the batch axis stands before them."""

from collections.abc import Sequence
from typing import Any

from ...layer1_core.lax.reducing import (
    reduce_and_p,
    reduce_max_p,
    reduce_min_p,
    reduce_or_p,
    reduce_p,
    reduce_prod_p,
    reduce_sum_p,
    reduce_xor_p,
)
from ...layer1_core.lax.sorting import argmax_p, argmin_p
from ..batching import all_at_front, batching_rules
from ..families import Dims, Result, defreducer

defreducer(
    reduce_sum_p, reduce_prod_p, reduce_max_p, reduce_min_p, reduce_and_p, reduce_or_p, reduce_xor_p,
    argmin_p, argmax_p,
)  # fmt: skip


@batching_rules.rule(reduce_p)
def _reduce_rule(args: Sequence[Any], dims: Dims, *, dimensions: Sequence[int], **params: Any) -> Result:
    """Raises NotImplementedError for a start value of each example: a neutral element is the same for all."""
    n = len(args) // 2
    if any(d is not None for d in dims[n:]):
        raise NotImplementedError("vmap of lax.reduce with another initial value for each example")
    operands = all_at_front(args[:n], dims[:n])
    axes = tuple(d + 1 for d in dimensions)
    return reduce_p.bind(*operands, *args[n:], dimensions=axes, **params), [0] * n
