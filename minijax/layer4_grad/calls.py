"""Calls: jit, and functions that bring a jvp rule of their own, under differentiation."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..layer1_core.aval import typeof
from ..layer1_core.evaluate import interpret
from ..layer1_core.jaxpr import Atom, Jaxpr, JaxprEqn
from ..layer1_core.jit_call import UNSPECIFIED, jit_p
from ..layer1_core.primitive import impl_rules
from ..layer1_core.staging import eval_jaxpr
from ..layer1_core.trace import set_current_trace
from ..layer2_jit.lowering import CALLED, lowering_rules
from ..layer2_jit.passes import called
from ..layer3_control.bodies import Carrier, united
from .dce import Marks, dce_jaxpr, dce_rules, remembered
from .families import no_rule
from .jvp import jvp_rules
from .linearize import PartialTrace, linearize_rules, partial_eval_rules
from .ordering import as_found
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
    run_like,
    transpose_jaxpr,
)
from .transpose import is_undefined_primal, transpose_rules

# ---- jit: its parameters, for a program with other inputs and results

OF_INPUTS = {"in_shardings": UNSPECIFIED, "in_layouts": None, "donated_invars": False}
OF_RESULTS = {"out_shardings": UNSPECIFIED, "out_layouts": None}
Params = dict[str, Any]


def with_inputs(params: Params, chosen: Sequence[int | None]) -> Params:
    """The parameters where the inputs are these ones of the old; None for a new one, of which nothing was said."""
    return params | {key: _chosen(params[key], chosen, new) for key, new in OF_INPUTS.items()}


def with_results(params: Params, chosen: Sequence[int | None]) -> Params:
    """The same for the results."""
    return params | {key: _chosen(params[key], chosen, new) for key, new in OF_RESULTS.items()}


def _chosen(values: Sequence[Any], chosen: Sequence[int | None], new: Any = None) -> tuple[Any, ...]:
    return tuple(new if i is None else values[i] for i in chosen)


def where(marks: Sequence[bool]) -> list[int]:
    """The positions that are marked."""
    return [i for i, mark in enumerate(marks) if mark]


def where_not(marks: Sequence[bool]) -> list[int]:
    """The positions that are not marked."""
    return [i for i, mark in enumerate(marks) if not mark]


# ---- jit


@jvp_rules.rule(jit_p)
def _jit_jvp(primals: Sequence[Any], tangents: Sequence[Any], *, jaxpr: Jaxpr, **params: Any) -> Any:
    nonzero = nonzeros(tangents)
    both, nonzero_out = jvp_jaxpr(jaxpr, nonzero)
    n_in, n_out = len(primals), len(jaxpr.outvars)
    params = with_inputs(params, [*range(n_in), *where(nonzero)])
    params = with_results(params, [*range(n_out), *where(nonzero_out)])
    out = jit_p.bind(*primals, *only(nonzero, tangents), jaxpr=both, **params)
    return out[:n_out], filled(nonzero_out, out[n_out:], jaxpr.out_avals)


def _jit_linearize(nonzero: Sequence[bool], *primals: Any, jaxpr: Jaxpr, **params: Any) -> Any:
    """Two calls: one of the values, and one of the tangents, which takes residuals of the first."""
    parts = linearize_jaxpr(jaxpr, tuple(nonzero))
    out, new = _call_with_residuals(parts.primal, parts.n_new, primals, params)
    residuals = parts.residuals([*jaxpr.consts, *primals], new)

    def push(*tangents: Any) -> list[Any]:
        linear = with_inputs(params, [*[None] * len(residuals), *where(nonzero)])
        linear = with_results(linear, where(parts.nonzero))
        out_dot = jit_p.bind(*residuals, *only(nonzero, tangents), jaxpr=parts.tangent, **linear)
        return filled(parts.nonzero, out_dot, jaxpr.out_avals)

    return out, push


linearize_rules[jit_p] = _jit_linearize


def _call_with_residuals(jaxpr: Jaxpr, n_new: int, args: Sequence[Any], params: Params) -> tuple[list[Any], list[Any]]:
    """The results and the residuals of a call of `jaxpr`, whose last `n_new` results are the residuals."""
    n_out = len(jaxpr.outvars) - n_new
    free = tuple(place is UNSPECIFIED for place in params["out_shardings"])
    kept, chosen, sources = _trimmed(jaxpr, n_out, free)
    got = jit_p.bind(*args, jaxpr=kept, **with_results(params, chosen))
    everything = [args[i] if from_args else got[i] for from_args, i in sources]
    return everything[:n_out], everything[n_out:]


@remembered
def _trimmed(jaxpr: Jaxpr, n_out: int, free: Marks) -> tuple[Jaxpr, list[int | None], list[tuple[bool, int]]]:
    """`jaxpr` with fewer results: one that is an input is not returned, a residual that is a result only once.

    With it which of the `n_out` results are left, None for a residual; and for each of the old ones where it is to be
    found: (whether among the arguments, the position). A result that is not `free` has a place and stays.
    """
    inputs = {id(v): i for i, v in enumerate(jaxpr.invars)}
    outvars: list[Atom] = []
    chosen: list[int | None] = []
    sources, place = [], {}
    for i, v in enumerate(jaxpr.outvars):
        residual = i >= n_out
        if id(v) in inputs and not residual and free[i]:
            sources.append((True, inputs[id(v)]))
        elif residual and id(v) in place:
            sources.append((False, place[id(v)]))
        else:
            sources.append((False, len(outvars)))
            if not residual:
                place[id(v)] = len(outvars)
            outvars.append(v)
            chosen.append(None if residual else i)
    return run_like(jaxpr, jaxpr.replace(outvars=outvars)), chosen, sources


def _jit_partial_eval(trace: PartialTrace, *args: Any, jaxpr: Jaxpr, **params: Any) -> list[Any]:
    """Two calls: one of what is known, by the parent trace, and one of the rest, which is recorded."""
    unknown = tuple(map(trace.is_unknown, args))
    parts = as_found(partial_eval_jaxpr(jaxpr, unknown))
    known_args = only_not(unknown, args)
    inner = with_results(with_inputs(params, where_not(unknown)), where_not(parts.unknown_out))
    with set_current_trace(trace.parent):
        out, new = _call_with_residuals(parts.known, parts.n_new, known_args, inner)
    residuals = [*map(trace.captured, parts.residuals([*jaxpr.consts, *known_args], new))]
    rest = with_inputs(params, [*where(unknown), *[None] * len(residuals)])
    rest = with_results(rest, where(parts.unknown_out))
    with set_current_trace(trace.unknown):
        program = residuals_last(parts.unknown, len(residuals))
        unknown_out = jit_p.bind(*only(unknown, args), *residuals, jaxpr=program, **rest)
    return united(parts.unknown_out, unknown_out, out)


partial_eval_rules[jit_p] = _jit_partial_eval


@remembered
def residuals_last(jaxpr: Jaxpr, n: int) -> Jaxpr:
    """`jaxpr` with its first `n` inputs as its last."""
    return run_like(jaxpr, jaxpr.replace(invars=[*jaxpr.invars[n:], *jaxpr.invars[:n]]))


@transpose_rules.rule(jit_p)
def _jit_transpose(cts: Sequence[Any], *operands: Any, jaxpr: Jaxpr, **params: Any) -> list[Any]:
    """A call of the transposed program. It takes the other operands and the cotangents that are not zero."""
    linear, nonzero = tuple(map(is_undefined_primal, operands)), nonzeros(cts)
    others = where_not(linear)
    args = [*(operands[i] for i in others), *only(nonzero, cts)]
    of_linear = tuple(x.aval for x in only(linear, operands))
    transposed, nonzero_out = transpose_jaxpr(jaxpr, linear, nonzero, tuple(map(typeof, args)), None, of_linear)
    returned = only(nonzero_out, where(linear))
    turned = params | dict(
        in_shardings=(*_chosen(params["in_shardings"], others), *only(nonzero, params["out_shardings"])),
        in_layouts=(*_chosen(params["in_layouts"], others), *only(nonzero, params["out_layouts"])),
        out_shardings=_chosen(params["in_shardings"], returned),
        out_layouts=_chosen(params["in_layouts"], returned),
        donated_invars=(False,) * len(args),
    )
    return for_operands(linear, nonzero_out, jit_p.bind(*args, jaxpr=transposed, **turned))


def _jit_dce(used: Marks, eqn: JaxprEqn) -> tuple[Sequence[bool], JaxprEqn | None]:
    jaxpr, used_inputs = dce_jaxpr(eqn.params["jaxpr"], used)
    params = with_results(with_inputs(eqn.params, where(used_inputs)), where(used))
    params["jaxpr"] = run_like(eqn.params["jaxpr"], jaxpr)
    return used_inputs, narrowed(eqn, used_inputs, used, params)


dce_rules[jit_p] = _jit_dce

# ---- a call that is only that


closed_call_p = Carrier("closed_call")
closed_call_p.def_abstract_eval(lambda *avals, call_jaxpr: call_jaxpr.out_avals)
called[closed_call_p] = lambda eqn: eqn.params["call_jaxpr"]
lowering_rules[closed_call_p] = CALLED


@impl_rules.rule(closed_call_p)
def _run_call(*values: np.ndarray, call_jaxpr: Jaxpr) -> list[np.ndarray]:
    return interpret(call_jaxpr)(values)


@jvp_rules.rule(closed_call_p)
def _call_jvp(primals: Sequence[Any], tangents: Sequence[Any], *, call_jaxpr: Jaxpr) -> tuple[list[Any], list[Any]]:
    nonzero = nonzeros(tangents)
    both, nonzero_out = jvp_jaxpr(call_jaxpr, nonzero)
    out = closed_call_p.bind(*primals, *only(nonzero, tangents), call_jaxpr=both)
    n = len(call_jaxpr.outvars)
    return out[:n], filled(nonzero_out, out[n:], call_jaxpr.out_avals)


def run_partly(trace: PartialTrace, *args: Any, call_jaxpr: Jaxpr, **params: Any) -> list[Any]:
    """The operations of a call, one by one: those on known values are computed, the others are recorded."""
    with set_current_trace(trace):
        return eval_jaxpr(call_jaxpr, call_jaxpr.consts, *args)


partial_eval_rules[closed_call_p] = run_partly
no_rule(transpose_rules, "of known values only: what a tangent reaches is recorded by itself", closed_call_p)


def _call_dce(used: Marks, eqn: JaxprEqn) -> tuple[Sequence[bool], JaxprEqn | None]:
    smaller, used_inputs = dce_jaxpr(eqn.params["call_jaxpr"], used)
    return used_inputs, narrowed(eqn, used_inputs, used, {"call_jaxpr": smaller})


dce_rules[closed_call_p] = _call_dce
