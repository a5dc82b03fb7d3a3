"""The program of one device: its types say nothing of a mesh."""

import weakref
from collections.abc import Sequence
from typing import Any

from ..layer1_core.aval import ShapedArray
from ..layer1_core.jaxpr import Jaxpr, Literal
from ..layer4_grad.programs import run_like
from ..layer5_vmap.collectives import psum_p
from .named import NamedSharding
from .varying import psum_invariant_p, pvary_p

_erased: "weakref.WeakKeyDictionary[Jaxpr, Jaxpr]" = weakref.WeakKeyDictionary()
_plain: "weakref.WeakSet[Jaxpr]" = weakref.WeakSet()  # those that have been made here


def plain(aval: ShapedArray) -> ShapedArray:
    """The type without what it tells of places."""
    return aval.update(sharding=None, vma=frozenset(), memory_space="device")


def of_one_device(jaxpr: Jaxpr) -> Jaxpr:
    """The program with plain types. `pvary`, which moves nothing, is gone, and each sum over devices is a `psum`."""
    if jaxpr in _plain:
        return jaxpr
    if jaxpr not in _erased:
        made = _erased[jaxpr] = run_like(jaxpr, _plain_program(jaxpr))
        _plain.add(made)
    return _erased[jaxpr]


def _plain_program(jaxpr: Jaxpr) -> Jaxpr:
    """The program, made again with variables of plain types."""
    env: dict[int, Any] = {}

    def bound(variables: Sequence[Any]) -> list[Any]:
        made = [type(v)(plain(v.aval)) for v in variables]
        env.update(zip(map(id, variables), made, strict=True))
        return made

    read = lambda v: v if type(v) is Literal else env[id(v)]
    inputs, eqns = (bound(jaxpr.constvars), bound(jaxpr.invars)), []
    for eqn in jaxpr.eqns:
        if eqn.primitive is pvary_p:
            env[id(eqn.outvars[0])] = read(eqn.invars[0])
            continue
        primitive, params = eqn.primitive, plain_params(eqn.params)
        if primitive is psum_invariant_p:
            primitive, params = psum_p, params | dict(axis_index_groups=None)
        operands = list(map(read, eqn.invars))
        eqns.append(eqn.replace(primitive=primitive, invars=operands, params=params, outvars=bound(eqn.outvars)))
    return jaxpr.replace(constvars=inputs[0], invars=inputs[1], eqns=eqns, outvars=list(map(read, jaxpr.outvars)))


def plain_params(params: dict[str, Any]) -> dict[str, Any]:
    """The parameters of an equation, with plain programs among them, and without the places that types show."""
    return {name: _plain_param(value) for name, value in params.items()}


def _plain_param(value: Any) -> Any:
    """A parameter: a program becomes plain, alone or in a tuple; a sharding is left out."""
    if isinstance(value, tuple) and any(isinstance(part, Jaxpr) for part in value):
        parts: Any = map(_plain_param, value)
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, NamedSharding):
        return None
    return of_one_device(value) if isinstance(value, Jaxpr) else value
