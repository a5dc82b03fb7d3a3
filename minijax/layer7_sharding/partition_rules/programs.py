"""Equations that carry programs, or say how a value is divided.

A program that is carried becomes one of parts as well. What a loop carries is divided alike in all rounds. What has
effects is done once for all devices, with whole operands.
"""

from collections.abc import Sequence
from typing import Any

from ...layer1_core.device_put import device_put_p
from ...layer1_core.jaxpr import Jaxpr, JaxprEqn, Var
from ...layer1_core.lax.reducing import reduce_or_p
from ...layer1_core.staging import eval_jaxpr
from ...layer3_control.callbacks import io_callback_p, pure_callback_p
from ...layer3_control.cond import cond_p
from ...layer3_control.debug import debug_callback_p, debug_print_p
from ...layer3_control.scan import scan_p
from ...layer3_control.while_loop import TRUTH, while_p
from ...layer4_grad.calls import closed_call_p
from ...layer5_vmap.masking import is_masked, masked_body
from ..erasing import of_one_device
from ..moving import Part, moved
from ..once import done_once
from ..partitioning import Equation, Specs, divided, partition_rules
from ..resharding import reshard_p, sharding_constraint_p
from ..shard_map import shard_map_p
from ..spec import P


@partition_rules.rule(reshard_p, sharding_constraint_p, device_put_p)
def _moved(e: Equation) -> list[Part]:
    """The value stays; the parts are others."""
    return [Part(moved(x, to).value, to, aval) for x, to, aval in zip(e.parts, e.wanted, e.outs, strict=True)]


def _given(parts: Sequence[Part]) -> list[Any]:
    """As the operands are divided. Where they are summands, their sum is."""
    return [P(*x.spec.partitions) for x in parts]


@partition_rules.rule(scan_p)
def _scan(e: Equation) -> list[Part]:
    consts, carry, xs = e.params["ft_in"].split(e.parts)
    carried = e.wanted[: len(carry)]
    steps = [P(*x.spec.partitions[1:]) for x in xs]
    made = [P(*spec.partitions[1:]) for spec in e.wanted[len(carry) :]]
    stacked = lambda specs: [P(None, *spec.partitions) for spec in specs]
    body = e.program(e.params["jaxpr"], [*_given(consts), *carried, *steps], [*carried, *made])
    return e.on_parts([*_given(consts), *carried, *stacked(steps)], [*carried, *stacked(made)], jaxpr=body)


@partition_rules.rule(while_p)
def _while(e: Equation) -> list[Part]:
    if is_masked(e.params["cond_jaxpr"]):
        return _masked(e)
    n, m, carried = e.params["cond_nconsts"], e.params["body_nconsts"], e.wanted
    given: Specs = _given(e.parts[: n + m])
    cond = e.program(e.params["cond_jaxpr"], [*given[:n], *carried], [P()])
    body = e.program(e.params["body_jaxpr"], [*given[n:], *carried], carried)
    return e.on_parts([*given, *carried], carried, cond_jaxpr=cond, body_jaxpr=body)


def _masked(e: Equation) -> list[Part]:
    """A loop with a condition of each example carries the conditions too: it goes on while any of them is true, on all
    devices alike.
    """
    cond, body = e.params["cond_jaxpr"], e.params["body_jaxpr"]
    n, m = e.params["cond_nconsts"], e.params["body_nconsts"]
    of_cond, of_body, carry = e.parts[:n], e.parts[n : n + m], e.parts[n + m :]
    carry = [moved(x, spec) for x, spec in zip(carry, e.wanted, strict=True)]
    (active,) = divided(cond, [*of_cond, *carry], e.mesh)
    changed = dict(
        cond_jaxpr=_any_active(cond, body), body_jaxpr=_masked_round(cond, body), cond_nconsts=0, body_nconsts=n + m
    )
    parts, outs = [*of_cond, *of_body, active, *carry], [active.aval, *e.outs]
    return _while(Equation(while_p, changed, parts, outs, [P(*active.spec.partitions), *e.wanted], e.mesh))[1:]


def _any_active(cond: Jaxpr, body: Jaxpr) -> Jaxpr:
    """From the conditions and the carry to whether any example goes on."""
    active, goes_on = Var(cond.out_avals[0]), Var(TRUTH)
    axes = tuple(range(active.aval.ndim))
    eqn = JaxprEqn([active], [goes_on], reduce_or_p, {"axes": axes})
    return Jaxpr([], [active, *map(Var, body.out_avals)], [goes_on], [eqn], debug_info=cond.debug_info)


def _masked_round(cond: Jaxpr, body: Jaxpr) -> Jaxpr:
    """A round: it changes the carry of the examples whose condition is true, and says who goes on after it."""
    n, m = len(cond.invars) - len(body.outvars), len(body.invars) - len(body.outvars)
    inputs = [*map(Var, [*cond.in_avals[:n], *body.in_avals[:m], *cond.out_avals, *body.out_avals])]
    carry, goes_on = [*map(Var, body.out_avals)], Var(cond.out_avals[0])
    step = JaxprEqn(inputs[n:][m : m + 1] + inputs[n : n + m] + inputs[n + m + 1 :], carry, closed_call_p,
                    {"call_jaxpr": masked_body(body, cond)})  # fmt: skip
    test = JaxprEqn([*inputs[:n], *carry], [goes_on], closed_call_p, {"call_jaxpr": cond})
    return Jaxpr([], inputs, [goes_on, *carry], [step, test], debug_info=body.debug_info)


@partition_rules.rule(cond_p)
def _cond(e: Equation) -> list[Part]:
    """All devices take the same branch: they have the same index."""
    given = _given(e.parts[1:])
    branches = tuple(e.program(branch, given, e.wanted) for branch in e.params["branches"])
    return e.on_parts([P(), *given], e.wanted, branches=branches)


@partition_rules.rule(shard_map_p)
def _shard_map(e: Equation) -> list[Part]:
    """Its program is one of a device already: it stands here in its place."""
    if e.params["mesh"].shape_tuple != e.mesh.shape_tuple:
        return e.whole()
    body = of_one_device(e.params["jaxpr"])
    run = lambda *values: eval_jaxpr(body, body.consts, *values)
    return e.on_parts(e.params["in_specs"], e.params["out_specs"], run)


@partition_rules.rule(pure_callback_p, io_callback_p, debug_callback_p, debug_print_p)
def _once(e: Equation) -> list[Part]:
    return e.on_parts([P()] * len(e.parts), [P()] * len(e.outs), done_once(e.primitive, e.params))
