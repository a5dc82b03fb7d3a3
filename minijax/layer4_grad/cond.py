"""Derivatives of `cond`: each branch is differentiated, and the branch that was taken is taken again.

The residuals of the branches share their places: a branch takes and gives those of all, type by type. A place that it
has no value for holds anything.
"""

from collections import Counter
from collections.abc import Sequence
from enum import Enum
from operator import or_
from typing import Any

import numpy as np

from ..layer1_core.aval import ShapedArray, shaped, typeof
from ..layer1_core.jaxpr import Jaxpr, JaxprEqn, Var
from ..layer1_core.lax.families import primitive
from ..layer1_core.lax.shaping import as_typed, broadcast
from ..layer1_core.primitive import impl_rules
from ..layer1_core.staging import eval_jaxpr
from ..layer1_core.trace import set_current_trace
from ..layer2_jit.loops import Const
from ..layer2_jit.lowering import Made, lowering_rules
from ..layer3_control.bodies import united
from ..layer3_control.cond import cond_p
from .dce import Marks, dce_jaxpr, dce_rules, remembered
from .families import no_rule
from .jvp import jvp_rules
from .linearize import PartialTrace, linearize_rules, partial_eval_rules
from .programs import (
    filled,
    for_operands,
    jvp_jaxpr,
    linearize_jaxpr,
    narrowed,
    nonzeros,
    only,
    only_not,
    partial_eval_jaxpr,
    staged,
    transpose_jaxpr,
)
from .transpose import is_undefined_primal, transpose_rules

Branches = tuple[Jaxpr, ...]

# ---- a value that nobody reads


class MemorySpace(Enum):
    """Where an array lies. Printed as in JAX."""

    Device = "device"


empty2_p = primitive("empty2", lambda *, dtype, memory_space: shaped((), dtype))
impl_rules[empty2_p] = lambda *, dtype, memory_space: np.zeros((), dtype)
lowering_rules[empty2_p] = Made(lambda eqn, at: Const(0, eqn.outvars[0].aval.dtype))
no_rule(jvp_rules, "its value is not specified", empty2_p)
no_rule(transpose_rules, "it has no operands", empty2_p)


def _anything(aval: ShapedArray) -> Any:
    """A value of this type that nobody reads."""
    number = empty2_p.bind(dtype=aval.dtype, memory_space=MemorySpace.Device)
    return broadcast(as_typed(number, aval) if aval.vma else number, aval.shape)


# ---- the residuals of all branches


def merged(each: Sequence[Sequence[ShapedArray]]) -> tuple[tuple[ShapedArray, ...], tuple[tuple[int, ...], ...]]:
    """The types of the places for all residuals, and which places those of each branch take.

    >>> f, i = shaped((), np.dtype("float32")), shaped((), np.dtype("int32"))
    >>> merged([[f], [i], [f, f]])[1]
    ((0,), (1,), (0, 2))
    """
    numbered = []
    for avals in each:
        seen: Counter[ShapedArray] = Counter()
        numbered.append([])
        for aval in avals:
            numbered[-1].append((aval, seen[aval]))
            seen[aval] += 1
    places = {key: i for i, key in enumerate(dict.fromkeys(key for keys in numbered for key in keys))}
    return tuple(aval for aval, _ in places), tuple(tuple(places[key] for key in keys) for keys in numbered)


@remembered
def _giving_all(jaxpr: Jaxpr, n_out: int, places: tuple[int, ...], avals: tuple[ShapedArray, ...]) -> Jaxpr:
    """A branch whose residuals, the results after the first `n_out`, are in their places."""

    def run(*args: Any) -> list[Any]:
        out = eval_jaxpr(jaxpr, jaxpr.consts, *args)
        own = dict(zip(places, out[n_out:], strict=True))
        every = [_anything(aval) for aval in avals]
        return [*out[:n_out], *(own.get(i, x) for i, x in enumerate(every))]

    return staged(run, jaxpr.in_avals, jaxpr)


@remembered
def _taking_all(
    first: Jaxpr, others: Branches, places: tuple[tuple[int, ...], ...], avals: tuple[ShapedArray, ...]
) -> Branches:
    """Branches whose residuals, their first inputs, are in their places."""
    unread = [Var(aval) for aval in avals]

    def with_all(jaxpr: Jaxpr, own: Sequence[int]) -> Jaxpr:
        mine = dict(zip(own, jaxpr.invars, strict=False))
        residuals = [mine.get(i, v) for i, v in enumerate(unread)]
        return jaxpr.replace(invars=[*residuals, *jaxpr.invars[len(own) :]])

    return tuple(with_all(*pair) for pair in zip((first, *others), places, strict=True))


def shared(first: Branches, second: Branches, n_new: Sequence[int]) -> tuple[Branches, Branches, int]:
    """Branches that give residuals, as their last results, and branches that take them first: all those of all.

    With them how many these are.
    """
    each = [jaxpr.out_avals[len(jaxpr.outvars) - n :] for jaxpr, n in zip(first, n_new, strict=True)]
    avals, places = merged(each)
    n_out = len(first[0].outvars) - n_new[0]
    giving = tuple(_giving_all(jaxpr, n_out, own, avals) for jaxpr, own in zip(first, places, strict=True))
    return giving, _taking_all(second[0], second[1:], places, avals), len(avals)


def _no_forward(jaxpr: Jaxpr) -> Marks:
    """No input of a branch is a residual itself: it would be one of all branches, and they need not have it."""
    return (False,) * (len(jaxpr.consts) + len(jaxpr.invars))


def in_any(marks: Sequence[Sequence[bool]]) -> Marks:
    """Which places are marked by one of them at least."""
    return tuple(map(any, zip(*marks, strict=True)))


# ---- forward mode


@jvp_rules.rule(cond_p)
def _cond_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, branches: Branches, **params: Any
) -> tuple[list[Any], list[Any]]:
    nonzero = nonzeros(tangents[1:])
    nonzero_out = in_any([jvp_jaxpr(jaxpr, nonzero)[1] for jaxpr in branches])
    both = tuple(jvp_jaxpr(jaxpr, nonzero, nonzero_out)[0] for jaxpr in branches)
    out = cond_p.bind(*primals, *only(nonzero, tangents[1:]), branches=both, **params)
    n = len(nonzero_out)
    return out[:n], filled(nonzero_out, out[n:], branches[0].out_avals)


# ---- linearization


def _cond_linearize(nonzero: Sequence[bool], *primals: Any, branches: Branches, **params: Any) -> Any:
    """Two branchings: of the values and residuals, and of the tangents."""
    marks = tuple(nonzero[1:])
    nonzero_out = in_any([linearize_jaxpr(jaxpr, marks, None, _no_forward(jaxpr)).nonzero for jaxpr in branches])
    each = [linearize_jaxpr(jaxpr, marks, nonzero_out, _no_forward(jaxpr)) for jaxpr in branches]
    of_values, of_tangents, n_res = shared(
        tuple(x.primal for x in each), tuple(x.tangent for x in each), [x.n_new for x in each]
    )
    out = cond_p.bind(*primals, branches=of_values, **params)
    residuals = [primals[0], *out[len(out) - n_res :]]

    def push(*tangents: Any) -> list[Any]:
        out_dot = cond_p.bind(*residuals, *only(nonzero, tangents), branches=of_tangents, **params)
        return filled(nonzero_out, out_dot, branches[0].out_avals)

    return out[: len(out) - n_res], push


linearize_rules[cond_p] = _cond_linearize

# ---- partial evaluation


def _cond_partial_eval(trace: PartialTrace, index: Any, *args: Any, branches: Branches, **params: Any) -> list[Any]:
    """Two branchings: of what is known, and of the rest, which is recorded."""
    if trace.is_unknown(index):
        return trace.unknown.process_primitive(cond_p, (index, *args), params | {"branches": branches})
    unknown = tuple(map(trace.is_unknown, args))
    split_by = lambda jaxpr, ensured: partial_eval_jaxpr(jaxpr, unknown, ensured, _no_forward(jaxpr))
    unknown_out = in_any([split_by(jaxpr, None).unknown_out for jaxpr in branches])
    each = [split_by(jaxpr, unknown_out) for jaxpr in branches]
    of_known, of_unknown, n_res = shared(
        tuple(x.known for x in each), tuple(x.unknown for x in each), [x.n_new for x in each]
    )
    known = only_not(unknown, args)
    with set_current_trace(trace.parent):
        out = cond_p.bind(index, *known, branches=of_known, **params)
    with set_current_trace(trace.unknown):
        rest = cond_p.bind(index, *out[len(out) - n_res :], *only(unknown, args), branches=of_unknown, **params)
    return united(unknown_out, rest, out[: len(out) - n_res])


partial_eval_rules[cond_p] = _cond_partial_eval

# ---- transposition


@transpose_rules.rule(cond_p)
def _cond_transpose(cts: Sequence[Any], index: Any, *operands: Any, branches: Branches, **params: Any) -> list[Any]:
    linear, nonzero = tuple(map(is_undefined_primal, operands)), nonzeros(cts)
    args = [*only_not(linear, operands), *only(nonzero, cts)]
    avals = tuple(map(typeof, args))
    of_linear = tuple(x.aval for x in only(linear, operands))
    nonzero_out = in_any([transpose_jaxpr(jaxpr, linear, nonzero, avals, None, of_linear)[1] for jaxpr in branches])
    turned = tuple(transpose_jaxpr(jaxpr, linear, nonzero, avals, nonzero_out, of_linear)[0] for jaxpr in branches)
    found = cond_p.bind(index, *args, branches=turned, **params)
    return [None, *for_operands(linear, nonzero_out, found)]


# ---- dead code


def _cond_dce(used: Marks, eqn: JaxprEqn) -> tuple[Sequence[bool], JaxprEqn | None]:
    """An operand is needed where one of the branches needs it."""
    branches = eqn.params["branches"]
    used_inputs = (False,) * (len(eqn.invars) - 1)
    for jaxpr in branches:
        used_inputs = tuple(map(or_, used_inputs, dce_jaxpr(jaxpr, used)[1]))
    smaller = tuple(dce_jaxpr(jaxpr, used, used_inputs)[0] for jaxpr in branches)
    marks = (True, *used_inputs)
    return marks, narrowed(eqn, marks, used, eqn.params | {"branches": smaller})


dce_rules[cond_p] = _cond_dce
