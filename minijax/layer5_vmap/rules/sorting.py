"""Order along an axis."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...layer1_core.aval import typeof
from ...layer1_core.lax.shaping import broadcast_in_dim
from ...layer1_core.lax.sorting import approx_top_k_p, sort_p, top_k, top_k_p
from ..batching import batching_rules, moveaxis, sharding_of_batch
from ..families import Dims, Result, of_one


@batching_rules.rule(sort_p)
def _sort_rule(args: Sequence[Any], dims: Dims, *, dimension: int, **params: Any) -> Result:
    first, dim = next((x, d) for x, d in zip(args, dims, strict=True) if d is not None)
    others = [d for d in range(np.ndim(first)) if d != dim]
    size = np.shape(first)[dim]
    places = [sharding_of_batch(typeof(x), size, dim) if d is None else None for x, d in zip(args, dims, strict=True)]
    operands = [
        broadcast_in_dim(x, first.shape, others, out_sharding=place) if d is None else moveaxis(x, d, dim)
        for x, d, place in zip(args, dims, places, strict=True)
    ]
    return sort_p.bind(*operands, dimension=dimension + (dim <= dimension), **params), [dim] * len(args)


@batching_rules.rule(top_k_p)
@of_one
def _top_k_rule(x: Any, dim: int, *, k: int, axis: int, is_stable: bool) -> Result:
    return top_k(x, k, axis=axis + (dim <= axis), is_stable=is_stable), [dim, dim]


@batching_rules.rule(approx_top_k_p)
@of_one
def _approx_top_k_rule(x: Any, dim: int, *, reduction_dimension: int, **params: Any) -> Result:
    axis = [d for d in range(np.ndim(x)) if d != dim][reduction_dimension]  # it may be counted from the end
    return approx_top_k_p.bind(x, reduction_dimension=axis, **params), [dim, dim]
