"""A pass for equations that change the shape alone.

reshaped        what has the elements of something before it, in their order, is a reshape of that, or is that itself
"""

import math

from ..layer1_core import lax
from ..layer1_core.jaxpr import Atom, Jaxpr, JaxprEqn, Literal

_shaping, _reducing = lax.shaping, lax.reducing
REDUCTIONS = frozenset(
    getattr(_reducing, f"reduce_{name}_p") for name in ("sum", "prod", "max", "min", "and", "or", "xor")
)


def reshaped(jaxpr: Jaxpr) -> Jaxpr:
    """The program with what keeps the elements read from where they first were.

    A reduction over axes of size 1 becomes a reshape; a chain of reshapes, transposes, broadcasts and squeezes that
    keep the elements in order, a reshape of its first operand; one that ends at the first type falls away.
    """
    meant: dict[int, Atom] = {}  # by the id of a variable: what stands for it
    source: dict[int, Atom] = {}  # and the array whose elements it has
    kept = []
    for eqn in jaxpr.eqns:
        eqn = eqn.replace(invars=[meant.get(id(v), v) for v in eqn.invars]) if meant else eqn
        if not keeps_elements(eqn):
            kept.append(eqn)
            continue
        (x, *_), (v,) = eqn.invars, eqn.outvars
        first = source.get(id(x), x)
        if first.aval == v.aval:
            meant[id(v)] = first
            continue
        source[id(v)] = first
        kept.append(_reshape(eqn, first) if first is not x or eqn.primitive in REDUCTIONS else eqn)
    return jaxpr.replace(eqns=kept, outvars=[meant.get(id(v), v) for v in jaxpr.outvars])


def keeps_elements(eqn: JaxprEqn) -> bool:
    """Whether the result has the elements of the operand in their order in memory."""
    if len(eqn.invars) != 1 or isinstance(eqn.invars[0], Literal):
        return False
    shape, params = eqn.invars[0].aval.shape, eqn.params
    if eqn.primitive in REDUCTIONS:
        return math.prod(shape[d] for d in params["axes"]) == 1
    if eqn.primitive is _shaping.reshape_p:
        return params["dimensions"] is None
    if eqn.primitive is _shaping.broadcast_in_dim_p:
        return math.prod(shape) == eqn.outvars[0].aval.size  # its axes stay in their order
    if eqn.primitive is _shaping.transpose_p:
        moved = [d for d in params["permutation"] if shape[d] != 1]
        return moved == sorted(moved)
    return eqn.primitive is _shaping.squeeze_p


def _reshape(eqn: JaxprEqn, first: Atom) -> JaxprEqn:
    params = {"dimensions": None, "new_sizes": eqn.outvars[0].aval.shape, "sharding": None}
    return eqn.replace(primitive=_shaping.reshape_p, invars=[first], params=params)
