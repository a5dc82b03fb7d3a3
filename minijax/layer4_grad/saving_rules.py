"""How equations that carry programs are split by a policy: calls, branches, loops; and what is printed."""

from collections.abc import Sequence
from typing import Any

from ..layer1_core.jaxpr import Atom, DropVar, Jaxpr, JaxprEqn, Var
from ..layer1_core.jit_call import UNSPECIFIED, jit_p
from ..layer1_core.staging import eval_jaxpr, jaxpr_as_fun
from ..layer3_control.bodies import divided, parts
from ..layer3_control.cond import cond_p
from ..layer3_control.debug import debug_callback_p, debug_print_p
from ..layer3_control.groups import joined, kept, singles
from ..layer3_control.scan import scan_p, stacked
from ..layer3_control.while_loop import while_p
from .calls import closed_call_p, where, where_not, with_inputs, with_results
from .cond import in_any, shared
from .dce import Marks, remembered
from .ordering import as_found
from .policies import Policy, is_saved, nothing_saveable
from .programs import PartialJaxpr, marked_last, only, only_not, partial_eval_jaxpr, rearranged, staged
from .saving import SplitEqn, SplitJaxpr, saving_rules, split_body, split_jaxpr, unavailable
from .scan import settled

# ---- calls


@remembered
def _call_parts(
    jaxpr: Jaxpr, unknown: Marks, available: Marks, no_input: Marks, no_result: Marks, policy: Policy
) -> tuple[SplitJaxpr, Jaxpr, list[tuple[str, int]]]:
    """The two programs of a call; the known one without saved values that are inputs or results; where each is found.

    `no_input` and `no_result` mark those that may not stand for a saved value.
    """
    made = split_jaxpr(jaxpr, unknown, available, policy)
    results, saved = parts(made.known.outvars, len(made.known.outvars) - made.n_saved)
    inputs = _places(made.known.invars, only_not(unknown, no_input))
    outputs = _places(results, only_not(made.unknown_out, no_result))
    sources, new = [], []
    for v in saved:
        if id(v) in outputs:
            sources.append(("result", outputs[id(v)]))
        elif id(v) in inputs:
            sources.append(("input", inputs[id(v)]))
        else:
            sources.append(("new", len(new)))
            new.append(v)
    known = made.known.replace(outvars=[*results, *new])  # recorded anew: its variables are not those of `jaxpr`
    return made, staged(jaxpr_as_fun(known), known.in_avals, jaxpr), sources


def _places(atoms: Sequence[Atom], excluded: Sequence[bool]) -> dict[int, int]:
    """The position of each variable, by its id, but for those that are excluded."""
    return {id(v): i for i, (v, no) in enumerate(zip(atoms, excluded, strict=True)) if not no}


def _jit_rule(policy: Policy, unknown: Marks, available: Marks, eqn: JaxprEqn) -> SplitEqn:
    params = eqn.params
    wishes = zip(params["in_shardings"], params["in_layouts"], strict=True)
    placed = tuple(sharding is not UNSPECIFIED or layout is not None for sharding, layout in wishes)
    dropped = tuple(type(v) is DropVar for v in eqn.outvars)
    made, known, sources = _call_parts(params["jaxpr"], unknown, available, placed, dropped, policy)
    operands, results = only_not(unknown, eqn.invars), only_not(made.unknown_out, eqn.outvars)
    saved_avals = made.staged.in_avals[: made.n_saved]
    new = [Var(a) for a, (kind, _) in zip(saved_avals, sources, strict=True) if kind == "new"]
    places = {"input": operands, "result": results, "new": new}
    saved = [places[kind][i] for kind, i in sources]
    first = with_results(with_inputs(params, where_not(unknown)), where_not(made.unknown_out) + [None] * len(new))
    second = with_inputs(params, [None] * len(saved) + where(available))
    second = with_results(second, where(made.available_out))
    return SplitEqn(
        eqn.replace(invars=operands, outvars=[*results, *new], params=first | {"jaxpr": known}),
        eqn.replace(
            invars=[*saved, *only(available, eqn.invars)], outvars=only(made.available_out, eqn.outvars),
            params=second | {"jaxpr": made.staged},
        ),
        made.unknown_out,
        made.available_out,
        [*unavailable(eqn.invars, available), *(v for v in saved if isinstance(v, Var))],
    )  # fmt: skip


saving_rules[jit_p] = _jit_rule

# ---- printing


def _debug_rule(policy: Policy, unknown: Marks, available: Marks, eqn: JaxprEqn) -> SplitEqn:
    """What is printed is printed again with what is computed again, where nothing has to be saved for that."""
    missing = unavailable(eqn.invars, available)
    if any(unknown):
        return SplitEqn(None, eqn, (), (), missing)
    if missing and is_saved(policy, eqn.primitive, [v.aval for v in eqn.invars], eqn.params):
        return SplitEqn(eqn, None, (), ())
    return SplitEqn(eqn, eqn, (), (), missing)


saving_rules[debug_callback_p] = saving_rules[debug_print_p] = _debug_rule

# ---- branches


def _cond_rule(policy: Policy, unknown: Marks, available: Marks, eqn: JaxprEqn) -> SplitEqn:
    branches, yes = eqn.params["branches"], (True,) * len(eqn.outvars)
    if unknown[0]:
        return SplitEqn(None, eqn, yes, yes, unavailable(eqn.invars, available))
    unknown_out = in_any([split_body(jaxpr, unknown[1:], policy).unknown_out for jaxpr in branches])
    each = [split_body(jaxpr, unknown[1:], policy, unknown_out) for jaxpr in branches]
    first, second, n_saved = shared(
        tuple(x.known for x in each), tuple(x.staged for x in each), [x.n_saved for x in each]
    )
    saved = [Var(a) for a in second[0].in_avals[:n_saved]]
    index, *operands = eqn.invars
    return SplitEqn(
        eqn.replace(
            invars=[index, *only_not(unknown[1:], operands)], outvars=[*only_not(unknown_out, eqn.outvars), *saved],
            params=eqn.params | {"branches": first},
        ),
        eqn.replace(invars=[index, *saved, *operands], params=eqn.params | {"branches": second}),
        unknown_out,
        yes,
        [*unavailable(eqn.invars, available), *saved],
    )  # fmt: skip


saving_rules[cond_p] = _cond_rule

# ---- loops


def _while_rule(policy: Policy, unknown: Marks, available: Marks, eqn: JaxprEqn) -> SplitEqn:
    """The known part of the loop, and the whole loop again: nothing of its steps can be saved."""
    p = eqn.params
    of_cond, of_body, init = (tuple(x) for x in parts(unknown, p["cond_nconsts"], p["body_nconsts"]))
    yes = (True,) * len(eqn.outvars)

    def with_carry(carry: Marks) -> SplitJaxpr:
        return split_body(p["body_jaxpr"], (*of_body, *carry), nothing_saveable, carry)

    body = settled(init, with_carry, lambda made: made.unknown_out)
    carry = body.unknown_out
    cond = split_body(p["cond_jaxpr"], (*of_cond, *carry), nothing_saveable)
    missing = unavailable(eqn.invars, available)
    if cond.unknown_out[0]:
        return SplitEqn(None, eqn, yes, yes, missing)
    params = dict(
        cond_jaxpr=cond.known, cond_nconsts=of_cond.count(False), body_jaxpr=body.known,
        body_nconsts=of_body.count(False),
    )  # fmt: skip
    operands = only_not((*of_cond, *of_body, *carry), eqn.invars)
    known = eqn.replace(invars=operands, outvars=only_not(carry, eqn.outvars), params=params)
    return SplitEqn(known, eqn, carry, yes, missing)


saving_rules[while_p] = _while_rule


def _scan_rule(policy: Policy, unknown: Marks, available: Marks, eqn: JaxprEqn) -> SplitEqn:
    """Two loops. Saved values that are the same in all steps are computed before the first, the others are stacked."""
    p, (consts, init, xs) = eqn.params, eqn.params["ft_in"].split(unknown)
    n_ys = p["ft_out"].children()[1].count

    def with_carry(carry: Marks) -> tuple[SplitJaxpr, Marks]:
        marks = (*consts, *carry, *xs)
        return split_body(p["jaxpr"], marks, policy, (*carry, *(False,) * n_ys)), marks

    made, marks = settled(init, with_carry, lambda made: made[0].unknown_out[: len(init)])
    loop = _loop_of_known(made, consts.count(False))
    varies = loop.unknown_out[made.unknown_out.count(False) :]
    stacks, same = divided(varies, made.staged.in_avals[: made.n_saved])
    once, each = [*map(Var, same)], [Var(stacked(p["length"], a)) for a in stacks]
    call = _known_call(eqn, loop, only_not(marks, range(len(marks))), made.unknown_out, consts.count(False), len(once))
    of_consts, of_carry, of_xs = p["ft_in"].children()
    params = p | dict(
        jaxpr=rearranged(made.staged, tuple(marked_last([*varies, *(False for _ in unknown)]))),
        ft_in=joined(joined(singles(len(once)), of_consts), of_carry, joined(of_xs, singles(len(each)))),
    )
    return SplitEqn(
        eqn.replace(
            invars=only_not(marks, eqn.invars), outvars=[*once, *only_not(made.unknown_out, eqn.outvars), *each],
            primitive=closed_call_p, params={"call_jaxpr": call},
        ),
        eqn.replace(invars=[*once, *eqn.invars, *each], params=params),
        made.unknown_out,
        (True,) * len(eqn.outvars),
        [*unavailable(eqn.invars, available), *once, *each],
    )  # fmt: skip


def _known_call(
    eqn: JaxprEqn, loop: PartialJaxpr, operands: list[int], unknown_out: Marks, n_consts: int, n_same: int
) -> Jaxpr:
    """The program of the known loop, after what is computed once before it; it gives that first."""
    p = eqn.params
    known_in, known_out = [i in operands for i in range(len(eqn.invars))], [not mark for mark in unknown_out]
    _, of_carry, of_xs = kept(p["ft_in"], known_in).children()
    of_ys = kept(p["ft_out"], known_out).children()[1]
    n_stacks = len(loop.unknown.outvars) - sum(known_out)

    def known(*args: Any) -> list[Any]:
        of_consts, others = parts(args, n_consts)
        first = eval_jaxpr(loop.known, loop.known.consts, *of_consts)
        own = first[n_same:]
        groups = dict(
            ft_in=joined(singles(len(own)), of_carry, of_xs), ft_out=joined(of_carry, joined(of_ys, singles(n_stacks)))
        )
        return [*first[:n_same], *scan_p.bind(*own, *others, **p | groups | dict(jaxpr=loop.unknown))]

    return staged(known, [eqn.invars[i].aval for i in operands], p["jaxpr"])


def _loop_of_known(made: SplitJaxpr, n_consts: int) -> PartialJaxpr:
    """The known step in two: what depends on constants alone, and the rest."""
    jaxpr = made.known
    n_out = len(jaxpr.outvars) - made.n_saved
    unknown = tuple(i >= n_consts for i in range(len(jaxpr.invars)))
    ensured = tuple(i < n_out for i in range(len(jaxpr.outvars)))
    return as_found(partial_eval_jaxpr(jaxpr, unknown, ensured, (False,) * (len(jaxpr.consts) + n_consts)))


saving_rules[scan_p] = _scan_rule
