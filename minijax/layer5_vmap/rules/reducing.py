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
from ..batching import batching_rules, bdim_at_front, size_of
from ..families import Dims, Result, defreducer

defreducer(
    reduce_sum_p, reduce_prod_p, reduce_max_p, reduce_min_p, reduce_and_p, reduce_or_p, reduce_xor_p, argmin_p, argmax_p
)


@batching_rules.rule(reduce_p)
def _reduce_rule(args: Sequence[Any], dims: Dims, *, dimensions: Sequence[int], **params: Any) -> Result:
    """Raises NotImplementedError for a start value of each example: a neutral element is the same for all."""
    n, size = len(args) // 2, size_of(args, dims)
    if any(d is not None for d in dims[n:]):
        raise NotImplementedError("vmap of lax.reduce with another initial value for each example")
    operands = [bdim_at_front(x, d, size) for x, d in zip(args[:n], dims[:n], strict=True)]
    axes = tuple(d + 1 for d in dimensions)
    return reduce_p.bind(*operands, *args[n:], dimensions=axes, **params), [0] * n
