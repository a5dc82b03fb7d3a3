"""Windows: along the batch axis they have size 1."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from ...layer1_core.lax.windows import (
    cumlogsumexp_p,
    cummax_p,
    cummin_p,
    cumprod_p,
    cumsum_p,
    reduce_window_max_p,
    reduce_window_min_p,
    reduce_window_p,
    reduce_window_sum_p,
    select_and_gather_add_p,
    select_and_scatter_add_p,
)
from ...layer1_core.primitive import Primitive
from ..batching import all_at_front, batching_rules
from ..families import Dims, Result, of_one
from .parts import inserted

_NEUTRAL = dict(window_dimensions=1, window_strides=1, padding=(0, 0), base_dilation=1, window_dilation=1)
Params = dict[str, Any]


def _with_axis(params: Params, dim: int) -> Params:
    """The parameters with those of one more axis, along which nothing is put together."""
    return params | {key: inserted(params[key], dim, value) for key, value in _NEUTRAL.items() if key in params}


def _window_rule(primitive: Primitive, x: Any, dim: int, **params: Any) -> Result:
    return primitive.bind(x, **_with_axis(params, dim)), dim


for _p in (reduce_window_sum_p, reduce_window_max_p, reduce_window_min_p):
    batching_rules[_p] = of_one(partial(_window_rule, _p))


@batching_rules.rule(reduce_window_p)
def _reduce_window_rule(args: Sequence[Any], dims: Dims, **params: Any) -> Result:
    """Raises NotImplementedError for a start value of each example."""
    n = len(args) // 2
    if any(d is not None for d in dims[n:]):
        raise NotImplementedError("reduce_window batching is not implemented for initial values")
    operands = all_at_front(args[:n], dims[:n])
    return reduce_window_p.bind(*operands, *args[n:], **_with_axis(params, 0)), [0] * n


def _selecting_rule(primitive: Primitive, args: Sequence[Any], dims: Dims, **params: Any) -> Result:
    return primitive.bind(*all_at_front(args, dims), **_with_axis(params, 0)), 0


for _p in (select_and_scatter_add_p, select_and_gather_add_p):
    batching_rules[_p] = partial(_selecting_rule, _p)


# ---- cumulative


def _cumulative_rule(primitive: Primitive, x: Any, dim: int, *, axis: int, reverse: bool) -> Result:
    return primitive.bind(x, axis=axis + (axis >= dim), reverse=reverse), dim


for _p in (cumsum_p, cumprod_p, cummax_p, cummin_p, cumlogsumexp_p):
    batching_rules[_p] = of_one(partial(_cumulative_rule, _p))
