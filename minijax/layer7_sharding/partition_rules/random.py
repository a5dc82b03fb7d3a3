"""Random keys and what is drawn with them: keys may be divided, what one key draws is whole."""

from ...layer6_random import primitives as p
from ..moving import Part, axes_in, spec_of
from ..partition_families import defelementwise_parts
from ..partitioning import Equation, partition_rules

defelementwise_parts(p.random_clone_p, p.random_fold_in_p)


@partition_rules.rule(p.random_seed_p, p.random_split_p, p.random_bits_p, p.random_unwrap_p, p.random_wrap_p)
def _by_key(e: Equation) -> list[Part]:
    n = min(e.parts[0].aval.ndim, e.outs[0].ndim)
    own = spec_of(axes_in(e.wanted[0], e.outs[0].ndim)[:n])
    return e.on_parts([own], [own])
