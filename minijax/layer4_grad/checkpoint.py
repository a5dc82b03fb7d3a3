"""checkpoint: a function whose derivative computes values again instead of keeping them. Also called remat.

    forward    x  ->  f(x), saved values
    backward   saved values, x, ct  ->  remat2[ f again up to its derivatives, transposed ]

What is saved the policy says: without one nothing is, but the arguments.
"""

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..layer1_core.aval import ShapedArray, abstractify, typeof
from ..layer1_core.dtypes import finfo, issubdtype
from ..layer1_core.errors import ConcretizationTypeError
from ..layer1_core.evaluate import interpret
from ..layer1_core.fun_names import arg_names, fun_signature, fun_source_info
from ..layer1_core.jaxpr import DebugInfo, Jaxpr, JaxprEqn, Var
from ..layer1_core.lax.converting import reduce_precision_p
from ..layer1_core.lax.reducing import optimization_barrier_p
from ..layer1_core.primitive import impl_rules
from ..layer1_core.staging import eval_jaxpr, trace_to_jaxpr
from ..layer1_core.static import with_statics
from ..layer1_core.trace import set_current_trace
from ..layer1_core.tree import PyTreeDef, broadcast_prefix, tree_flatten, tree_unflatten
from ..layer2_jit.lowering import CALLED, lowering_rules
from ..layer2_jit.passes import called
from ..layer3_control.bodies import Carrier, Source, parts, united
from .dce import Marks, dce_jaxpr, dce_rules, remembered
from .jvp import jvp_rules
from .linearize import PartialTrace, partial_eval_rules
from .policies import Policy, nothing_saveable
from .programs import (
    closed_over_nothing,
    filled,
    for_operands,
    jvp_jaxpr,
    narrowed,
    nonzeros,
    only,
    only_not,
    partial_eval_jaxpr,
    staged,
)
from .saving import SplitEqn, saving_rules, split_jaxpr, unavailable
from .tangents import tangent_aval
from .transpose import UndefinedPrimal, backward_pass, is_undefined_primal, transpose_rules

CSE = bool | tuple[bool, ...]  # whether operands are hidden from common-subexpression elimination: all, or each

# ---- the primitive

remat_p = Carrier("remat2")
remat_p.def_abstract_eval(lambda *avals, jaxpr, **params: jaxpr.out_avals)


@impl_rules.rule(remat_p)
def _run_remat(*values: np.ndarray, jaxpr: Jaxpr, **params: Any) -> list[np.ndarray]:
    """One operation after the other, as JAX does: outside of jit nothing waits for a compiler."""
    return interpret(jaxpr)(values)


def _hiding(eqn: JaxprEqn) -> Jaxpr:
    """The program of a call, for the compiler. Where it computes again, it hides its operands, if the user does not
    object: else the compiler would know what is there already.
    """
    jaxpr, cse = eqn.params["jaxpr"], eqn.params["prevent_cse"]
    if not eqn.params["differentiated"]:
        return jaxpr
    marks = [cse] * len(eqn.invars) if isinstance(cse, bool) else cse
    invars = [Var(v.aval) if mark else v for v, mark in zip(jaxpr.invars, marks, strict=True)]
    before, behind = (only(marks, variables) for variables in (invars, jaxpr.invars))
    return jaxpr.replace(invars=invars, eqns=[JaxprEqn(before, behind, optimization_barrier_p, {}), *jaxpr.eqns])


called[remat_p] = _hiding
lowering_rules[remat_p] = CALLED


def _chosen(prevent_cse: CSE, marks: Sequence[bool], before: int = 0, after: int = 0) -> CSE:
    """The setting for the operands that are marked, with new operands before and after them, which are hidden."""
    if isinstance(prevent_cse, bool):
        return prevent_cse
    return ((True,) * before) + tuple(only(marks, prevent_cse)) + ((True,) * after)


# ---- forward mode


@jvp_rules.rule(remat_p)
def _remat_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, jaxpr: Jaxpr, prevent_cse: CSE, **params: Any
) -> tuple[list[Any], list[Any]]:
    nonzero = nonzeros(tangents)
    both, nonzero_out = jvp_jaxpr(jaxpr, nonzero)
    both, consts = closed_over_nothing(both)
    cse = _chosen(prevent_cse, [True] * len(primals), len(consts), sum(nonzero))
    out = remat_p.bind(*consts, *primals, *only(nonzero, tangents), jaxpr=both, prevent_cse=cse, **params)
    n = len(jaxpr.outvars)
    return out[:n], filled(nonzero_out, out[n:], jaxpr.out_avals)


# ---- partial evaluation: what is saved


def _remat_partial_eval(
    trace: PartialTrace, *args: Any, jaxpr: Jaxpr, prevent_cse: CSE, policy: Policy | None, differentiated: bool
) -> list[Any]:
    """What is known is computed, by the parent trace; the rest, with what it computes again, is recorded."""
    unknown = tuple(map(trace.is_unknown, args))
    made = _saved_and_rest(jaxpr, unknown, policy or nothing_saveable)
    with set_current_trace(trace.parent):
        values = eval_jaxpr(made.known, made.known.consts, *only(made.of_known, only_not(unknown, args)))
    out, saved = parts(values, len(values) - made.n_saved)
    with set_current_trace(trace.unknown):
        found = remat_p.bind(
            *saved, *only(made.of_rest, args), jaxpr=made.rest, policy=policy, differentiated=True,
            prevent_cse=_chosen(prevent_cse, made.of_rest, made.n_saved),
        )  # fmt: skip
    return united(made.unknown_out, found, out)


partial_eval_rules[remat_p] = _remat_partial_eval


class SavedAndRest(NamedTuple):
    """A checkpointed program in two, each with the inputs that it needs."""

    known: Jaxpr  # to the known results, and then the saved values
    of_known: Marks  # which of the known inputs it takes
    rest: Jaxpr  # from the saved values, and then inputs, to the unknown results
    of_rest: Marks  # which of all inputs it takes
    unknown_out: Marks
    n_saved: int


@remembered
def _saved_and_rest(jaxpr: Jaxpr, unknown: Marks, policy: Policy) -> SavedAndRest:
    """The two programs, where some inputs are unknown: what the policy does not save the second computes again."""
    made = split_jaxpr(jaxpr, unknown, (True,) * len(unknown), policy)
    wanted = tuple(only(made.available_out, made.unknown_out))
    rest, used = dce_jaxpr(made.staged, wanted)
    # Again, as JAX does it: nothing is dropped, but each time the groups of a loop are printed one step deeper.
    rest, _ = dce_jaxpr(rest, (True,) * len(rest.outvars))
    saved, of_rest = used[: made.n_saved], used[made.n_saved :]
    known, of_known = dce_jaxpr(made.known, (True,) * made.unknown_out.count(False) + saved)
    return SavedAndRest(_rounded(known, sum(saved)), of_known, rest, of_rest, made.unknown_out, sum(saved))


def _rounded(jaxpr: Jaxpr, n_saved: int) -> Jaxpr:
    """`jaxpr`, where saved values (its last results) that it reads itself have the digits of their dtype, as in JAX: a
    compiler might carry more.
    """
    read = {id(v) for eqn in jaxpr.eqns for v in eqn.invars}
    saved = [v for v in jaxpr.outvars[len(jaxpr.outvars) - n_saved :] if isinstance(v, Var) and id(v) in read]
    instead = {id(v): Var(v.aval) for v in saved if issubdtype(v.aval.dtype, np.inexact)}
    new = lambda v: instead.get(id(v), v)  # the value before it is rounded
    given = (*jaxpr.constvars, *jaxpr.invars)
    eqns = [_rounding(instead[id(v)], v) for v in reversed(given) if id(v) in instead]
    for eqn in jaxpr.eqns:
        if eqn.primitive is reduce_precision_p:  # its result is rounded already
            eqns.append(eqn)
            continue
        eqns.append(eqn.replace(outvars=[new(v) for v in eqn.outvars]))
        eqns += [_rounding(instead[id(v)], v, eqn) for v in eqn.outvars if id(v) in instead]
    return jaxpr.replace(constvars=[new(v) for v in jaxpr.constvars], invars=[new(v) for v in jaxpr.invars], eqns=eqns)


def _rounding(x: Var, out: Var, origin: JaxprEqn | None = None) -> JaxprEqn:
    """The equation that makes `out` of `x`, with the digits of its dtype."""
    info = finfo(x.aval.dtype)
    params = dict(exponent_bits=info.nexp, mantissa_bits=info.nmant)
    return JaxprEqn([x], [out], reduce_precision_p, params, origin.source_info if origin else None)


# ---- transposition: it is computed again


@transpose_rules.rule(remat_p)
def _remat_transpose(cts: Sequence[Any], *operands: Any, jaxpr: Jaxpr, prevent_cse: CSE, **params: Any) -> list[Any]:
    linear, nonzero = tuple(map(is_undefined_primal, operands)), nonzeros(cts)
    args = [*only_not(linear, operands), *only(nonzero, cts)]
    turned, nonzero_out = _turned(jaxpr, linear, nonzero, tuple(map(typeof, args)))
    turned, consts = closed_over_nothing(turned)
    cse = _chosen(prevent_cse, [not mark for mark in linear], len(consts), sum(nonzero))
    found = remat_p.bind(*consts, *args, jaxpr=turned, prevent_cse=cse, **params)
    return for_operands(linear, nonzero_out, found)


@remembered
def _turned(jaxpr: Jaxpr, linear: Marks, nonzero: Marks, avals: tuple[ShapedArray, ...]) -> tuple[Jaxpr, Marks]:
    """The program that computes again what is not linear, and then goes backwards through the rest."""
    marks: list[bool] = []
    halves = partial_eval_jaxpr(jaxpr, linear)

    def again_and_back(*args: Any) -> list[Any]:
        others, cts = parts(args, linear.count(False))
        values = eval_jaxpr(halves.known, halves.known.consts, *others)
        new = values[len(values) - halves.n_new :]
        residuals = halves.residuals([*jaxpr.consts, *others], new)
        operands = [UndefinedPrimal(tangent_aval(a)) for a in only(linear, jaxpr.in_avals)]
        wanted = only(halves.unknown_out, filled(nonzero, cts, jaxpr.out_avals))
        found = backward_pass(halves.unknown, halves.unknown.consts, [*residuals, *operands], wanted)[len(residuals) :]
        marks.extend(nonzeros(found))
        return only(marks, found)

    return staged(again_and_back, avals, jaxpr), tuple(marks)


# ---- dead code, and checkpoints in checkpoints


def _remat_dce(used: Marks, eqn: JaxprEqn) -> tuple[Sequence[bool], JaxprEqn | None]:
    smaller, used_inputs = dce_jaxpr(eqn.params["jaxpr"], used)
    params = eqn.params | {"jaxpr": smaller, "prevent_cse": _chosen(eqn.params["prevent_cse"], used_inputs)}
    return used_inputs, narrowed(eqn, used_inputs, used, params)


dce_rules[remat_p] = _remat_dce


def _remat_rule(policy: Policy, unknown: Marks, available: Marks, eqn: JaxprEqn) -> SplitEqn:
    cse = eqn.params["prevent_cse"]
    made = split_jaxpr(eqn.params["jaxpr"], unknown, available, policy)
    saved = [Var(a) for a in made.staged.in_avals[: made.n_saved]]
    known_in, known_out = [not mark for mark in unknown], [not mark for mark in made.unknown_out]
    first = eqn.params | {"jaxpr": made.known, "prevent_cse": _chosen(cse, known_in)}
    second = dict(jaxpr=made.staged, prevent_cse=_chosen(cse, available, len(saved)), differentiated=True)
    return SplitEqn(
        eqn.replace(
            invars=only(known_in, eqn.invars), outvars=[*only(known_out, eqn.outvars), *saved], params=first
        ),
        eqn.replace(
            invars=[*saved, *only(available, eqn.invars)], outvars=only(made.available_out, eqn.outvars),
            params=eqn.params | second,
        ),
        made.unknown_out,
        made.available_out,
        [*unavailable(eqn.invars, available), *saved],
    )  # fmt: skip


saving_rules[remat_p] = _remat_rule

# ---- the function


def checkpoint(
    fun: Callable[..., Any],
    *,
    prevent_cse: bool | Sequence[bool] = True,
    policy: Policy | None = None,
    static_argnums: int | tuple[int, ...] = (),
    static_argnames: str | Iterable[str] = (),
) -> Callable[..., Any]:
    """`fun`, whose derivative computes again what its backward pass needs, instead of keeping it.

    `policy` says what is kept all the same (see `checkpoint_policies`). Arguments named by `static_argnums` are not
    traced. `prevent_cse` keeps the compiler from taking values of the forward pass for what is computed again; a tuple
    says that for each argument.
    """
    if isinstance(prevent_cse, Sequence):
        prevent_cse = tuple(prevent_cse)
    if not isinstance(prevent_cse, (tuple, bool)):
        raise TypeError(f"prevent_cse must be a bool or tuple of bools, got type(prevent_cse)={type(prevent_cse)}")

    @functools.wraps(fun)
    def fun_remat(*args: Any, **kwargs: Any) -> Any:
        static = _static_positions(static_argnums, len(args))
        fixed = {i: x for i, x in enumerate(args) if i in static}
        dynamic = tuple(x for i, x in enumerate(args) if i not in static)
        leaves, closed, consts, out_tree = _stage(fun, fixed, dynamic, args, kwargs)
        cse: CSE = prevent_cse
        if isinstance(cse, tuple):
            whole = (dynamic, kwargs) if kwargs else dynamic
            cse = ((False,) * len(consts)) + tuple(broadcast_prefix(cse, whole))
        out = remat_p.bind(*consts, *leaves, jaxpr=closed, prevent_cse=cse, differentiated=False, policy=policy)
        return tree_unflatten(out_tree, out)

    return fun_remat


def _stage(
    fun: Callable[..., Any], fixed: dict[int, Any], dynamic: tuple[Any, ...], args: Any, kwargs: dict[str, Any]
) -> tuple[list[Any], Jaxpr, list[Any], PyTreeDef]:
    """The leaves of the arguments that are traced; the program of the function, closed over nothing; what that takes
    first; and the tree of its results. Without static and keyword arguments a function is traced once for each type.
    """
    leaves, in_tree = tree_flatten((dynamic, kwargs))
    avals = [*map(abstractify, leaves)]
    what = "checkpoint / remat"
    try:
        if not fixed and not kwargs:
            body = Source.of(fun, what, args).staged(in_tree, avals)
            return leaves, body.jaxpr, body.consts, body.out_tree
        names = arg_names(fun_signature(fun), args, kwargs) if not fixed else ()
        info = DebugInfo(what, fun_source_info(fun), names)
        jaxpr, out_tree = trace_to_jaxpr(with_statics(fun, fixed, {}), in_tree, avals, info)
    except ConcretizationTypeError as error:
        raise _with_advice(error) from error.__cause__
    return leaves, *closed_over_nothing(jaxpr), out_tree


remat = checkpoint


def _static_positions(static_argnums: Any, count: int) -> set[int]:
    """The positions of static arguments. Raises TypeError or ValueError for what are none."""
    positions = (static_argnums,) if type(static_argnums) is int else static_argnums
    if type(positions) is not tuple or not all(type(i) is int for i in positions):
        raise TypeError(
            "the `static_argnums` argument to `jax.checkpoint` / `jax.remat` must be an int, tuple of ints or, bool, "
            f"but got value {positions}"
        )
    if not all(-count <= i < count for i in positions):
        raise ValueError(
            "the `static_argnums` argument to `jax.checkpoint` / `jax.remat` can only take integer values greater than "
            f"or equal to `-len(args)` and less than `len(args)`, but got {positions}, while `len(args)` = {count}"
        )
    return {i % count for i in positions}


def _with_advice(error: ConcretizationTypeError) -> ConcretizationTypeError:
    """The error, with what to do about it where it came of a checkpointed function."""
    (message,) = error.args
    if "for checkpoint" in message:
        message += (
            "\n\nConsider using the `static_argnums` parameter for `jax.remat` or `jax.checkpoint`. See the "
            "`jax.checkpoint` docstring and its example involving `static_argnums`:\n"
            "https://docs.jax.dev/en/latest/_autosummary/jax.checkpoint.html\n"
        )
        error.args = (message,)
    return error
