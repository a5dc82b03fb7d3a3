"""The program of one device, made smaller: equal collectives are one, and what is cut off is not made before.

A whole value of which a device keeps its own part was made for nothing where it comes from numbers alone: as the ones
do with which a gradient begins. `part` is here the equation that cuts: `p = dynamic_slice v place 0`.
"""

import math
from collections.abc import Mapping

import numpy as np

from ..layer1_core.jaxpr import Jaxpr, JaxprEqn, Literal, Var, literal
from ..layer1_core.lax.dot import dot_general_p
from ..layer1_core.lax.indexing import dynamic_slice_p
from ..layer1_core.lax.shaping import broadcast_in_dim_p
from ..layer2_jit.passes import merged, without_dead
from .partition_families import elementwise
from .partition_rules.dot import axes_of_result
from .partitioning import partition_rules

Made = Mapping[int, JaxprEqn]  # by the id of its result, the equation that makes it


def tidied(jaxpr: Jaxpr) -> Jaxpr:
    """The program without equations that compute the same, and without those that nobody reads."""
    return without_dead(merged(_of_own_size(merged(jaxpr))))


def _of_own_size(jaxpr: Jaxpr) -> Jaxpr:
    """The own part of what is made of broadcasts is made of smaller broadcasts."""
    made = {id(v): eqn for eqn in jaxpr.eqns for v in eqn.outvars}
    eqns: list[JaxprEqn] = []
    for eqn in jaxpr.eqns:
        smaller = eqn.primitive is dynamic_slice_p and _can_be_smaller(eqn, made)
        eqns += _smaller(eqn, made) if smaller else [eqn]
    return jaxpr.replace(eqns=eqns)


def _can_be_smaller(part: JaxprEqn, made: Made) -> bool:
    """Whether what is cut comes from broadcasts along the axes that are cut."""
    eqn = made.get(id(part.invars[0]))
    if eqn is None:
        return False
    if eqn.primitive is broadcast_in_dim_p:
        own = dict(zip(eqn.params["broadcast_dimensions"], eqn.invars[0].aval.shape, strict=True))
        sizes = enumerate(zip(eqn.params["shape"], part.params["slice_sizes"], strict=True))
        return math.prod(own.get(d, 1) for d, (n, m) in sizes if n != m) == 1
    parts = _parts_of_operands(eqn, part)
    return any(parts) and all(each is None or _can_be_smaller(each, made) for each in parts)


def _smaller(part: JaxprEqn, made: Made) -> list[JaxprEqn]:
    """The equations that make the part alone."""
    eqn = made[id(part.invars[0])]
    if eqn.primitive is broadcast_in_dim_p:
        sizes = tuple(part.params["slice_sizes"])
        return [eqn.replace(outvars=part.outvars, params=eqn.params | dict(shape=sizes))]
    eqns, operands = [], [*eqn.invars]
    for k, each in enumerate(_parts_of_operands(eqn, part)):
        if each is not None:
            operands[k] = each.outvars[0]
            eqns += _smaller(each, made)
    return [*eqns, eqn.replace(invars=operands, outvars=part.outvars)]


def _parts_of_operands(eqn: JaxprEqn, part: JaxprEqn) -> list[JaxprEqn | None]:
    """For each operand, the part of it from which the part of the result comes; None for one that is needed whole.

    Nothing but None says that this is not known.
    """
    ndim, avals = eqn.outvars[0].aval.ndim, [v.aval for v in eqn.invars]
    if eqn.primitive is dot_general_p:
        places = axes_of_result(avals, eqn.params["dimension_numbers"], ndim)
    elif partition_rules.get(eqn.primitive) is elementwise and len(eqn.outvars) == 1:
        shape = eqn.outvars[0].aval.shape
        if any(aval.shape not in ((), shape) for aval in avals):
            return [None] * len(avals)
        places = [dict(zip(range(aval.ndim), range(ndim), strict=False)) for aval in avals]
    else:
        return [None] * len(avals)
    return [_part_of(v, where, part) for v, where in zip(eqn.invars, places, strict=True)]


def _part_of(v: Var | Literal, where: dict[int, int], part: JaxprEqn) -> JaxprEqn | None:
    """The part of an operand, whose axes become those of the result that `where` says."""
    sizes = [part.params["slice_sizes"][where[d]] if d in where else n for d, n in enumerate(v.aval.shape)]
    if tuple(sizes) == v.aval.shape:
        return None
    starts = [part.invars[1 + where[d]] if d in where else literal(np.int32(0)) for d in range(len(sizes))]
    own = Var(v.aval.update(shape=tuple(sizes)))
    return part.replace(invars=[v, *starts], outvars=[own], params=dict(slice_sizes=tuple(sizes)))
