"""Which equations go into one kernel, and which results are written to memory.

The result of an equation is *kept* (written to memory) where someone needs the whole array: the caller, a step that
is called, a reduction's reader. Any other is computed where it is read, inside the loops of its reader. Kept results of
one shape share a kernel where neither has to wait for the other.

To compute a value twice costs time. So what is expensive and would be computed in two kernels, or again and again for
the elements of a larger result, is kept as well.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..layer1_core.jaxpr import Atom, Jaxpr, JaxprEqn, Literal, Var
from .lowering import (
    Assembled,
    Called,
    Contracted,
    Indexed,
    Looped,
    Lowering,
    Made,
    Moved,
    Pointwise,
    Reduced,
    Relaid,
    Scanned,
    Scattered,
    lowering_of,
    only_ones_differ,
)  # fmt: skip

EXPENSIVE = 8  # additions; below that it is cheaper to compute a value again than to fetch it
# Operations in a kernel, about: compiling takes longer than linear time, and equal pieces are compiled once.
LONGEST = 48


@dataclass
class Group:
    """A kernel: all its results have the loops `key`."""

    key: tuple[Any, ...]  # ('map', shape); ('reduce', operand's shape, axes); another kind, shape, and the equation
    eqns: list[JaxprEqn] = field(default_factory=list)  # those whose results have these loops
    maps: list[JaxprEqn] = field(default_factory=list)  # of a reduction: elements that are kept on the way
    lengths: dict[int, int] = field(default_factory=dict)  # how many operations: of each equation computed in it

    @property
    def results(self) -> list[Var]:
        return [eqn.outvars[0] for eqn in (*self.maps, *self.eqns)]


Step = Group | JaxprEqn  # an equation is a step that is called


class Dataflow:
    """Where the values of a program come from: `maker` says which equation makes a variable, and `rule` how."""

    def __init__(self, jaxpr: Jaxpr):
        self.jaxpr = jaxpr
        self.maker = {id(v): eqn for eqn in jaxpr.eqns for v in eqn.outvars}
        self.rule: dict[int, Lowering] = {id(eqn): lowering_of(eqn) for eqn in jaxpr.eqns}
        self.kept: set[int] = set()  # the variables that are written to memory

    def rule_of(self, eqn: JaxprEqn) -> Lowering:
        return self.rule[id(eqn)]

    def inline(self, v: Any) -> JaxprEqn | None:
        """The equation of a variable that is computed where it is read; None for what is in memory."""
        eqn = self.maker.get(id(v))
        return eqn if eqn is not None and id(v) not in self.kept else None


class Plan(Dataflow):
    """The steps of a program, in order."""

    def __init__(self, jaxpr: Jaxpr):
        super().__init__(jaxpr)
        self.kept = needed(self)
        self.cut = cuts(self, self.kept)
        self.kept |= self.cut
        self.steps = grouped(self)
        while again := computed_again(self):
            self.kept |= again
            self.steps = grouped(self)


# ---- what is kept


def needed(flow: Dataflow) -> set[int]:
    """The variables that must be in memory: someone needs the whole array, or would compute it again and again."""
    kept = {id(v) for v in flow.jaxpr.outvars if id(v) in flow.maker}
    by_axes: set[int] = set()  # variables whose elements cannot be computed from the place in the flat order alone
    for eqn in flow.jaxpr.eqns:
        rule = flow.rule_of(eqn)
        match rule:
            case Called() | Looped() | Contracted():
                kept |= {id(v) for v in (*eqn.invars, *eqn.outvars)}
            case Reduced() | Assembled():
                kept |= {id(v) for v in eqn.outvars}
            case Scanned() | Scattered():  # one element after the other: what is expensive is computed before
                kept |= {id(eqn.outvars[0]), *(id(v) for v in eqn.invars if cost(flow, v) >= EXPENSIVE)}
            case Relaid() if not only_ones_differ(eqn):
                kept |= {id(v) for v in eqn.invars if id(v) in by_axes}
            case Pointwise() | Moved(repeats=True) | Indexed():
                kept |= {id(v) for v in eqn.invars if is_repeated(v, eqn) and cost(flow, v) >= EXPENSIVE}
        if asks_for_axes(rule, eqn) or any(id(v) in by_axes - kept for v in eqn.invars):
            by_axes |= {id(v) for v in eqn.outvars if v.aval.size != 1}
    return kept


def cuts(flow: Dataflow, kept: set[int]) -> set[int]:
    """Results to keep so that no kernel is longer than LONGEST: the operands of the equation that would make it so."""
    behind: dict[int, frozenset[int]] = {}  # the equations that are computed where a variable is read
    size = {id(eqn): own_length(flow, eqn) for eqn in flow.jaxpr.eqns}
    found = set()
    for eqn in flow.jaxpr.eqns:
        together = frozenset({id(eqn)}).union(*(behind.get(id(v), ()) for v in eqn.invars))
        if sum(map(size.__getitem__, together)) > LONGEST:
            found |= {id(v) for v in eqn.invars if behind.get(id(v))}
            together = frozenset({id(eqn)})
        behind |= {id(v): frozenset() if id(v) in kept else together for v in eqn.outvars}
    return found


def own_length(flow: Dataflow, eqn: JaxprEqn) -> int:
    """How many operations an equation is in a kernel, about: a function of maths.py is many."""
    return length_of(flow.rule_of(eqn))


def length_of(rule: Lowering) -> int:
    if isinstance(rule, Relaid):  # the same elements at the same places
        return 0
    return 1 + rule.cost // 5 if isinstance(rule, Pointwise) else 1


def cost(flow: Dataflow, v: Any) -> int:
    """What it costs to compute one element of `v` where it is read, in additions."""
    total, pending, seen = 0, [v], set()
    while pending:
        eqn = flow.maker.get(id(pending.pop()))
        if eqn is None or id(eqn) in seen:
            continue
        seen.add(id(eqn))
        rule = flow.rule_of(eqn)
        if not isinstance(rule, Pointwise | Moved | Indexed | Relaid | Made):  # it is in memory
            continue
        total += rule.cost if isinstance(rule, Pointwise) else 0
        if total >= EXPENSIVE:
            break
        pending += eqn.invars
    return total


def computed_again(plan: Plan) -> set[int]:
    """What is expensive and computed in two kernels, or in one kernel at two places, for most of their elements."""
    seen: dict[int, set[Any]] = {}
    for number, step in enumerate(plan.steps):
        if isinstance(step, Group):
            for v, moves in inside(plan, step):
                if 2 * v.aval.size < math.prod(step.key[1]):
                    continue
                seen.setdefault(id(v), set()).add((number, moves))
    return {v for v, where in seen.items() if len(where) > 1 and own_cost(plan, v) >= EXPENSIVE}


def own_cost(flow: Dataflow, v: int) -> int:
    rule = flow.rule_of(flow.maker[v])
    return rule.cost if isinstance(rule, Pointwise) else 0


def inside(flow: Dataflow, group: Group) -> Iterator[tuple[Atom, tuple[int, ...]]]:
    """The variables that are computed inside of a kernel, each with the moves between it and a result."""
    eqns = [*group.maps, *group.eqns]
    pending: list[tuple[Atom, tuple[int, ...]]] = [(v, ()) for eqn in eqns for v in eqn.invars]
    seen = set()
    while pending:
        v, moves = pending.pop()
        eqn = flow.inline(v)
        if eqn is None or (id(v), moves) in seen:
            continue
        seen.add((id(v), moves))
        yield v, moves
        further = (*moves, id(eqn)) if isinstance(flow.rule_of(eqn), Moved | Indexed) else moves
        pending += [(x, further) for x in eqn.invars]


# ---- kernels


def grouped(flow: Dataflow) -> list[Step]:
    """The steps that make the kept results: each is given to a kernel, in the order of the equations."""
    steps: list[Step] = []
    made_in: dict[int, int] = {}  # a variable in memory -> the step that makes it
    for eqn in flow.jaxpr.eqns:
        rule = flow.rule_of(eqn)
        if isinstance(rule, Called | Looped):
            steps.append(eqn)
            place = len(steps) - 1
        elif id(eqn.outvars[0]) in flow.kept:
            place = place_of(flow, eqn, rule, steps, made_in)
        else:
            continue
        made_in.update((id(v), place) for v in eqn.outvars)
    return steps


def place_of(flow: Dataflow, eqn: JaxprEqn, rule: Lowering, steps: list[Step], made_in: dict[int, int]) -> int:
    """The kernel for a kept result: the last one with its loops that is late enough, or a new one."""
    key, (same, other) = loops_of(eqn, rule), reads(flow, eqn)
    made = {v: made_in[v] for v in same | other if v in made_in}  # what it reads -> the step that makes it
    place = on_the_way(eqn, key, steps, made)
    if place is not None:
        return place
    own = lengths(flow, eqn)
    earliest = max((step + (v in other or key[0] != "map") for v, step in made.items()), default=0)
    for place in range(len(steps) - 1, earliest - 1, -1):
        group = steps[place]
        if isinstance(group, Group) and group.key == key and sum((group.lengths | own).values()) <= LONGEST:
            group.eqns.append(eqn)
            group.lengths |= own
            return place
    steps.append(Group(key, [eqn], lengths=own))
    return len(steps) - 1


def on_the_way(eqn: JaxprEqn, key: tuple[Any, ...], steps: list[Step], made: dict[int, int]) -> int | None:
    """The kernel that makes the operand of a reduction, and from then on reduces it on the way; None if it cannot.

    It can where it has the loops, and all that the reduction reads.
    """
    place = made.get(id(eqn.invars[0])) if key[0] == "reduce" else None
    group = None if place is None else steps[place]
    if not isinstance(group, Group) or group.key != ("map", key[1]) or place != max(made.values()):
        return None
    group.key, group.maps, group.eqns = key, group.eqns, [eqn]
    return place


def lengths(flow: Dataflow, eqn: JaxprEqn) -> dict[int, int]:
    """The equations that are computed where this one is, by id: how many operations each is, about."""
    pending, found = [eqn], {id(eqn): own_length(flow, eqn)}
    while pending:
        for v in pending.pop().invars:
            made = flow.inline(v)
            if made is not None and id(made) not in found:
                found[id(made)] = own_length(flow, made)
                pending.append(made)
    return found


def reads(flow: Dataflow, eqn: JaxprEqn) -> tuple[set[int], set[int]]:
    """The variables in memory that the loops of an equation read: at the same place only, and at another one."""
    same: set[int] = set()
    other: set[int] = set()
    pending = [(v, isinstance(flow.rule_of(eqn), Moved | Indexed)) for v in eqn.invars]
    seen = set()
    while pending:
        v, moved = pending.pop()
        if (id(v), moved) in seen or isinstance(v, Literal):
            continue
        seen.add((id(v), moved))
        made = flow.inline(v)
        if made is None:
            (other if moved or v.aval.shape != eqn.outvars[0].aval.shape else same).add(id(v))
        else:
            moved = moved or isinstance(flow.rule_of(made), Moved | Indexed | Relaid)
            pending += [(x, moved) for x in made.invars]
    return same, other


def asks_for_axes(rule: Lowering, eqn: JaxprEqn) -> bool:
    """Whether a rule has to know the place along each axis: that in the flat order is not enough."""
    match rule:
        case Moved() | Indexed():
            return True
        case Made():
            return eqn.outvars[0].aval.ndim > 1
        case Pointwise():  # an operand is read at 0 along an axis of the result, and elsewhere along another one
            whole = eqn.outvars[0].aval.shape
            return any(v.aval.shape != whole and v.aval.size != 1 for v in eqn.invars)
    return False


def is_repeated(v: Any, eqn: JaxprEqn) -> bool:
    """Whether the elements of an operand are read again and again in the innermost loop.

    An operand that does not change along the last axis is read often too, but computed once for each innermost loop:
    LLVM takes what does not change out of a loop.
    """
    shape, whole = v.aval.shape, eqn.outvars[0].aval.shape
    if math.prod(shape) == math.prod(whole) or not shape:
        return False
    sizes = dict(zip(eqn.params.get("broadcast_dimensions", range(len(shape))), shape, strict=True))
    return sizes.get(len(whole) - 1, 1) != 1


def loops_of(eqn: JaxprEqn, rule: Lowering) -> tuple[Any, ...]:
    """The loops that the result of an equation asks for: the key of its kernel."""
    shape = eqn.outvars[0].aval.shape
    match rule:
        case Reduced():
            return "reduce", eqn.invars[0].aval.shape, tuple(sorted(eqn.params["axes"]))
        case Scanned():
            return "scan", shape, id(eqn)
        case Scattered():
            return "scatter", shape, id(eqn)
        case Assembled():
            return "assemble", shape, id(eqn)
        case Contracted():
            return "contract", shape, id(eqn)
    return "map", shape
