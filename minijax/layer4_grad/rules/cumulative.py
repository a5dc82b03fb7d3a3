"""Cumulative reductions: the sum is linear; the others are differentiated as the tree of operations that they are."""

from collections.abc import Callable, Sequence
from typing import Any

from ...layer1_core.jnp.logarithms import logaddexp
from ...layer1_core.lax.elementwise import max, min, mul
from ...layer1_core.lax.windows import cumlogsumexp_p, cummax_p, cummin_p, cumprod_p, cumsum, cumsum_p
from ...layer3_control.associative import associative_scan
from ..families import deflinear
from ..jvp import jvp_flat, jvp_rules

deflinear(cumsum_p, lambda ct, axis, reverse: [cumsum(ct, axis, not reverse)])


def _jvp_of_tree(combine: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """The jvp rule of the cumulative reduction by `combine`."""

    def rule(primals: Sequence[Any], tangents: Sequence[Any], *, axis: int, reverse: bool) -> tuple[Any, Any]:
        scan = lambda x: [associative_scan(combine, x, reverse, axis)]
        (out,), (out_dot,) = jvp_flat(scan, primals, tangents)
        return out, out_dot

    return rule


for _p, _combine in {cumprod_p: mul, cummax_p: max, cummin_p: min, cumlogsumexp_p: logaddexp}.items():
    jvp_rules[_p] = _jvp_of_tree(_combine)
