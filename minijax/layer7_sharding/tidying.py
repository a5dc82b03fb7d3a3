"""The program of one device, made smaller: equal collectives are one, and what is cut off is not made before."""

import math
from collections.abc import Mapping

from ..layer1_core.jaxpr import Atom, Jaxpr, JaxprEqn, Var
from ..layer1_core.lax.indexing import dynamic_slice_p
from ..layer1_core.lax.shaping import broadcast_in_dim_p
from ..layer2_jit.passes import merged, without_dead
from .partition_families import elementwise
from .partitioning import partition_rules

Made = Mapping[int, JaxprEqn]  # by the id of its result, the equation that makes it


def tidied(jaxpr: Jaxpr) -> Jaxpr:
    """The program without equations that compute the same, and without those that nobody reads."""
    return without_dead(merged(_of_own_size(merged(jaxpr))))


def _of_own_size(jaxpr: Jaxpr) -> Jaxpr:
    """The own part of what is computed of broadcasts, element by element, is computed of smaller broadcasts."""
    made = {id(v): eqn for eqn in jaxpr.eqns for v in eqn.outvars}
    eqns: list[JaxprEqn] = []
    for eqn in jaxpr.eqns:
        if eqn.primitive is dynamic_slice_p and _can_be_smaller(eqn.invars[0], eqn, made):
            eqns += _smaller(eqn, made)
        else:
            eqns.append(eqn)
    return jaxpr.replace(eqns=eqns)


def _can_be_smaller(v: Atom, part: JaxprEqn, made: Made) -> bool:
    """Whether a value is made of broadcasts along the axes of which `part` takes a part."""
    eqn = made.get(id(v))
    if eqn is None or not v.aval.shape:
        return not v.aval.shape
    if eqn.primitive is broadcast_in_dim_p:
        own = dict(zip(eqn.params["broadcast_dimensions"], eqn.invars[0].aval.shape, strict=True))
        pairs = enumerate(zip(v.aval.shape, part.params["slice_sizes"], strict=True))
        return math.prod(own.get(d, 1) for d, (n, m) in pairs if n != m) == 1
    of_one_shape = all(x.aval.shape in ((), v.aval.shape) for x in eqn.invars)
    is_elementwise = partition_rules.get(eqn.primitive) is elementwise and not eqn.primitive.multiple_results
    return is_elementwise and of_one_shape and all(_can_be_smaller(x, part, made) for x in eqn.invars)


def _smaller(part: JaxprEqn, made: Made) -> list[JaxprEqn]:
    """The equations of the part alone."""
    v, sizes = part.invars[0], part.params["slice_sizes"]
    eqn = made[id(v)]
    if eqn.primitive is broadcast_in_dim_p:
        return [eqn.replace(outvars=part.outvars, params=eqn.params | dict(shape=tuple(sizes)))]
    eqns, operands = [], [*eqn.invars]
    for k, x in enumerate(eqn.invars):
        if x.aval.shape:
            operands[k] = own = Var(x.aval.update(shape=sizes))
            eqns += _smaller(part.replace(invars=[x, *part.invars[1:]], outvars=[own]), made)
    return [*eqns, eqn.replace(invars=operands, outvars=part.outvars)]
