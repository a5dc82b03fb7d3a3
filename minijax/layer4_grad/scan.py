"""Derivatives of `scan`: a loop of values and tangents; a loop of values, which stacks residuals, and one of tangents,
which takes them; and that one turned round, from the last step to the first.

    c, y = f(a, c, x)     c', y' = f'(a', c', x')     the residuals of a step are xs of the second loop
                          ct_a += .., ct_c, ct_x      a, which all steps share, has the sum of its cotangents carried

What is computed from constants alone is the same in all steps: it is computed once, before, and not stacked.
"""

from collections.abc import Callable, Sequence
from operator import or_
from typing import Any

import numpy as np

from ..layer1_core.aval import ShapedArray, typeof
from ..layer1_core.jaxpr import Jaxpr, JaxprEqn
from ..layer1_core.staging import eval_jaxpr
from ..layer1_core.trace import set_current_trace
from ..layer3_control.bodies import divided, parts, united
from ..layer3_control.groups import Group, joined, kept, leaves_of, singles
from ..layer3_control.scan import element, scan_p, stacked
from .dce import Marks, dce_jaxpr, dce_rules, remembered
from .jvp import jvp_rules
from .linearize import PartialTrace, linearize_rules, partial_eval_rules
from .ordering import as_found
from .programs import (
    PartialJaxpr,
    filled,
    jvp_jaxpr,
    linearize_jaxpr,
    marked_last,
    narrowed,
    nonzeros,
    only,
    partial_eval_jaxpr,
    rearranged,
    staged,
)
from .tangents import Zero, instantiate, tangent_aval
from .transpose import UndefinedPrimal, backward_pass, is_undefined_primal, transpose_rules

Params = dict[str, Any]


def settled(carry: Sequence[bool], make: Callable[[Marks], Any], comes_out: Callable[[Any], Sequence[bool]]) -> Any:
    """What `make` makes of the fewest marks that hold `carry` and come out as they went in.

    What comes out marked goes in marked the next time, until nothing is added.
    """
    marks = tuple(carry)
    while (out := tuple(comes_out(made := make(marks)))) != marks:
        marks = tuple(map(or_, marks, out))
    return made


# ---- forward mode


@jvp_rules.rule(scan_p)
def _scan_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, jaxpr: Jaxpr, ft_in: Group, ft_out: Group, **params: Any
) -> tuple[list[Any], list[Any]]:
    """One loop, whose constants, carry, sequences and results are those of the values and then of the tangents."""
    consts, init, xs = ft_in.split(nonzeros(tangents))
    n_carry, n_ys = (group.count for group in ft_out.children())

    def with_carry(carry: Marks) -> tuple[Jaxpr, Marks, Marks]:
        nonzero = (*consts, *carry, *xs)
        return *jvp_jaxpr(jaxpr, nonzero, (*carry, *(False,) * n_ys)), nonzero

    both, nonzero_out, nonzero = settled(init, with_carry, lambda made: made[1][:n_carry])
    tangents = [instantiate(t) for t in only(nonzero, tangents)]
    inputs, n_in = _paired(ft_in, nonzero)
    results, n_out = _paired(ft_out, nonzero_out)
    given = [*primals, *tangents]
    out = scan_p.bind(
        *(given[i] for i in inputs), jaxpr=rearranged(both, tuple(inputs), tuple(results)), ft_in=n_in, ft_out=n_out,
        **params,
    )  # fmt: skip
    placed = dict(zip(results, out, strict=True))
    whole = [placed[i] for i in range(len(out))]
    n = len(jaxpr.outvars)
    return whole[:n], filled(nonzero_out, whole[n:], _out_avals(params["length"], ft_out, jaxpr))


def _paired(group: Group, nonzero: Marks) -> tuple[list[int], Group]:
    """Where, in a list of values and then of the tangents marked, each part of a group is with its tangents."""
    of_tangents = kept(group, nonzero)
    n = group.count
    values, tangents = group.split(range(n)), of_tangents.split(range(n, n + of_tangents.count))
    places = [i for pair in zip(values, tangents, strict=True) for part in pair for i in part]
    return places, joined(*(joined(*pair) for pair in zip(group.children(), of_tangents.children(), strict=True)))


def _out_avals(length: int, ft_out: Group, jaxpr: Jaxpr) -> list[ShapedArray]:
    """The types of the results of the loop."""
    carry, ys = ft_out.split(jaxpr.out_avals)
    return [*carry, *(stacked(length, y) for y in ys)]


# ---- linearization


def _scan_linearize(
    nonzero: Sequence[bool], *primals: Any, jaxpr: Jaxpr, ft_in: Group, ft_out: Group, **params: Any
) -> Any:
    """Two loops: of the values, which stacks the residuals that differ from step to step, and of the tangents."""
    consts, init, xs = ft_in.split(nonzero)
    n_carry, n_ys = (group.count for group in ft_out.children())
    may_forward = _may_forward(jaxpr, ft_in.split(primals))

    def with_carry(carry: Marks) -> tuple[Any, Marks]:
        marks = (*consts, *carry, *xs)
        return linearize_jaxpr(jaxpr, marks, (*carry, *(False,) * n_ys), may_forward), marks

    halves, marks = settled(init, with_carry, lambda made: made[0].nonzero[:n_carry])
    n_out = len(jaxpr.outvars)
    out, new, varies = _run_known(halves.primal, halves.n_new, ft_in.split(primals), ft_in, ft_out, params)
    residuals = halves.residuals([*jaxpr.consts, *primals], new)
    stacks = _stacks(halves.forwarded, varies, len(jaxpr.consts) + len(consts) + n_carry)

    def push(*tangents: Any) -> list[Any]:
        given = [instantiate(t) for t in only(marks, tangents)]
        groups = kept(ft_in, marks), kept(ft_out, halves.nonzero)
        results = _bind_rest(halves.tangent, residuals, stacks, given, groups, params)
        return filled(halves.nonzero, results, _out_avals(params["length"], ft_out, jaxpr))

    return out[:n_out], push


linearize_rules[scan_p] = _scan_linearize


def _may_forward(jaxpr: Jaxpr, operands: Sequence[Sequence[Any]]) -> Marks:
    """Which constants and inputs of a step may be residuals themselves: all but the carry, and NumPy's arrays."""
    consts, carry, xs = ([not isinstance(x, np.ndarray) for x in part] for part in operands)
    return (*(True for _ in jaxpr.consts), *consts, *(False for _ in carry), *xs)


def _run_known(
    jaxpr: Jaxpr, n_new: int, operands: Sequence[Sequence[Any]], ft_in: Group, ft_out: Group, params: Params
) -> tuple[list[Any], list[Any], list[bool]]:
    """The results of the loop of a program whose last `n_new` results are residuals; these; and which of them vary.

    What is the same in all steps is computed before.
    """
    consts, carry, xs = operands
    n_out = len(jaxpr.outvars) - n_new
    halves = _hoisted(jaxpr, len(consts), n_out)
    same = eval_jaxpr(halves.known, halves.known.consts, *consts)
    n_same = len(same) - halves.n_new
    own = halves.residuals([*jaxpr.consts, *consts], same[n_same:])
    varies = [*halves.unknown_out[n_out:]]
    out: list[Any] = []
    if halves.unknown.outvars or halves.unknown.effects:
        _, of_carry, of_xs = ft_in.children()
        of_ys = ft_out.children()[1]
        out = scan_p.bind(
            *own, *carry, *xs, jaxpr=halves.unknown, ft_in=joined(singles(len(own)), of_carry, of_xs),
            ft_out=joined(of_carry, joined(of_ys, singles(sum(varies)))), **params,
        )  # fmt: skip
    stacks, once = iter(out[n_out:]), iter(same[:n_same])
    return out[:n_out], [next(stacks if mark else once) for mark in varies], varies


@remembered
def _hoisted(jaxpr: Jaxpr, n_consts: int, n_out: int) -> PartialJaxpr:
    """A step in two: what depends on the constants alone, and the rest with all results but residuals of the first."""
    unknown = tuple(i >= n_consts for i in range(len(jaxpr.invars)))
    return as_found(partial_eval_jaxpr(jaxpr, unknown, tuple(i < n_out for i in range(len(jaxpr.outvars)))))


def _stacks(forwarded: Sequence[int | None], varies: Sequence[bool], first_x: int) -> list[bool]:
    """Which residuals differ from step to step: new ones that vary, and xs."""
    new = iter(varies)
    return [next(new) if i is None else i >= first_x for i in forwarded]


def _bind_rest(
    jaxpr: Jaxpr, residuals: Sequence[Any], stacks: Sequence[bool], args: Sequence[Any], groups: tuple[Group, Group],
    params: Params,
) -> list[Any]:  # fmt: skip
    """The loop of a program whose first inputs are residuals: those that differ from step to step are xs, the last.

    `groups` are those of its other inputs, and of its results.
    """
    consts, carry, xs = groups[0].children()
    order = marked_last([*stacks, *(False for _ in args)])
    given = [*residuals, *args]
    n_stacks = sum(stacks)
    ft_in = joined(joined(singles(len(stacks) - n_stacks), consts), carry, joined(xs, singles(n_stacks)))
    program = rearranged(jaxpr, tuple(order))
    return scan_p.bind(*(given[i] for i in order), jaxpr=program, ft_in=ft_in, ft_out=groups[1], **params)


# ---- partial evaluation


def _scan_partial_eval(
    trace: PartialTrace, *args: Any, jaxpr: Jaxpr, ft_in: Group, ft_out: Group, **params: Any
) -> list[Any]:
    """Two loops: of what is known, which stacks residuals, and of the rest, which is recorded."""
    consts, init, xs = ft_in.split([*map(trace.is_unknown, args)])
    n_carry, n_ys = (group.count for group in ft_out.children())

    def with_carry(carry: Marks) -> tuple[PartialJaxpr, Marks]:
        marks = (*consts, *carry, *xs)
        known_in = [not mark for mark in marks]
        may_forward = _may_forward(jaxpr, kept(ft_in, known_in).split(only(known_in, args)))
        return partial_eval_jaxpr(jaxpr, marks, (*carry, *(False,) * n_ys), may_forward), marks

    halves, marks = settled(init, with_carry, lambda made: made[0].unknown_out[:n_carry])
    known_in, known_out = [not mark for mark in marks], [not mark for mark in halves.unknown_out]
    of_known, known = kept(ft_in, known_in), only(known_in, args)
    operands = of_known.split(known)
    with set_current_trace(trace.parent):
        out, new, varies = _run_known(halves.known, halves.n_new, operands, of_known, kept(ft_out, known_out), params)
    residuals = halves.residuals([*jaxpr.consts, *known], new)
    stacks = _stacks(halves.forwarded, varies, len(jaxpr.consts) + len(operands[0]) + len(operands[1]))
    groups = kept(ft_in, marks), kept(ft_out, halves.unknown_out)
    with set_current_trace(trace.unknown):
        rest = _bind_rest(halves.unknown, residuals, stacks, only(marks, args), groups, params)
    return united(halves.unknown_out, rest, out)


partial_eval_rules[scan_p] = _scan_partial_eval

# ---- transposition


@transpose_rules.rule(scan_p)
def _scan_transpose(
    cts: Sequence[Any], *operands: Any, jaxpr: Jaxpr, ft_in: Group, ft_out: Group, reverse: bool, **params: Any
) -> list[Any]:
    """The loop the other way round, from the cotangent of the last carry to that of the first.

    The cotangents of the constants are summed up in the carry, those of the xs are stacked.
    """
    consts, init, xs = ft_in.split(operands)
    ct_carry, ct_ys = ft_out.split(cts)
    marks = tuple(tuple(map(is_undefined_primal, part)) for part in (consts, init, xs))
    ct_carry = [instantiate(ct) for ct in ct_carry]
    linear_consts, fixed = divided(marks[0], consts)
    linear_xs, stacks = divided(marks[2], xs)
    ct_consts = [instantiate(Zero(x.aval)) for x in linear_consts]
    elements = [Zero(element(ct.aval)) if type(ct) is Zero else ct for ct in ct_ys]
    given = [*fixed, *ct_consts, *ct_carry], [ct for ct in ct_ys if type(ct) is not Zero] + stacks
    avals = (*map(typeof, given[0]), *(element(typeof(x)) for x in given[1]))
    out = scan_p.bind(
        *given[0], *given[1], jaxpr=_turned(jaxpr, marks[0], len(init), marks[2], nonzeros(ct_ys), avals),
        ft_in=leaves_of(((fixed, []), (ct_consts, ct_carry), ([], elements, stacks))),
        ft_out=leaves_of(((ct_consts, ct_carry), [0 for _ in linear_xs])),
        reverse=not reverse, **params,
    )  # fmt: skip
    found = iter(out)
    taken = [*marks[0], *(True for _ in init), *marks[2]]
    return [next(found) if mark else None for mark in taken]


@remembered
def _turned(
    jaxpr: Jaxpr, linear_consts: Marks, n_carry: int, linear_xs: Marks, nonzero_ys: Marks, avals: Sequence[ShapedArray]
) -> Jaxpr:
    """One step backwards.

    It takes the other constants, the sums of the cotangents of the constants, the cotangents of the carry, of the ys
    and the other xs; it gives these sums, the cotangents of the carry and of the xs.
    """
    linear = (*linear_consts, *(True for _ in range(n_carry)), *linear_xs)

    def transposed(*args: Any) -> list[Any]:
        sizes = len(linear_consts) - sum(linear_consts), sum(linear_consts), n_carry, sum(nonzero_ys)
        fixed, ct_consts, ct_carry, ct_ys, stacks = parts(args, *sizes)
        others, sums = iter([*fixed, *stacks]), iter(ct_consts)
        summed = [next(sums) if mark else None for mark in linear_consts]
        cts_in = [*summed, *ct_carry, *(None for _ in linear_xs)]
        operands = [
            UndefinedPrimal(tangent_aval(a) if ct is None else typeof(ct)) if mark else next(others)
            for mark, a, ct in zip(linear, jaxpr.in_avals, cts_in, strict=True)
        ]
        cts = [*ct_carry, *filled(nonzero_ys, ct_ys, jaxpr.out_avals[n_carry:])]
        found = backward_pass(jaxpr, jaxpr.consts, operands, cts, summed)
        return [instantiate(ct) for ct in only(linear, found)]

    return staged(transposed, avals, jaxpr)


# ---- dead code


def _scan_dce(used: Marks, eqn: JaxprEqn) -> tuple[Sequence[bool], JaxprEqn | None]:
    """A carry is needed where it is used after the last step, or any step needs it of the step before."""
    ft_in, ft_out = eqn.params["ft_in"], eqn.params["ft_out"]
    n_consts, _, n_xs = (group.count for group in ft_in.children())
    carry, ys = ft_out.split(used)

    def with_carry(carry: Marks) -> tuple[Jaxpr, Marks, Marks]:
        marks = (*carry, *ys)
        keep = (*(False,) * n_consts, *carry, *(False,) * n_xs)
        return *dce_jaxpr(eqn.params["jaxpr"], marks, keep), marks

    smaller, used_inputs, marks = settled(carry, with_carry, lambda made: ft_in.split(made[1])[1])
    params = eqn.params | dict(jaxpr=smaller, ft_in=kept(ft_in, used_inputs), ft_out=kept(ft_out, marks))
    return used_inputs, narrowed(eqn, used_inputs, marks, params)


dce_rules[scan_p] = _scan_dce
