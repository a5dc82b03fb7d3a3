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

from ..layer1_core.jaxpr import Atom, Jaxpr, JaxprEqn, Literal, Var
from ..layer1_core.primitive import Primitive
from .dce import Marks, remembered
from .policies import Policy, is_saved
from .programs import only, only_not, run_like


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
    """Where a walk over the equations stands: of each variable, whether it is unknown, and whether available; the
    values that are saved; and the equations of both programs.
    """

    marks: dict[int, tuple[bool, bool]]
    saved: dict[int, Var] = field(default_factory=dict)
    known: list[JaxprEqn] = field(default_factory=list)
    staged: list[JaxprEqn] = field(default_factory=list)

    def read(self, atoms: Sequence[Atom]) -> tuple[Marks, Marks]:
        pairs = [(False, True) if isinstance(v, Literal) else self.marks[id(v)] for v in atoms]
        return tuple(unknown for unknown, _ in pairs), tuple(available for _, available in pairs)

    def write(self, variables: Sequence[Var], unknown: Sequence[bool], available: Sequence[bool]) -> None:
        self.marks.update(zip(map(id, variables), zip(unknown, available, strict=True), strict=True))

    def take(self, eqn: JaxprEqn, made: SplitEqn) -> None:
        """Go on behind an equation, of which `made` was made."""
        self.save(made.saved)
        self.write(eqn.outvars, made.unknown_out, made.available_out)
        self.known += [made.known] if made.known else []
        self.staged += [made.staged] if made.staged else []

    def save(self, variables: Sequence[Var]) -> None:
        self.saved.update((id(v), v) for v in variables)

    def save_missing(self, atoms: Sequence[Atom]) -> None:
        """Save what the staged program reads and has not."""
        self.save(unavailable(atoms, self.read(atoms)[1]))


def unavailable(atoms: Sequence[Atom], available: Sequence[bool]) -> list[Var]:
    return [v for v, mark in zip(atoms, available, strict=True) if isinstance(v, Var) and not mark]


@remembered
def split_jaxpr(jaxpr: Jaxpr, unknown: Marks, available: Marks, policy: Policy) -> SplitJaxpr:
    """The two programs of one of which some inputs are unknown, and some available."""
    walk = _walked(jaxpr, unknown, available, policy)
    return _programs(jaxpr, walk, unknown, available, *walk.read(jaxpr.outvars))


@remembered
def split_body(jaxpr: Jaxpr, unknown: Marks, policy: Policy, ensured_unknown: Marks | None = None) -> SplitJaxpr:
    """The same of a branch, or of a step of a loop: all inputs are available, and all results have to be.

    Results marked `ensured_unknown` count as unknown.
    """
    every_input, every_result = (True,) * len(jaxpr.invars), (True,) * len(jaxpr.outvars)
    walk = _walked(jaxpr, unknown, every_input, policy)
    walk.save_missing(jaxpr.outvars)
    unknown_out, _ = walk.read(jaxpr.outvars)
    if ensured_unknown:
        unknown_out = tuple(map(or_, unknown_out, ensured_unknown))
    return _programs(jaxpr, walk, unknown, every_input, unknown_out, every_result)


def _walked(jaxpr: Jaxpr, unknown: Marks, available: Marks, policy: Policy) -> Walk:
    """The walk over all equations."""
    walk = Walk({id(v): (False, True) for v in jaxpr.constvars})
    walk.write(jaxpr.invars, unknown, available)
    for eqn in jaxpr.eqns:
        walk.take(eqn, _split_eqn(walk, policy, eqn))
    return walk


def _programs(
    jaxpr: Jaxpr, walk: Walk, unknown: Marks, available: Marks, unknown_out: Marks, available_out: Marks
) -> SplitJaxpr:
    """The two programs that a walk has made of `jaxpr`, from these inputs to these results."""
    saved = [*walk.saved.values()]
    known = jaxpr.replace(
        invars=only_not(unknown, jaxpr.invars),
        outvars=[*only_not(unknown_out, jaxpr.outvars), *saved],
        eqns=walk.known,
    )
    staged = jaxpr.replace(
        invars=[*saved, *only(available, jaxpr.invars)], outvars=only(available_out, jaxpr.outvars),
        eqns=walk.staged,
    )  # fmt: skip
    return SplitJaxpr(run_like(jaxpr, known), run_like(jaxpr, staged), unknown_out, available_out, len(saved))


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
