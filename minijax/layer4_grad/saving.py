"""A program in two, by a policy: what is known is computed at once, and of that the policy chooses what is saved for
the rest. What is not saved the rest computes again.

    known    known inputs                        ->  known results, saved values
    staged   saved values, available inputs      ->  available results

A value is *unknown* where it depends on an unknown input, and *available* where the staged program has it without that
it was saved: an input, or what it computes again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import or_
from typing import Any

from ..layer1_core.jaxpr import Atom, DropVar, Jaxpr, JaxprEqn, Literal, Var
from ..layer1_core.jit_call import UNSPECIFIED, jit_p
from ..layer1_core.primitive import Primitive
from ..layer1_core.staging import eval_jaxpr
from ..layer3_control.bodies import divided, parts
from ..layer3_control.cond import cond_p
from ..layer3_control.debug import debug_callback_p, debug_print_p
from ..layer3_control.groups import joined, kept, singles
from ..layer3_control.scan import scan_p, stacked
from ..layer3_control.while_loop import while_p
from .calls import closed_call_p, with_inputs, with_results
from .cond import in_any, shared
from .dce import Marks, remembered
from .ordering import as_found
from .policies import Policy, is_saved, nothing_saveable
from .programs import PartialJaxpr, marked_last, only, only_not, partial_eval_jaxpr, rearranged, run_like, staged
from .scan import settled


@dataclass(frozen=True, eq=False)
class SplitJaxpr:
    """The two programs; which of the original's results are unknown, and which available; how many values are saved."""

    known: Jaxpr
    staged: Jaxpr
    unknown_out: Marks
    available_out: Marks
    n_saved: int


@dataclass(frozen=True)
class SplitEqn:
    """An equation in two, of which one may be missing; and what it needs saved."""

    known: JaxprEqn | None
    staged: JaxprEqn | None
    unknown_out: Sequence[bool]
    available_out: Sequence[bool]
    saved: Sequence[Var] = ()


Rule = Callable[[Policy, Marks, Marks, JaxprEqn], SplitEqn]
# primitive -> rule, for equations that carry programs. A rule takes the policy, which operands are unknown and which
# available, and the equation.
saving_rules: dict[Primitive, Rule] = {}


@dataclass
class Walk:
    """Where a walk over the equations stands: of each variable, whether it is unknown, and whether available."""

    marks: dict[int, tuple[bool, bool]]
    saved: dict[int, Var] = field(default_factory=dict)

    def read(self, atoms: Sequence[Atom]) -> tuple[Marks, Marks]:
        pairs = [(False, True) if isinstance(v, Literal) else self.marks[id(v)] for v in atoms]
        return tuple(unknown for unknown, _ in pairs), tuple(available for _, available in pairs)

    def write(self, variables: Sequence[Var], unknown: Sequence[bool], available: Sequence[bool]) -> None:
        self.marks.update(zip(map(id, variables), zip(unknown, available, strict=True), strict=True))

    def save(self, variables: Sequence[Var]) -> None:
        self.saved.update((id(v), v) for v in variables)

    def save_missing(self, atoms: Sequence[Atom]) -> None:
        """Save what the staged program reads and has not."""
        self.save(unavailable(atoms, self.read(atoms)[1]))


def unavailable(atoms: Sequence[Atom], available: Sequence[bool]) -> list[Var]:
    return [v for v, mark in zip(atoms, available, strict=True) if isinstance(v, Var) and not mark]


@remembered
def split_jaxpr(
    jaxpr: Jaxpr, unknown: Marks, available: Marks, policy: Policy, ensured_unknown: Marks | None = None,
    all_available: bool = False,
) -> SplitJaxpr:  # fmt: skip
    """The two programs of one of which some inputs are unknown, and some available.

    Results marked `ensured_unknown` count as unknown; with `all_available` all results are available.
    """
    walk = Walk({id(v): (False, True) for v in jaxpr.constvars})
    walk.write(jaxpr.invars, unknown, available)
    each = []
    for eqn in jaxpr.eqns:
        made = _split_eqn(walk, policy, eqn)
        walk.save(made.saved)
        walk.write(eqn.outvars, made.unknown_out, made.available_out)
        each.append(made)
    known, rest = [x.known for x in each if x.known], [x.staged for x in each if x.staged]
    unknown_out, available_out = walk.read(jaxpr.outvars)
    if all_available:
        walk.save_missing(jaxpr.outvars)
        available_out = (True,) * len(available_out)
    unknown_out = tuple(map(or_, unknown_out, ensured_unknown or (False,) * len(unknown_out)))
    saved = [*walk.saved.values()]
    results = [*only_not(unknown_out, jaxpr.outvars), *saved]
    first = jaxpr.replace(invars=only_not(unknown, jaxpr.invars), outvars=results, eqns=known)
    second = jaxpr.replace(
        invars=[*saved, *only(available, jaxpr.invars)], outvars=only(available_out, jaxpr.outvars), eqns=rest
    )
    return SplitJaxpr(run_like(jaxpr, first), run_like(jaxpr, second), unknown_out, available_out, len(saved))


def _split_eqn(walk: Walk, policy: Policy, eqn: JaxprEqn) -> SplitEqn:
    unknown, available = walk.read(eqn.invars)
    if eqn.primitive in saving_rules:
        return saving_rules[eqn.primitive](policy, unknown, available, eqn)
    yes, no = (True,) * len(eqn.outvars), (False,) * len(eqn.outvars)
    if any(unknown):
        walk.save_missing(eqn.invars)
        return SplitEqn(None, eqn, yes, yes)
    if eqn.effects or is_saved(policy, eqn.primitive, [v.aval for v in eqn.invars], eqn.params):
        return SplitEqn(eqn, None, no, no)
    walk.save_missing(eqn.invars)
    return SplitEqn(eqn, eqn, no, yes)


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
    return made, run_like(jaxpr, made.known.replace(outvars=[*results, *new])), sources


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
    where = lambda marks, value: [i for i, mark in enumerate(marks) if mark is value]  # noqa: E731
    first = with_results(with_inputs(params, where(unknown, False)), where(made.unknown_out, False) + [None] * len(new))
    second = with_inputs(params, [None] * len(saved) + where(available, True))
    second = with_results(second, where(made.available_out, True))
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
    branches, everything = eqn.params["branches"], (True,) * (len(eqn.invars) - 1)
    yes = (True,) * len(eqn.outvars)
    if unknown[0]:
        return SplitEqn(None, eqn, yes, yes, unavailable(eqn.invars, available))
    split_by = lambda jaxpr, ensured: split_jaxpr(jaxpr, unknown[1:], everything, policy, ensured, True)  # noqa: E731
    unknown_out = in_any([split_by(jaxpr, None).unknown_out for jaxpr in branches])
    each = [split_by(jaxpr, unknown_out) for jaxpr in branches]
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
        everything = (True,) * len(p["body_jaxpr"].invars)
        return split_jaxpr(p["body_jaxpr"], (*of_body, *carry), everything, nothing_saveable, carry, True)

    body = settled(init, with_carry, lambda made: made.unknown_out)
    carry = body.unknown_out
    everything = (True,) * len(p["cond_jaxpr"].invars)
    cond = split_jaxpr(p["cond_jaxpr"], (*of_cond, *carry), everything, nothing_saveable, None, True)
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
    everything = (True,) * len(unknown)

    def with_carry(carry: Marks) -> tuple[SplitJaxpr, Marks]:
        marks = (*consts, *carry, *xs)
        return split_jaxpr(p["jaxpr"], marks, everything, policy, (*carry, *(False,) * n_ys), True), marks

    made, marks = settled(init, with_carry, lambda made: made[0].unknown_out[: len(init)])
    loop = _loop_of_known(made, consts.count(False))
    varies = loop.unknown_out[made.unknown_out.count(False) :]
    stacks, same = divided(varies, made.staged.in_avals[: made.n_saved])
    once, each = [*map(Var, same)], [Var(stacked(p["length"], a)) for a in stacks]
    call = _known_call(eqn, loop, only_not(marks, range(len(marks))), made.unknown_out, consts.count(False), len(once))
    of_consts, of_carry, of_xs = p["ft_in"].children()
    params = p | dict(
        jaxpr=rearranged(made.staged, tuple(marked_last([*varies, *(False for _ in everything)]))),
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
