"""checkpoint_name: a value under a name by which a policy of `checkpoint` knows it."""

from functools import partial
from typing import Any

from ..layer1_core.lax.families import primitive
from ..layer1_core.primitive import impl_rules
from ..layer1_core.tree import tree_map
from ..layer2_jit.lowering import Pointwise, lowering_rules
from .families import no_rule
from .jvp import jvp_rules
from .transpose import transpose_rules

name_p = primitive("name", lambda x, *, name: x)
impl_rules[name_p] = lambda x, *, name: x
lowering_rules[name_p] = Pointwise(lambda eqn, x: x, 0)
# the tangent has no name: nothing of it is saved
jvp_rules[name_p] = lambda primals, tangents, *, name: (name_p.bind(*primals, name=name), tangents[0])
no_rule(transpose_rules, "no tangent has a name", name_p)


def checkpoint_name(x: Any, name: str) -> Any:
    """`x`, a tree of arrays, under this name. It changes nothing, but policies may ask for it.

    >>> print(checkpoint_name(2.0, "two"))
    2.0
    """
    return tree_map(partial(name_p.bind, name=name), x)
