"""Functions with a jvp rule of their own (`custom_jvp`), under differentiation: the rule is run in their place."""

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..layer1_core.aval import typeof
from ..layer1_core.custom_derivative import (
    CustomJVPCall,
    JVPRule,
    custom_jvp_call_p,
    custom_jvp_processors,
    tangent_sums,
)
from ..layer1_core.jaxpr import Jaxpr, JaxprEqn
from ..layer1_core.staging import eval_jaxpr
from ..layer1_core.trace import current_trace, set_current_trace
from ..layer1_core.tree import PyTreeDef, tree_flatten, tree_leaves, tree_map, tree_unflatten
from .calls import run_partly
from .dce import Marks, dce_jaxpr, dce_rules, remembered
from .families import no_rule
from .jvp import DualTrace, JVPTrace, all_zero, jvp_rules
from .linearize import LinearizeTrace, PartialTrace, partial_eval_rules
from .programs import filled, nonzeros, only, staged
from .tangents import (
    SymbolicZero,
    Zero,
    add_tangents,
    instantiate,
    same_place,
    same_type,
    symbolic,
    tangent_aval,
    zero_of,
)
from .transpose import transpose_rules

# ---- the user's rule


def run_rule(
    rule: JVPRule, symbolic_zeros: bool, primals: Sequence[Any], tangents: Sequence[Any]
) -> tuple[list[Any], list[Any], PyTreeDef]:
    """The leaves of what the rule gives, result and tangent, and their tree.

    Raises TypeError where they do not fit together.
    """
    given = [symbolic(t) if symbolic_zeros else instantiate(t) for t in tangents]
    pair = rule(tree_unflatten(rule.in_tree, primals), tree_unflatten(rule.in_tree, given))
    head = f"Custom JVP rule {rule.name} for function {rule.primal_name} must produce"
    if not isinstance(pair, (list, tuple)) or len(pair) != 2:
        raise TypeError(
            f"{head} a pair (list or tuple of length two) representing primal and tangent outputs, but got {pair}."
        )
    out, out_tree = tree_flatten(pair[0])
    out_dot, dot_tree = tree_flatten(pair[1])
    if out_tree != dot_tree:
        raise TypeError(
            f"{head} primal and tangent outputs with equal container (pytree) structures, but got {out_tree} and "
            f"{dot_tree} respectively."
        )
    _check_types(out, out_dot)
    return out, [Zero(t.aval) if type(t) is SymbolicZero else t for t in out_dot], out_tree


def _check_types(out: Sequence[Any], out_dot: Sequence[Any]) -> None:
    """Raises JAX's TypeError where a tangent has not the type that goes with its result."""
    primal = [typeof(x).strip_weak_type() for x in out]
    expected = [tangent_aval(a) for a in primal]
    found = [(t.aval if type(t) in (Zero, SymbolicZero) else typeof(t)).strip_weak_type() for t in out_dot]
    if all(map(same_type, expected, found)) and all(map(same_place, expected, found)):
        return
    head = "Custom JVP rule must produce primal and tangent outputs with corresponding shapes and dtypes"
    if len(expected) == 1:
        raise TypeError(
            f"{head}. Expected {expected[0].str_short()} (tangent type of {primal[0].str_short()}) but got "
            f"{found[0].str_short()}."
        )
    raise TypeError(
        f"{head}, but got:\n"
        + "\n".join(
            f"  primal {p.str_short()} with tangent {t.str_short()}, expecting tangent {e}"
            for p, t, e in zip(primal, found, expected, strict=True)
            if e != t
        )
    )


def _summed(out: Any, parts: Sequence[Any]) -> Any:
    """The sum of several tangents of a result: a tree like it. Of none it is zero."""
    return tree_map(
        lambda x, *ts: functools.reduce(add_tangents, ts) if ts else SymbolicZero(zero_of(x).aval), out, *parts
    )


tangent_sums.append(_summed)


def zero_from_primal(val: Any, symbolic_zeros: bool = False) -> Any:
    """The tangent of `val` that is zero, for a rule to give: an array, or a `SymbolicZero` where these are asked for.

    >>> zero_from_primal(2.0), zero_from_primal(2.0, symbolic_zeros=True)
    (Array(0., dtype=float32, weak_type=True), SymbolicZero)
    """
    zero = zero_of(val)
    return SymbolicZero(zero.aval) if symbolic_zeros else instantiate(zero)


# ---- a call


def _differentiate(call: CustomJVPCall) -> Any:
    """The call under a trace of values with tangents: the rule in place of the function."""
    trace = current_trace.get()
    assert isinstance(trace, DualTrace)
    leaves, tree = tree_flatten(call.args)
    primals, tangents = trace.split(leaves)
    if all_zero(tangents):
        with set_current_trace(trace.parent):
            whole = custom_jvp_processors[type(trace.parent)](replace(call, args=tree_unflatten(tree, primals)))
            return trace.outside(whole)
    trees: list[PyTreeDef] = []

    def rule(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        out, out_dot, out_tree = run_rule(call.jvp, call.symbolic_zeros, primals, tangents)
        trees.append(out_tree)
        return out, out_dot

    leaves = trace.duals(*trace.by_jvp(rule, primals, tangents, {}))
    return tree_unflatten(trees[0], leaves)


def _partly(call: CustomJVPCall) -> Any:
    """The call where some operands are unknown: what is made then is linear, and the rule is not needed any more."""
    trace = current_trace.get()
    assert isinstance(trace, PartialTrace)
    if any(map(trace.is_unknown, tree_leaves(call.args))):
        return call.fun(*call.args)
    with set_current_trace(trace.parent):
        return custom_jvp_processors[type(trace.parent)](call)


custom_jvp_processors[JVPTrace] = custom_jvp_processors[LinearizeTrace] = _differentiate
custom_jvp_processors[PartialTrace] = _partly

# ---- an equation


@jvp_rules.rule(custom_jvp_call_p)
def _call_jvp(
    primals: Sequence[Any],
    tangents: Sequence[Any],
    *,
    call_jaxpr: Jaxpr,
    jvp_jaxpr_fun: JVPRule,
    num_consts: int,
    symbolic_zeros: bool,
) -> tuple[list[Any], list[Any]]:
    """The rule is staged, once, to a program, and that is run. It does not ask for what the function closes over, which
    are the first operands.
    """
    given = tangents[num_consts:] if symbolic_zeros else [instantiate(t) for t in tangents[num_consts:]]
    nonzero = nonzeros(given)
    both, nonzero_out = _staged_rule(call_jaxpr, jvp_jaxpr_fun, num_consts, nonzero)
    out = eval_jaxpr(both, both.consts, *primals[num_consts:], *only(nonzero, given))
    n = len(call_jaxpr.outvars)
    return out[:n], filled(nonzero_out, out[n:], call_jaxpr.out_avals)


@remembered
def _staged_rule(call_jaxpr: Jaxpr, rule: JVPRule, num_consts: int, nonzero: Marks) -> tuple[Jaxpr, Marks]:
    """The program of the user's rule, from primals and nonzero tangents, and which results have tangents."""
    avals, marks = call_jaxpr.in_avals[num_consts:], list[bool]()

    def both(*args: Any) -> list[Any]:
        tangents = filled(nonzero, args[len(avals) :], avals)
        out, out_dot, _ = run_rule(rule, not all(nonzero), args[: len(avals)], tangents)
        marks.extend(nonzeros(out_dot))
        return [*out, *only(marks, out_dot)]

    return staged(both, [*avals, *map(tangent_aval, only(nonzero, avals))], call_jaxpr), tuple(marks)


def _call_dce(used: Marks, eqn: JaxprEqn) -> tuple[Sequence[bool], JaxprEqn | None]:
    """All operands stay: the rule is a function of all of them. So does the whole, where only some results are used."""
    everything = (True,) * len(eqn.invars)
    if not all(used):
        return everything, eqn
    smaller, _ = dce_jaxpr(eqn.params["call_jaxpr"], used, everything)
    return everything, eqn.replace(params=eqn.params | {"call_jaxpr": smaller})


dce_rules[custom_jvp_call_p] = _call_dce
partial_eval_rules[custom_jvp_call_p] = run_partly
no_rule(transpose_rules, "what it does to tangents is what its rule does", custom_jvp_call_p)
