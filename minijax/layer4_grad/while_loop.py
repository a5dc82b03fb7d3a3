"""Derivatives of `while_loop`: forward only. How many steps it takes is not known before, so there is no place to keep
residuals; it can be linearized, by a loop that computes the values again.
"""

from collections.abc import Sequence
from typing import Any

from ..layer1_core.jaxpr import Jaxpr, Var
from ..layer1_core.trace import set_current_trace
from ..layer3_control.bodies import parts
from ..layer3_control.while_loop import while_p
from .dce import Marks, remembered
from .jvp import jvp_rules
from .linearize import PartialTrace, partial_eval_rules
from .programs import PartialJaxpr, filled, jvp_jaxpr, nonzeros, only, only_not, partial_eval_jaxpr, rearranged
from .scan import settled
from .tangents import instantiate
from .transpose import transpose_rules

# ---- forward mode


@jvp_rules.rule(while_p)
def _while_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, cond_jaxpr: Jaxpr, cond_nconsts: int, body_jaxpr: Jaxpr,
    body_nconsts: int,
) -> tuple[list[Any], list[Any]]:  # fmt: skip
    """One loop of values and tangents, whose condition asks for the values only."""
    _, consts_nz, init_nz = parts(nonzeros(tangents), cond_nconsts, body_nconsts)
    of_cond, consts, init = parts(primals, cond_nconsts, body_nconsts)
    _, consts_dot, init_dot = parts(tangents, cond_nconsts, body_nconsts)

    def with_carry(carry: Marks) -> tuple[Jaxpr, Marks]:
        return jvp_jaxpr(body_jaxpr, (*consts_nz, *carry), carry)

    both, carry = settled(init_nz, with_carry, lambda made: made[1])
    consts_dot = only(consts_nz, consts_dot)
    init_dot = [instantiate(t) for t in only(carry, init_dot)]
    out = while_p.bind(
        *of_cond, *consts, *consts_dot, *init, *init_dot,
        cond_jaxpr=_with_more(cond_jaxpr, carry), cond_nconsts=cond_nconsts,
        body_jaxpr=rearranged(both, _paired(len(consts), len(consts_dot), len(init), len(init_dot))),
        body_nconsts=len(consts) + len(consts_dot),
    )  # fmt: skip
    return out[: len(init)], filled(carry, out[len(init) :], body_jaxpr.out_avals)


def _paired(n_consts: int, n_consts_dot: int, n_carry: int, n_carry_dot: int) -> tuple[int, ...]:
    """The inputs of the program of values and tangents as constants and their tangents, carry and its tangents."""
    consts, carry, consts_dot, carry_dot = parts(
        range(n_consts + n_carry + n_consts_dot + n_carry_dot), n_consts, n_carry, n_consts_dot
    )
    return (*consts, *consts_dot, *carry, *carry_dot)


@remembered
def _with_more(cond: Jaxpr, carry: Marks) -> Jaxpr:
    """The condition, which is given tangents of the carry too, and does not ask for them."""
    own = only(carry, cond.invars[len(cond.invars) - len(carry) :])
    return cond.replace(invars=[*cond.invars, *(Var(v.aval) for v in own)])


# ---- partial evaluation


def _while_partial_eval(
    trace: PartialTrace, *args: Any, cond_jaxpr: Jaxpr, cond_nconsts: int, body_jaxpr: Jaxpr, body_nconsts: int
) -> list[Any]:
    """The loop of what is known, by the parent trace, where the condition is known; the whole loop is recorded."""
    unknown = [*map(trace.is_unknown, args)]
    of_cond, of_body, init = parts(unknown, cond_nconsts, body_nconsts)
    params = dict(cond_jaxpr=cond_jaxpr, cond_nconsts=cond_nconsts, body_jaxpr=body_jaxpr, body_nconsts=body_nconsts)

    def with_carry(carry: Marks) -> PartialJaxpr:
        return partial_eval_jaxpr(body_jaxpr, (*of_body, *carry), carry)

    body = settled(init, with_carry, lambda made: made.unknown_out)
    carry = body.unknown_out
    cond = partial_eval_jaxpr(cond_jaxpr, (*of_cond, *carry))
    whole = trace.unknown.process_primitive(while_p, args, params)
    if cond.unknown_out[0] or all(unknown):
        return whole
    n_known = len(carry) - sum(carry)
    step = body.known.replace(outvars=body.known.outvars[:n_known])
    known = only_not((*of_cond, *of_body, *carry), args)
    with set_current_trace(trace.parent):
        out = iter(while_p.bind(
            *known, cond_jaxpr=cond.known, cond_nconsts=of_cond.count(False), body_jaxpr=step,
            body_nconsts=of_body.count(False),
        ))  # fmt: skip
    return [rest if mark else next(out) for mark, rest in zip(carry, whole, strict=True)]


partial_eval_rules[while_p] = _while_partial_eval

# ---- transposition


@transpose_rules.rule(while_p)
def _refuse(*args: Any, **params: Any) -> Any:
    raise ValueError(
        "Reverse-mode differentiation does not work for lax.while_loop or lax.fori_loop with dynamic start/stop "
        "values. Try using lax.scan, or using fori_loop with static start/stop."
    )
