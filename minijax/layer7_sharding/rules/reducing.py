"""Reductions: the axes that go take their entries with them. Running sums, sorting: along whole axes only."""

from collections.abc import Sequence
from typing import Any

from ...layer1_core.aval import ShapedArray
from ...layer1_core.lax import reducing as r, sorting as s, windows as w
from ...layer5_vmap import collectives as c
from ..families import without_axes
from ..spec import Partitions
from ..types import ShardingTypeError, entries_of, sharding_rules


@sharding_rules.rule(
    r.reduce_sum_p, r.reduce_prod_p, r.reduce_max_p, r.reduce_min_p, r.reduce_and_p, r.reduce_or_p, r.reduce_xor_p,
    s.argmin_p, s.argmax_p, c.psum_p, c.pmax_p, c.pmin_p,
)  # fmt: skip
def _reduce_rule(
    out: ShapedArray, x: ShapedArray, *, axes: Sequence[Any], out_sharding: Any = None, **params: Any
) -> Any:
    """The axes that go are those with a number; names are of Manual axes, along which `c.psum_p` and its kin sum."""
    if out_sharding is not None:
        return out_sharding.spec
    return x.sharding.spec.update(partitions=without_axes(x, axes))


@sharding_rules.rule(r.reduce_p)
def _generic_rule(out: Any, *avals: ShapedArray, dimensions: Sequence[int], **params: Any) -> list[Partitions]:
    return [without_axes(x, dimensions) for x in avals[: len(avals) // 2]]


@sharding_rules.rule(w.cumsum_p, w.cumprod_p, w.cummax_p, w.cummin_p, w.cumlogsumexp_p)
def _cumulative_rule(out: ShapedArray, x: ShapedArray, *, axis: int, **params: Any) -> Any:
    if entries_of(x)[axis] is not None:
        raise ShardingTypeError(
            f"Input should be unsharded over the axis being reduced. Got input type={x} and axis={axis}"
        )
    return x.sharding.spec


@sharding_rules.rule(s.sort_p)
def _sort_rule(out: Any, *avals: ShapedArray, dimension: int, **params: Any) -> list[Any]:
    divided = [a.sharding for a in avals if a.sharding.mesh.explicit_axes]
    for sharding in divided:
        if sharding.spec.partitions[dimension] is not None:
            raise ShardingTypeError(
                "Arguments to sort must be unsharded over the sorting dimension. "
                f"Got arg sharding={sharding} and sorting dimension={dimension}"
            )
        if sharding != divided[0]:
            told = " ".join(map(str, divided))
            raise ShardingTypeError(f"Arguments to sort must have equal shardings, got: {told}")
    return [a.sharding.spec for a in avals]


@sharding_rules.rule(s.top_k_p)
def _top_k_rule(out: Any, x: ShapedArray, *, axis: int, **params: Any) -> list[Any]:
    if entries_of(x)[axis] is not None:
        raise ShardingTypeError(
            "The input should be unsharded over the axis along which to compute the top_k values. "
            f"Got input type={x} and axis={axis}"
        )
    return [x.sharding.spec] * 2


@sharding_rules.rule(s.approx_top_k_p)
def _approx_top_k_rule(out: Any, x: ShapedArray, *, reduction_dimension: int, **params: Any) -> list[Any]:
    if entries_of(x)[reduction_dimension] is not None:
        raise ShardingTypeError(
            f"reduction dimension {reduction_dimension} in operand {x.str_short()} should be unsharded i.e. the spec "
            "of that dim should be `None`."
        )
    return [x.sharding.spec] * 2


sharding_rules[r.optimization_barrier_p] = lambda out, *avals: [a.sharding.spec for a in avals]
