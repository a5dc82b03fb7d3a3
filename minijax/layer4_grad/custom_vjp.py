"""custom_vjp: a function together with a rule for reverse mode, in two halves.

    fwd   x          ->  f(x), residuals        in place of the function
    bwd   residuals, ct  ->  ct of each x       in place of the transpose of its linearization

Between the two, in the linear program, stands one equation, `custom_lin`, whose transpose rule is bwd. It has no value:
so there is no forward mode.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..layer1_core.aval import typeof
from ..layer1_core.custom_derivative import CustomCall, positional, positions_of, with_static
from ..layer1_core.errors import UnexpectedTracerError
from ..layer1_core.evaluate import run
from ..layer1_core.fun_names import arg_names, fun_name, fun_signature, fun_source_info
from ..layer1_core.jaxpr import DebugInfo, Jaxpr, JaxprEqn
from ..layer1_core.literals import with_type
from ..layer1_core.pretty import Names
from ..layer1_core.primitive import impl_rules
from ..layer1_core.staging import DynamicJaxprTrace, eval_jaxpr, trace_to_jaxpr
from ..layer1_core.static import with_statics
from ..layer1_core.trace import EvalTrace, Trace, Tracer, current_trace, set_current_trace
from ..layer1_core.tree import tree_flatten, tree_leaves, tree_unflatten
from ..layer2_jit.lowering import CALLED, lowering_rules
from ..layer2_jit.passes import called
from ..layer3_control.bodies import Carrier, parts
from ..layer3_control.mismatch import Typed
from .dce import Marks, dce_jaxpr, dce_rules, remembered
from .families import no_rule
from .jvp import DualTrace, JVPTrace, all_zero, jvp_rules, without_float0
from .linearize import LinearizeTrace, PartialTrace, linearize_rules, partial_eval_rules
from .programs import closed_over_nothing, nonzeros, only, only_not, staged
from .tangents import tangent_aval
from .transpose import transpose_rules
from .vjp_rule import Pull, Trees, VJPRule

# ---- the primitives

custom_vjp_call_p = CustomCall("custom_vjp_call")
custom_vjp_call_p.def_abstract_eval(lambda *avals, call_jaxpr, **params: call_jaxpr.out_avals)
called[custom_vjp_call_p] = lambda eqn: eqn.params["call_jaxpr"]


@impl_rules.rule(custom_vjp_call_p)
def _run_call(*values: np.ndarray, call_jaxpr: Jaxpr, **params: Any) -> list[np.ndarray]:
    return run(call_jaxpr, values)


def _pretty_call(eqn: JaxprEqn, names: Names) -> list[tuple[str, Any]]:
    jaxpr, rule, count = (eqn.params[key] for key in ("call_jaxpr", "rule", "num_consts"))
    shown = [
        ("name", jaxpr.debug_info.func_name),
        ("bwd", rule.bwd_name),
        ("call_jaxpr", jaxpr),
        ("fwd", rule.fwd_name),
    ]
    return [*shown, *[("num_consts", count)] * bool(count), ("symbolic_zeros", rule.symbolic_zeros)]


custom_vjp_call_p.pretty = _pretty_call

custom_lin_p = Carrier("custom_lin")
custom_lin_p.def_abstract_eval(lambda *avals, out_avals, **params: out_avals)
lowering_rules.update(dict.fromkeys((custom_vjp_call_p, custom_lin_p), CALLED))


@impl_rules.rule(custom_lin_p)
def _refuse(*values: Any, **params: Any) -> Any:
    raise TypeError("can't apply forward-mode autodiff (jvp) to a custom_vjp function.")


def _pretty_lin(eqn: JaxprEqn, names: Names) -> list[tuple[str, Any]]:
    rule, zeros, count = eqn.params["bwd"].rule, eqn.params["in_zeros"], eqn.params["num_res"]
    return [("bwd", rule.bwd_name), ("in_zeros", zeros), ("num_res", count), ("symbolic_zeros", rule.symbolic_zeros)]


custom_lin_p.pretty = _pretty_lin
no_rule(jvp_rules, "the rule for reverse mode says nothing of tangents", custom_lin_p)
no_rule(transpose_rules, "what it does to tangents is custom_lin", custom_vjp_call_p)


@transpose_rules.rule(custom_lin_p)
def _lin_transpose(
    cts: Sequence[Any], *operands: Any, num_res: int, bwd: Pull, in_zeros: list[bool], **params: Any
) -> list[Any]:
    """The user's bwd, on the residuals and the cotangents."""
    for_inputs = bwd(operands[:num_res], cts)
    return [*(None for _ in range(num_res)), *only_not(in_zeros, for_inputs)]


# ---- a call


@dataclass(frozen=True, eq=False)
class CustomVJPCall:
    """One call of a custom_vjp function: the function of the arguments that may be differentiated, and they."""

    fun: Callable[..., Any]
    args: tuple[Any, ...]
    rule: VJPRule
    debug_info: DebugInfo


# What a kind of trace makes of a call: from the call to its result. Later layers enter their traces.
custom_vjp_processors: dict[type[Trace], Callable[[CustomVJPCall], Any]] = {}


def _run(call: CustomVJPCall) -> Any:
    """The base trace runs the function on the values themselves, so that Python can branch on them."""
    return call.fun(*call.args)


def _record(call: CustomVJPCall) -> Any:
    """A recording trace keeps one equation; what the function closes over is passed as leading operands."""
    leaves, in_tree = tree_flatten((call.args, {}))
    jaxpr, out_tree = trace_to_jaxpr(call.fun, in_tree, [typeof(x) for x in leaves], call.debug_info)
    closed, consts = closed_over_nothing(jaxpr)
    rule = replace(call.rule, out=Typed(out_tree, jaxpr.out_avals))
    params = {"call_jaxpr": closed, "rule": rule, "num_consts": len(consts), "used": None}
    out = current_trace.get().process_primitive(custom_vjp_call_p, (*consts, *leaves), params)
    return tree_unflatten(out_tree, out)


def _differentiate(call: CustomVJPCall) -> Any:
    """fwd in place of the function; the tangents go through `custom_lin`."""
    trace = current_trace.get()
    assert isinstance(trace, DualTrace)
    leaves, tree = tree_flatten(call.args)
    primals, tangents = trace.split(leaves)
    with set_current_trace(trace.parent):
        if all_zero(tangents):
            whole = custom_vjp_processors[type(trace.parent)](replace(call, args=tree_unflatten(tree, primals)))
            return trace.outside(whole)
        nonzero = nonzeros(tangents)
        out, residuals, trees = trace.outside(call.rule.run_fwd(primals, nonzero))
    with set_current_trace(trace.tangents if isinstance(trace, LinearizeTrace) else trace.parent):
        out_dot = _push(Pull(call.rule, trees, None), residuals, out, nonzero, tangents)
    return tree_unflatten(trees.out, trace.duals(out, out_dot))


def _push(
    bwd: Pull, residuals: Sequence[Any], out: Sequence[Any], nonzero: Sequence[bool], tangents: Sequence[Any]
) -> list[Any]:
    """The tangents of the results, of which nothing is known but bwd."""
    out_dot = custom_lin_p.bind(
        *residuals, *only(nonzero, tangents), bwd=bwd, in_zeros=[not mark for mark in nonzero],
        num_res=len(residuals), out_avals=[tangent_aval(typeof(x)) for x in out],
    )  # fmt: skip
    return [without_float0(t) for t in out_dot]


def _partly(call: CustomVJPCall) -> Any:
    """The call where some operands may be unknown: then it is recorded with those."""
    trace = current_trace.get()
    assert isinstance(trace, PartialTrace)
    unknown = any(map(trace.is_unknown, tree_leaves(call.args)))
    inner = trace.unknown if unknown else trace.parent
    with set_current_trace(inner):
        return custom_vjp_processors[type(inner)](call)


custom_vjp_processors[EvalTrace] = _run
custom_vjp_processors[DynamicJaxprTrace] = _record
custom_vjp_processors[JVPTrace] = custom_vjp_processors[LinearizeTrace] = _differentiate
custom_vjp_processors[PartialTrace] = _partly

# ---- an equation


class CustomVJPException(Exception):
    """Raised where what a custom_vjp function closes over is to be differentiated."""

    def __init__(self) -> None:
        super().__init__(
            "Detected differentiation of a custom_vjp function with respect to a closed-over value. That isn't "
            "supported because the custom VJP rule only specifies how to differentiate the custom_vjp function with "
            "respect to explicit input parameters. Try passing the closed-over value into the custom_vjp function as "
            "an argument, and adapting the custom_vjp fwd and bwd rules."
        )


def _call_linearize(
    nonzero: Sequence[bool], *primals: Any, call_jaxpr: Jaxpr, rule: VJPRule, num_consts: int, used: Marks | None
) -> Any:
    """fwd is staged, once, to a program, and that is run."""
    if any(nonzero[:num_consts]):
        raise CustomVJPException
    of_args = tuple(nonzero[num_consts:])
    fwd, trees = _staged_fwd(call_jaxpr, rule, num_consts, of_args if rule.symbolic_zeros else None, used)
    values = eval_jaxpr(fwd, fwd.consts, *primals[num_consts:])
    out, residuals = parts(values, len(call_jaxpr.outvars))

    def push(*tangents: Any) -> list[Any]:
        return _push(Pull(rule, trees, used), residuals, out, of_args, tangents[num_consts:])

    return out, push


linearize_rules[custom_vjp_call_p] = _call_linearize


@jvp_rules.rule(custom_vjp_call_p)
def _call_jvp(primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> tuple[list[Any], list[Any]]:
    out, push = _call_linearize(nonzeros(tangents), *primals, **params)
    return out, push(*tangents)


@remembered
def _staged_fwd(
    call_jaxpr: Jaxpr, rule: VJPRule, num_consts: int, nonzero: Marks | None, used: Marks | None
) -> tuple[Jaxpr, Trees]:
    """The program of fwd, to the used results and the residuals; and the trees of these."""
    found: list[Trees] = []

    def fwd(*args: Any) -> list[Any]:
        out, residuals, trees = rule.run_fwd(args, nonzero or (True,) * len(args))
        found.append(trees)
        return [*(out if used is None else only(used, out)), *residuals]

    return staged(fwd, call_jaxpr.in_avals[num_consts:], call_jaxpr), found[0]


def _call_dce(used: Marks, eqn: JaxprEqn) -> tuple[Sequence[bool], JaxprEqn | None]:
    """All operands stay: fwd is a function of all of them."""
    everything = (True,) * len(eqn.invars)
    smaller, _ = dce_jaxpr(eqn.params["call_jaxpr"], used, everything)
    before = eqn.params["used"] or (True,) * len(used)
    rest = iter(used)
    params = eqn.params | {"call_jaxpr": smaller, "used": tuple(mark and next(rest) for mark in before)}
    return everything, eqn.replace(outvars=only(used, eqn.outvars), params=params)


dce_rules[custom_vjp_call_p] = _call_dce


def _call_partial_eval(trace: PartialTrace, *args: Any, **params: Any) -> list[Any]:
    """The whole call is recorded. As in JAX, a call of nothing stands among what is known."""
    nothing = params["call_jaxpr"].replace(invars=[], outvars=[], eqns=[])
    with set_current_trace(trace.parent):
        custom_vjp_call_p.bind(**params | {"call_jaxpr": nothing, "num_consts": 0, "used": ()})
    with set_current_trace(trace.unknown):
        return custom_vjp_call_p.bind(*args, **params)


partial_eval_rules[custom_vjp_call_p] = _call_partial_eval

# ---- the function with its rule


class custom_vjp:
    """A decorator: `fun` with a rule of the user's for reverse mode.

        @custom_vjp
        def f(x, y): ...

        def f_fwd(x, y): ...          # -> (f(x, y), residuals)
        def f_bwd(residuals, ct): ... # -> (cotangent of x, cotangent of y); None for a zero

        f.defvjp(f_fwd, f_bwd)

    Arguments named by `nondiff_argnums` or `nondiff_argnames` are not differentiated: they may be any object that is
    not traced. bwd gets them first, one by one. Forward mode is refused.
    """

    def __init__(
        self, fun: Callable[..., Any], nondiff_argnums: Sequence[int] = (), nondiff_argnames: str | Sequence[str] = ()
    ):
        functools.update_wrapper(self, fun)
        self.fun = fun
        self.fwd: Callable[..., Any] | None = None
        self.bwd: Callable[..., Any] | None = None
        self.symbolic_zeros = False
        self.nondiff_argnums = positions_of(fun, nondiff_argnums, nondiff_argnames)

    def defvjp(
        self, fwd: Callable[..., Any], bwd: Callable[..., Any], symbolic_zeros: bool = False,
        optimize_remat: bool = False,
    ) -> None:  # fmt: skip
        """Set the two halves of the rule.

        With `symbolic_zeros` fwd is given a `CustomVJPPrimal` for each leaf, and bwd an object that says so for a
        cotangent that is zero for certain. `optimize_remat` changes nothing here.
        """
        if symbolic_zeros and optimize_remat:
            raise NotImplementedError("remat optimization for custom_vjp does not support symbolic zeros")
        self.fwd, self.bwd, self.symbolic_zeros = fwd, bwd, symbolic_zeros

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self.fwd or not self.bwd:
            raise AttributeError(f"No VJP defined for custom_vjp function {fun_name(self.fun)} using defvjp.")
        call = self._call(self.fwd, self.bwd, positional(self.fun, "custom_vjp", args, kwargs))
        return custom_vjp_processors[type(current_trace.get())](call)

    def _call(self, fwd: Callable[..., Any], bwd: Callable[..., Any], args: tuple[Any, ...]) -> CustomVJPCall:
        static = {i: x for i, x in enumerate(args) if i in self.nondiff_argnums}
        _check_untraced(static)
        leaves, in_tree = tree_flatten(tuple(x for i, x in enumerate(args) if i not in static))
        dynamic = tree_unflatten(in_tree, map(with_type, leaves))
        name, names = fun_name(self.fun), arg_names(fun_signature(self.fun), args, {}) if not static else ()
        rule = VJPRule(
            with_statics(fwd, static, {}), functools.partial(bwd, *static.values()), name, fun_name(fwd), fun_name(bwd),
            in_tree, [*map(typeof, leaves)], self.symbolic_zeros,
        )  # fmt: skip
        info = DebugInfo("custom_vjp fun", fun_source_info(self.fun), names)
        return CustomVJPCall(with_static(self.fun, static), dynamic, rule, info)


def _check_untraced(static: dict[int, Any]) -> None:
    if any(isinstance(leaf, Tracer) for x in static.values() for leaf in tree_leaves(x)):
        raise UnexpectedTracerError(
            "Found a JAX Tracer object passed as an argument to a custom_vjp function in a position indicated by "
            "nondiff_argnums as non-differentiable. Tracers cannot be passed as non-differentiable arguments to "
            "custom_vjp functions; instead, nondiff_argnums should only be used for arguments that can't be or contain "
            "JAX tracers, e.g. function-valued arguments. In particular, array-valued arguments should typically not "
            "be indicated as nondiff_argnums."
        )
