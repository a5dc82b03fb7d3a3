"""while with a condition of each example: a round changes only the examples whose condition is true.

    carry = init
    while any(cond(carry)):
        carry = select(cond(carry), body(carry), carry)

So the loop runs as often as the example that needs it most. The axes of the condition are the first ones of the carry.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..layer1_core.evaluate import program_of
from ..layer1_core.jaxpr import Jaxpr, JaxprEqn, Var
from ..layer1_core.lax.elementwise import select_n_p
from ..layer1_core.lax.reducing import reduce_or_p
from ..layer1_core.lax.shaping import broadcast_in_dim_p
from ..layer1_core.primitive import impl_rules
from ..layer2_jit.loops import ZERO, Buffer, Kernel, Load, While
from ..layer2_jit.lowering import Looped, lowering_rules
from ..layer3_control.bodies import own, parts
from ..layer3_control.lowering import (
    Letters,
    Scope,
    is_native,
    mark,
    moved,
    rounds_between_looks,
    statements_of,
    while_kernel,
)
from ..layer3_control.while_loop import TRUTH, while_p
from ..layer4_grad.dce import remembered


def is_masked(cond_jaxpr: Jaxpr) -> bool:
    """Whether the condition has axes."""
    return bool(cond_jaxpr.out_avals[0].shape)


@remembered
def masked_condition(cond_jaxpr: Jaxpr) -> Jaxpr:
    """The condition of any example, and that of each."""
    (active,) = cond_jaxpr.outvars
    goes_on = Var(TRUTH)
    of_any = JaxprEqn([active], [goes_on], reduce_or_p, {"axes": tuple(range(len(active.aval.shape)))})
    return cond_jaxpr.replace(eqns=[*cond_jaxpr.eqns, of_any], outvars=[goes_on, active])


@remembered
def masked_body(body_jaxpr: Jaxpr, cond_jaxpr: Jaxpr) -> Jaxpr:
    """The body, with each example's condition as its first input: it changes the carry where that is true."""
    active = Var(cond_jaxpr.out_avals[0])
    carry = body_jaxpr.invars[len(body_jaxpr.invars) - len(body_jaxpr.outvars) :]
    eqns, outvars = [*body_jaxpr.eqns], []
    for old, new in zip(carry, body_jaxpr.outvars, strict=True):
        mask, chosen = Var(active.aval.update(shape=old.aval.shape)), Var(old.aval)
        where = dict(shape=old.aval.shape, broadcast_dimensions=tuple(range(active.aval.ndim)), sharding=None)
        eqns.append(JaxprEqn([active], [mask], broadcast_in_dim_p, where))
        eqns.append(JaxprEqn([mask, old, new], [chosen], select_n_p, {}))
        outvars.append(chosen)
    return body_jaxpr.replace(invars=[active, *body_jaxpr.invars], eqns=eqns, outvars=outvars)


# ---- run in Python

_run_plain = impl_rules[while_p]


@impl_rules.rule(while_p)
def _run_while(*operands: np.ndarray, cond_jaxpr: Jaxpr, body_jaxpr: Jaxpr, **counts: int) -> list[np.ndarray]:
    if not is_masked(cond_jaxpr):
        return _run_plain(*operands, cond_jaxpr=cond_jaxpr, body_jaxpr=body_jaxpr, **counts)
    cond_consts, body_consts, carry = parts(operands, counts["cond_nconsts"], counts["body_nconsts"])
    test, step = program_of(masked_condition(cond_jaxpr)), program_of(masked_body(body_jaxpr, cond_jaxpr))
    goes_on, active = test([*cond_consts, *carry])
    while goes_on:
        carry = step([active, *body_consts, *carry])
        goes_on, active = test([*cond_consts, *carry])
    return own(carry, operands)


# ---- one kernel


def masked_while_kernel(eqn: JaxprEqn, name: str, letters: Letters) -> Kernel:
    """The conditions, of each example and of any; where one is true, the body, and all of it again."""
    params = eqn.params
    cond_jaxpr, body_jaxpr = params["cond_jaxpr"], params["body_jaxpr"]
    if not is_masked(cond_jaxpr):
        return while_kernel(eqn, name, letters)
    scope = Scope(letters)
    cond_consts, body_consts, init = _inputs(scope, eqn)
    carry = list(map(scope.output, eqn.outvars))
    letter = mark(eqn, letters)
    goes_on = scope.scratch(Buffer(f"any_{letter}", (), np.dtype("bool")))
    active = scope.scratch(Buffer(f"active_{letter}", cond_jaxpr.out_avals[0].shape, np.dtype("bool")))
    condition, step = masked_condition(cond_jaxpr), masked_body(body_jaxpr, cond_jaxpr)
    _name_new(scope, condition.eqns[len(cond_jaxpr.eqns) :], f"is_any_{letter}")
    _name_new(scope, step.eqns[len(body_jaxpr.eqns) :], f"masked_{letter}")
    scope.name(step.invars[0], active.buffer)
    test = statements_of(condition, [*cond_consts, *carry], [goes_on, active], scope)
    body = statements_of(step, [active, *body_consts, *carry], carry, scope)
    loop = While(test, Load(goes_on.buffer, ZERO, goes_on.dtype), body, rounds_between_looks(test + body))
    return scope.kernel(name, [*moved(zip(init, carry, strict=True), scope), loop])


def _name_new(scope: Scope, eqns: Sequence[JaxprEqn], name: str) -> None:
    """Give names to the variables of equations that the text of the program does not have."""
    for i, v in enumerate(v for eqn in eqns for v in eqn.outvars):
        scope.name(v, f"{name}_{i}")


def _inputs(scope: Scope, eqn: JaxprEqn) -> Sequence[list[Any]]:
    """Where the constants of the condition lie, those of the body, and the carry to begin with."""
    groups = parts(eqn.invars, eqn.params["cond_nconsts"], eqn.params["body_nconsts"])
    return [[scope.input(v) for v in group] for group in groups]


lowering_rules[while_p] = Looped(masked_while_kernel, is_native)
