"""The program of one device, cut where devices speak to each other: the segments between are compiled each as one.

    segment   psum   segment   all_gather   segment

An equation stands in the earliest segment in which its operands are there. So the sums of all gradients of a step come
together, after one segment, and before the next. What is the same on all devices stands in a segment by itself, which
is run once for all.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..layer1_core.evaluate import Program, program_of
from ..layer1_core.jaxpr import Jaxpr, JaxprEqn, Var, jaxprs_in_params
from ..layer1_core.lax.dot import dot_general_p
from ..layer2_jit.lowering import Made, Moved, Pointwise, lowering_of
from ..layer3_control.scan import scan_p
from ..layer4_grad.programs import run_like
from .side_by_side import side_by_side

Values = list[Any]  # what one device has: a value for each variable


@dataclass(eq=False)
class Segment:
    """A piece of a program in which no device needs another one."""

    jaxpr: Jaxpr

    @cached_property
    def program(self) -> Program:
        return program_of(self.jaxpr)

    @cached_property
    def work(self) -> int:
        """About how many nanoseconds it takes on one thread."""
        return sum(map(_work, self.jaxpr.eqns))

    def run(self, rows: Sequence[Values]) -> list[Values]:
        """The results for each device, from its operands; once for devices that have the same ones."""
        return for_distinct(lambda distinct: side_by_side(self.program, distinct, self.work), rows)


def for_distinct(fun: Callable[[list[Values]], list[Any]], rows: Sequence[Values]) -> list[Any]:
    """What `fun` gives for the rows, which is asked once for those that have the same values: not equal, the same."""
    keys = [tuple(map(id, row)) for row in rows]
    distinct = dict(zip(keys, rows, strict=True))
    results = dict(zip(distinct, fun(list(distinct.values())), strict=True))
    return [results[key] for key in keys]


def _work(eqn: JaxprEqn) -> int:
    """One for each element that is written, and one for 32 products of numbers."""
    out = sum(v.aval.size for v in eqn.outvars)
    if eqn.primitive is dot_general_p:
        lhs, (dims, _) = eqn.invars[0].aval.shape, eqn.params["dimension_numbers"][0]
        return out * (1 + math.prod(lhs[d] for d in dims) // 32)
    rounds = eqn.params["length"] if eqn.primitive is scan_p else 1
    return out + rounds * sum(map(_work, (e for sub in jaxprs_in_params(eqn.params) for e in sub.eqns)))


Step = Segment | JaxprEqn


def cut(jaxpr: Jaxpr, varying: Sequence[bool], is_joint: Callable[[JaxprEqn], bool],
        makes_same: Callable[[JaxprEqn], bool]) -> list[Step]:  # fmt: skip
    """The steps of a program: segments, and the equations that are not of one device alone, or have effects.

    `varying` says which inputs devices have differently. After an equation that `makes_same` all have the same.
    """
    vary = {id(v) for v, mark in zip(jaxpr.invars, varying, strict=True) if mark}
    ready: dict[int, int] = {}  # the stage from which on a variable is there
    own: defaultdict[int, list[JaxprEqn]] = defaultdict(list)  # the equations of one device, by stage
    joint: defaultdict[int, list[JaxprEqn]] = defaultdict(list)  # those that follow them
    last = 0  # the stage of the last effect: they stay in order
    for eqn in jaxpr.eqns:
        stage = max((ready.get(id(v), 0) for v in eqn.invars), default=0)
        differs = any(id(v) in vary for v in eqn.invars)
        if not is_joint(eqn) and not eqn.effects:
            own[stage].append(eqn)
        else:
            if eqn.effects:
                stage = last = max(stage, last)
            elif not eqn.invars:
                stage = -1  # such as axis_index: it is asked once, before everything
            joint[stage].append(eqn)
            stage, differs = stage + 1, (differs or not eqn.invars) and not makes_same(eqn)
        ready |= {id(v): stage for v in eqn.outvars}
        vary |= {id(v) for v in eqn.outvars if differs}
    steps: list[Any] = []
    for stage in range(-1, max((*own, *joint), default=0) + 1):
        steps += [eqns for eqns in _same_and_varying(own[stage], vary, jaxpr) if eqns]
        steps += joint[stage]
    return _with_segments(jaxpr, steps)


def _same_and_varying(eqns: Sequence[JaxprEqn], vary: set[int], jaxpr: Jaxpr) -> tuple[list[JaxprEqn], list[JaxprEqn]]:
    """The equations that are the same on all devices, and the others.

    With these go those of the first that only they read, and that cost nothing in a kernel, such as broadcasts.
    """
    readers: defaultdict[int, set[int]] = defaultdict(set)
    for eqn in jaxpr.eqns:
        for v in eqn.invars:
            readers[id(v)].add(id(eqn))
    for v in jaxpr.outvars:
        readers[id(v)].add(id(jaxpr))
    own = {id(eqn) for eqn in eqns if any(id(v) in vary for v in eqn.outvars)}
    for eqn in reversed(eqns):
        read_by = set().union(*(readers[id(v)] for v in eqn.outvars))
        if read_by and read_by <= own and isinstance(lowering_of(eqn), (Pointwise, Moved, Made)):
            own.add(id(eqn))
    return [eqn for eqn in eqns if id(eqn) not in own], [eqn for eqn in eqns if id(eqn) in own]


def _with_segments(jaxpr: Jaxpr, steps: Sequence[list[JaxprEqn] | JaxprEqn]) -> list[Step]:
    """The steps, with lists of equations as segments; what nobody reads is in none."""
    found: list[Step] = []
    read = {id(v) for v in jaxpr.outvars}
    for step in reversed(steps):
        if isinstance(step, JaxprEqn):
            read |= {id(v) for v in step.invars}
            found.append(step)
        elif any(id(v) in read for eqn in step for v in eqn.outvars):
            segment = _segment(jaxpr, step, read)
            read |= {id(v) for v in segment.jaxpr.invars}
            found.append(segment)
    return found[::-1]


def _segment(jaxpr: Jaxpr, eqns: list[JaxprEqn], read: set[int]) -> Segment:
    bound = {id(v) for eqn in eqns for v in eqn.outvars}
    wanted = {id(v): v for eqn in eqns for v in eqn.invars if isinstance(v, Var) and id(v) not in bound}
    consts = [(v, x) for v, x in zip(jaxpr.constvars, jaxpr.consts, strict=True) if id(v) in wanted]
    constvars = {id(v) for v, _ in consts}
    piece = jaxpr.replace(
        constvars=[v for v, _ in consts], consts=[x for _, x in consts], eqns=eqns,
        invars=[v for v in wanted.values() if id(v) not in constvars],
        outvars=[v for eqn in eqns for v in eqn.outvars if id(v) in read],
    )  # fmt: skip
    return Segment(run_like(jaxpr, piece))
