"""Reductions over windows."""

from typing import Any

from ...layer1_core.lax import windows as w
from ..families import defresized, resized
from ..types import sharding_rules

defresized(w.reduce_window_sum_p, w.reduce_window_max_p, w.reduce_window_min_p, name="reduce_window")
defresized(w.select_and_gather_add_p, name="reduce_window")


@sharding_rules.rule(w.reduce_window_p)
def _generic_rule(out: Any, *avals: Any, **params: Any) -> list[Any]:
    return [resized(out[0].shape, avals[0], "reduce_window")] * len(out)


@sharding_rules.rule(w.select_and_scatter_add_p)
def _scatter_rule(out: Any, source: Any, x: Any, **params: Any) -> Any:
    return x.sharding.spec
