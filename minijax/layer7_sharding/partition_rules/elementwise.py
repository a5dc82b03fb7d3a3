"""Elementwise primitives: on parts that are divided alike."""

from ...layer1_core.lax import converting as c, elementwise as e, reducing as r
from ...layer6_random import blocks as b
from ..moving import Part
from ..partition_families import defelementwise_parts, whole_along
from ..partitioning import Equation, partition_rules
from ..rules.elementwise import OF_ONE, OF_SEVERAL

defelementwise_parts(
    *OF_ONE, *OF_SEVERAL, c.convert_element_type_p, e.select_n_p, e.clamp_p, b.threefry_words_p, b.threefry2x32_p,
    b.upper_half_p, b.lower_half_p, b.swapped_halves_p,
)  # fmt: skip


@partition_rules.rule(c.bitcast_convert_type_p)
def _bitcast(e: Equation) -> list[Part]:
    """Where the widths differ, the last axis holds the parts of a number."""
    return whole_along(e, ()) if e.parts[0].aval.shape == e.outs[0].shape else e.whole()


@partition_rules.rule(r.optimization_barrier_p)
def _barrier(e: Equation) -> list[Part]:
    return e.on_parts(e.wanted, e.wanted)
