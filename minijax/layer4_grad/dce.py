"""Dead code: a program without the equations that its used results do not need.

An equation of which no result is used, and which has no effect, is dropped. A rule of `dce_rules` is asked of the
others: it takes which results are used, and the equation; it gives which operands are then used, and the equation
without the rest, or None where nothing of it is left. An equation without a rule stays whole.
"""

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from ..layer1_core.jaxpr import Jaxpr, JaxprEqn, Var
from ..layer1_core.jit import caches
from ..layer1_core.misses import FLAGS
from ..layer1_core.primitive import Primitive

Marks = tuple[bool, ...]
dce_rules: dict[Primitive, Callable[[Marks, JaxprEqn], tuple[Sequence[bool], JaxprEqn | None]]] = {}

# program -> {what was asked of it: the answer}. Weak: an answer lives as long as the program.
_derived: "weakref.WeakKeyDictionary[Jaxpr, dict[Any, Any]]" = weakref.WeakKeyDictionary()
caches.append(_derived)


def remembered(rule: Callable[..., Any]) -> Callable[..., Any]:
    """`rule`, a function of a program and of values that can be hashed, asked once for each as long as that lives.

    So the same program is made of the same program, is printed once and compiled once.
    """

    def ask(jaxpr: Jaxpr, *args: Any) -> Any:
        table, key = _derived.setdefault(jaxpr, {}), (rule, *args, *(flag.value for flag in FLAGS))
        if key not in table:
            table[key] = rule(jaxpr, *args)
        return table[key]

    return ask


@remembered
def dce_jaxpr(jaxpr: Jaxpr, used_outputs: Marks, keep: Marks | None = None) -> tuple[Jaxpr, Marks]:
    """`jaxpr` with these results only and what they need, and which inputs are left.

    Inputs marked in `keep` are left in any case; constants too.
    """
    used = {id(v) for v, mark in zip(jaxpr.outvars, used_outputs, strict=True) if mark}
    eqns = []
    for eqn in reversed(jaxpr.eqns):
        used_inputs, left = _dce_eqn(tuple(id(v) in used for v in eqn.outvars), eqn)
        if left is not None:
            eqns.append(left)
        used.update(id(v) for v, mark in zip(eqn.invars, used_inputs, strict=True) if mark and isinstance(v, Var))
    kept = keep or (False,) * len(jaxpr.invars)
    marks = tuple(mark or id(v) in used for v, mark in zip(jaxpr.invars, kept, strict=True))
    invars = [v for v, mark in zip(jaxpr.invars, marks, strict=True) if mark]
    outvars = [v for v, mark in zip(jaxpr.outvars, used_outputs, strict=True) if mark]
    return jaxpr.replace(invars=invars, outvars=outvars, eqns=eqns[::-1]), marks


def _dce_eqn(used: Marks, eqn: JaxprEqn) -> tuple[Sequence[bool], JaxprEqn | None]:
    if not any(used) and not eqn.effects:
        return (False,) * len(eqn.invars), None
    if eqn.primitive in dce_rules:
        return dce_rules[eqn.primitive](used, eqn)
    return (True,) * len(eqn.invars), eqn


def dce_whole(jaxpr: Jaxpr) -> Jaxpr:
    """`jaxpr` with all its inputs and results, without the equations and constants that they do not need."""
    jaxpr, _ = dce_jaxpr(jaxpr, (True,) * len(jaxpr.outvars), (True,) * len(jaxpr.invars))
    read = {id(v) for eqn in jaxpr.eqns for v in eqn.invars} | {id(v) for v in jaxpr.outvars}
    pairs = [(v, c) for v, c in zip(jaxpr.constvars, jaxpr.consts, strict=True) if id(v) in read]
    return jaxpr.replace(constvars=[v for v, _ in pairs], consts=[c for _, c in pairs])
