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
from .lowering import Called, Lowering, Made, Moved, Pointwise, Reduced, Relaid, lowering_of

EXPENSIVE = 8  # additions; below that it is cheaper to compute a value again than to fetch it
# Equations in a kernel, about: compiling takes longer than linear time, and equal pieces are compiled once.
LONGEST = 100


@dataclass
class Group:
    """A kernel: all its results have the loops `key`."""

    key: tuple[Any, ...]  # ('map', shape), or ('reduce', shape of the operand, axes)
    eqns: list[JaxprEqn] = field(default_factory=list)  # those whose results have these loops
    maps: list[JaxprEqn] = field(default_factory=list)  # of a reduction: elements that are kept on the way
    length: int = 0  # equations that are computed in it, about

    @property
    def results(self) -> list[Var]:
        return [eqn.outvars[0] for eqn in (*self.maps, *self.eqns)]


Step = Group | JaxprEqn  # an equation is a step that is called


class Plan:
    """The steps of a program, in order; `maker` says which equation makes a variable, and `rule` how."""

    def __init__(self, jaxpr: Jaxpr):
        self.jaxpr = jaxpr
        self.maker = {id(v): eqn for eqn in jaxpr.eqns for v in eqn.outvars}
        self.rule: dict[int, Lowering] = {id(eqn): lowering_of(eqn) for eqn in jaxpr.eqns}
        self.kept = needed(self)
        self.steps = grouped(self)
        while again := computed_again(self):
            self.kept |= again
            self.steps = grouped(self)

    def rule_of(self, eqn: JaxprEqn) -> Lowering:
        return self.rule[id(eqn)]

    def inline(self, v: Any) -> JaxprEqn | None:
        """The equation of a variable that is computed where it is read; None for what is in memory."""
        eqn = self.maker.get(id(v))
        return eqn if eqn is not None and id(v) not in self.kept else None


# ---- what is kept


def needed(plan: Plan) -> set[int]:
    kept = {id(v) for v in plan.jaxpr.outvars if id(v) in plan.maker}
    by_axes: set[int] = set()  # variables whose elements cannot be computed from the place in the flat order alone
    for eqn in plan.jaxpr.eqns:
        rule = plan.rule_of(eqn)
        match rule:
            case Called():
                kept |= {id(v) for v in (*eqn.invars, *eqn.outvars)}
            case Reduced():
                kept |= {id(v) for v in eqn.outvars}
            case Relaid():
                kept |= {id(v) for v in eqn.invars if id(v) in by_axes}
            case Pointwise() | Moved(repeats=True):
                kept |= {id(v) for v in eqn.invars if is_repeated(v, eqn) and cost(plan, v) >= EXPENSIVE}
        if isinstance(rule, Moved | Made) or any(id(v) in by_axes - kept for v in eqn.invars):
            by_axes |= {id(v) for v in eqn.outvars}
    return kept | cuts(plan, kept)


def cuts(plan: Plan, kept: set[int]) -> set[int]:
    """Results to keep so that no kernel has many more equations than LONGEST."""
    inside: dict[int, frozenset[int]] = {}  # the equations that are computed where a variable is read
    found = set()
    for eqn in plan.jaxpr.eqns:
        together = frozenset({id(eqn)}).union(*(inside.get(id(v), ()) for v in eqn.invars))
        for v in eqn.outvars:
            if len(together) >= LONGEST:
                found.add(id(v))
            inside[id(v)] = frozenset() if id(v) in kept or id(v) in found else together
    return found


def cost(plan: Plan, v: Any) -> int:
    """What it costs to compute one element of `v` where it is read, in additions."""
    total, pending, seen = 0, [v], set()
    while pending:
        eqn = plan.maker.get(id(pending.pop()))
        if eqn is None or id(eqn) in seen:
            continue
        seen.add(id(eqn))
        rule = plan.rule_of(eqn)
        if isinstance(rule, Called | Reduced):
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


def own_cost(plan: Plan, v: int) -> int:
    rule = plan.rule_of(plan.maker[v])
    return rule.cost if isinstance(rule, Pointwise) else 0


def inside(plan: Plan, group: Group) -> Iterator[tuple[Atom, tuple[int, ...]]]:
    """The variables that are computed inside of a kernel, each with the moves between it and a result."""
    eqns = [*group.maps, *group.eqns]
    pending: list[tuple[Atom, tuple[int, ...]]] = [(v, ()) for eqn in eqns for v in eqn.invars]
    seen = set()
    while pending:
        v, moves = pending.pop()
        eqn = plan.inline(v)
        if eqn is None or (id(v), moves) in seen:
            continue
        seen.add((id(v), moves))
        yield v, moves
        further = (*moves, id(eqn)) if isinstance(plan.rule_of(eqn), Moved) else moves
        pending += [(x, further) for x in eqn.invars]


# ---- kernels


def grouped(plan: Plan) -> list[Step]:
    steps: list[Step] = []
    made_in: dict[int, int] = {}  # a variable in memory -> the step that makes it
    for eqn in plan.jaxpr.eqns:
        rule = plan.rule_of(eqn)
        if isinstance(rule, Called):
            steps.append(eqn)
            place = len(steps) - 1
        elif id(eqn.outvars[0]) in plan.kept:
            place = place_of(plan, eqn, rule, steps, made_in)
        else:
            continue
        made_in.update((id(v), place) for v in eqn.outvars)
    return steps


def place_of(plan: Plan, eqn: JaxprEqn, rule: Lowering, steps: list[Step], made_in: dict[int, int]) -> int:
    """The kernel for a kept result: the last one with its loops that is late enough, or a new one."""
    key = loops_of(eqn, rule)
    same, other = reads(plan, eqn)
    place = made_in.get(id(eqn.invars[0])) if key[0] == "reduce" else None
    if place is not None and can_grow(steps[place], key, [made_in[v] for v in same | other if v in made_in], place):
        group = steps[place]
        assert isinstance(group, Group)
        group.key, group.maps, group.eqns = key, group.eqns, [eqn]
        return place
    earliest = max((made_in[v] + (v in other or key[0] != "map") for v in same | other if v in made_in), default=0)
    for place in range(len(steps) - 1, earliest - 1, -1):
        group = steps[place]
        if isinstance(group, Group) and group.key == key and group.length + length(plan, eqn) <= LONGEST:
            group.eqns.append(eqn)
            group.length += length(plan, eqn)
            return place
    steps.append(Group(key, [eqn], length=length(plan, eqn)))
    return len(steps) - 1


def length(plan: Plan, eqn: JaxprEqn) -> int:
    """How many equations are computed where this one is."""
    pending, seen = [eqn], {id(eqn)}
    while pending:
        for v in pending.pop().invars:
            made = plan.inline(v)
            if made is not None and id(made) not in seen:
                seen.add(id(made))
                pending.append(made)
    return len(seen)


def reads(plan: Plan, eqn: JaxprEqn) -> tuple[set[int], set[int]]:
    """The variables in memory that the loops of an equation read: at the same place only, and at another one."""
    same: set[int] = set()
    other: set[int] = set()
    pending = [(v, isinstance(plan.rule_of(eqn), Moved)) for v in eqn.invars]
    seen = set()
    while pending:
        v, moved = pending.pop()
        if (id(v), moved) in seen or isinstance(v, Literal):
            continue
        seen.add((id(v), moved))
        made = plan.inline(v)
        if made is None:
            (other if moved or v.aval.shape != eqn.outvars[0].aval.shape else same).add(id(v))
        else:
            moved = moved or isinstance(plan.rule_of(made), Moved | Relaid)
            pending += [(x, moved) for x in made.invars]
    return same, other


def is_repeated(v: Any, eqn: JaxprEqn) -> bool:
    """Whether the elements of an operand are read again and again in the innermost loop.

    An operand that does not change along the last axis is read often too, but computed once for each innermost loop:
    LLVM takes what does not change out of a loop.
    """
    shape, whole = v.aval.shape, eqn.outvars[0].aval.shape
    if math.prod(shape) == math.prod(whole) or not shape:
        return False
    place = dict(zip(eqn.params.get("broadcast_dimensions", range(len(shape))), shape, strict=False))
    return place.get(len(whole) - 1, 1) != 1


def can_grow(step: Step, key: tuple[Any, ...], reads: list[int], place: int) -> bool:
    """Whether the kernel that makes an operand can reduce it on the way: it has the loops, and all that it reads."""
    return isinstance(step, Group) and step.key == ("map", key[1]) and all(made <= place for made in reads)


def loops_of(eqn: JaxprEqn, rule: Lowering) -> tuple[Any, ...]:
    if isinstance(rule, Reduced):
        return "reduce", eqn.invars[0].aval.shape, tuple(sorted(eqn.params["axes"]))
    return "map", eqn.outvars[0].aval.shape
