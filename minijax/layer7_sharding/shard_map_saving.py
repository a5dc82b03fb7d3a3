"""`shard_map` in two: what is known of it is computed at once, and the rest later, by `checkpoint` or in a derivative.

Both are equations of their own. What the rest needs of the first is put together and taken apart, as residuals are.
"""

from collections.abc import Sequence
from typing import Any

from ..layer1_core.jaxpr import Jaxpr, JaxprEqn, Var
from ..layer1_core.trace import set_current_trace
from ..layer3_control.bodies import united
from ..layer4_grad.dce import Marks, dce_jaxpr, dce_rules
from ..layer4_grad.linearize import PartialTrace, partial_eval_rules
from ..layer4_grad.policies import Policy
from ..layer4_grad.programs import narrowed, only, only_not, partial_eval_jaxpr, rearranged
from ..layer4_grad.saving import SplitEqn, saving_rules, split_jaxpr, unavailable
from .fitting import Specs, chosen, not_chosen
from .shard_map import aval_of_whole, inside_of, shard_map_p
from .shard_map_rules import in_halves


def _partial_eval(
    trace: PartialTrace, *args: Any, jaxpr: Jaxpr, in_specs: Specs, out_specs: Specs, **params: Any
) -> Any:
    """Two equations: one of what is known, by the parent trace, and one of the rest, which is recorded."""
    unknown = tuple(map(trace.is_unknown, args))
    known_args, known_specs = only_not(unknown, args), not_chosen(unknown, in_specs)
    with inside_of(params):
        parts = partial_eval_jaxpr(jaxpr, unknown)
        halves = in_halves(parts.known, parts.unknown, parts.unknown_out.count(False), parts.forwarded, params)
    n = len(halves.specs)
    with set_current_trace(trace.parent):
        specs = dict(in_specs=known_specs, out_specs=(*halves.specs, *not_chosen(parts.unknown_out, out_specs)))
        out = shard_map_p.bind(*known_args, jaxpr=halves.first, **params, **specs)
    residuals = parts.residuals([*jaxpr.consts, *known_args], out[:n])
    places = halves.places(known_specs, parts.forwarded, len(jaxpr.consts))
    with set_current_trace(trace.unknown):
        specs = dict(in_specs=(*places, *chosen(unknown, in_specs)), out_specs=chosen(parts.unknown_out, out_specs))
        found = shard_map_p.bind(*residuals, *only(unknown, args), jaxpr=halves.second, **params, **specs)
    return united(parts.unknown_out, found, out[n:])


partial_eval_rules[shard_map_p] = _partial_eval


def _saving(policy: Policy, unknown: Marks, available: Marks, eqn: JaxprEqn) -> SplitEqn:
    """Two equations: one of what is known, which also gives what `policy` saves, and one that computes the rest."""
    params, in_specs, out_specs = eqn.params, eqn.params["in_specs"], eqn.params["out_specs"]
    with inside_of(params):
        made = split_jaxpr(params["jaxpr"], unknown, available, policy)
        n_out, new = made.unknown_out.count(False), [None] * made.n_saved
        halves = in_halves(made.known, made.staged, n_out, new, params)
    n = made.n_saved
    kept = [v.aval for v in halves.first.outvars[:n]]
    saved_last = rearranged(halves.first, tuple(range(unknown.count(False))), (*range(n, n + n_out), *range(n)))
    names = params["newly_manual_axes"]
    saved = [Var(aval_of_whole(a, s, params["mesh"], names)) for a, s in zip(kept, halves.specs, strict=True)]
    first = dict(
        jaxpr=saved_last, in_specs=not_chosen(unknown, in_specs),
        out_specs=(*not_chosen(made.unknown_out, out_specs), *halves.specs),
    )  # fmt: skip
    second = dict(
        jaxpr=halves.second, in_specs=(*halves.specs, *chosen(available, in_specs)),
        out_specs=chosen(made.available_out, out_specs),
    )  # fmt: skip
    return SplitEqn(
        eqn.replace(
            invars=only_not(unknown, eqn.invars), outvars=[*only_not(made.unknown_out, eqn.outvars), *saved],
            params=params | first,
        ),
        eqn.replace(
            invars=[*saved, *only(available, eqn.invars)], outvars=only(made.available_out, eqn.outvars),
            params=params | second,
        ),
        made.unknown_out,
        made.available_out,
        [*unavailable(eqn.invars, available), *saved],
    )  # fmt: skip


saving_rules[shard_map_p] = _saving


def _dce(used: Marks, eqn: JaxprEqn) -> tuple[Sequence[bool], JaxprEqn | None]:
    """Which operands are needed for the results that are used, and the equation of these."""
    smaller, used_inputs = dce_jaxpr(eqn.params["jaxpr"], used)
    specs = dict(in_specs=chosen(used_inputs, eqn.params["in_specs"]), out_specs=chosen(used, eqn.params["out_specs"]))
    return used_inputs, narrowed(eqn, used_inputs, used, eqn.params | specs | {"jaxpr": smaller})


dce_rules[shard_map_p] = _dce
