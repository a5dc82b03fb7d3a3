"""custom_jvp: a function together with the rule of its derivative. Here it is run, or recorded as one equation;
the transformation that needs the rule (chapter 4) finds it in the equation.
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .aval import ShapedArray, ShapeDtypeStruct, is_jax_type, typeof
from .evaluate import run
from .fun_names import arg_names, fun_name, fun_signature, fun_source_info
from .jaxpr import DebugInfo, Jaxpr, JaxprEqn
from .lax.converting import stop_gradient_p
from .lax.elementwise import add
from .lax.shaping import zeros_like_aval
from .literals import with_type
from .pretty import Names
from .primitive import Primitive, impl_rules
from .staging import DynamicJaxprTrace, eval_jaxpr, not_an_array, trace_to_jaxpr
from .trace import EvalTrace, Trace, Tracer, current_trace
from .tree import PyTreeDef, tree_flatten, tree_map, tree_structure, tree_unflatten
from .treedef import tree_leaves

Rule = Callable[..., tuple[Any, Any]]  # (primals, tangents) -> (primal result, tangent result)

# ---- the primitive


class CustomCall(Primitive):
    """A primitive that calls a function with a rule of the user's: `call_jaxpr`, which is recorded anew by each trace.

    So two equations never share it, and it is printed at each of them. Types are not remembered: that table would keep
    alive what each equation carries.
    """

    multiple_results = True

    def bind(self, *args: Any, call_jaxpr: Jaxpr, **params: Any) -> Any:
        trace = current_trace.get()
        if isinstance(trace, DynamicJaxprTrace):
            call_jaxpr = _recorded_anew(call_jaxpr)
        return trace.process_primitive(self, args, {"call_jaxpr": call_jaxpr, **params})

    def out_avals(self, in_avals: tuple[ShapedArray, ...], params: dict[str, Any]) -> Any:
        return self.abstract_eval(*in_avals, **params)


def _recorded_anew(jaxpr: Jaxpr) -> Jaxpr:
    args, info = jaxpr.in_avals, jaxpr.debug_info or DebugInfo("custom_jvp fun", "<unknown>")
    tree = tree_structure(((0,) * len(args), {}))
    return trace_to_jaxpr(lambda *args: eval_jaxpr(jaxpr, jaxpr.consts, *args), tree, args, info)[0]


custom_jvp_call_p = CustomCall("custom_jvp_call")
custom_jvp_call_p.def_abstract_eval(lambda *avals, call_jaxpr, **params: call_jaxpr.out_avals)


@impl_rules.rule(custom_jvp_call_p)
def _run_call(*values: np.ndarray, call_jaxpr: Jaxpr, **params: Any) -> list[np.ndarray]:
    return run(call_jaxpr, values)


def _pretty(eqn: JaxprEqn, names: Names) -> list[tuple[str, Any]]:
    jaxpr, count = eqn.params["call_jaxpr"], eqn.params["num_consts"]
    shown = [("name", jaxpr.debug_info.func_name), ("call_jaxpr", jaxpr), ("jvp", eqn.params["jvp_jaxpr_fun"].name)]
    return [*shown, *[("num_consts", count)] * bool(count), ("symbolic_zeros", eqn.params["symbolic_zeros"])]


custom_jvp_call_p.pretty = _pretty

# ---- one call


@dataclass(frozen=True, eq=False, slots=True)
class JVPRule:
    """The derivative's rule in one call: what the user defined, and the arguments that are not differentiated."""

    rule: Rule
    static_args: tuple[Any, ...]  # they go first
    primal_name: str  # of the function that the rule belongs to, for messages
    in_tree: PyTreeDef  # of the tuple of the arguments that are

    @property
    def name(self) -> str:
        return fun_name(self.rule)

    def __call__(self, primals: Any, tangents: Any) -> Any:
        return self.rule(*self.static_args, primals, tangents)


@dataclass(frozen=True, eq=False, slots=True)
class CustomJVPCall:
    """One call of a custom_jvp function: the function of the arguments that may be differentiated, and they."""

    fun: Callable[..., Any]
    args: tuple[Any, ...]
    jvp: JVPRule
    symbolic_zeros: bool
    debug_info: DebugInfo


def _added(out: Any, parts: Sequence[Any]) -> Any:
    """The sum of trees of tangents of a result."""
    zeros = tree_map(lambda x: zeros_like_aval(typeof(x).strip_weak_type()), out)
    first, *others = parts or [zeros]
    return functools.reduce(lambda x, y: tree_map(add, x, y), others, first)


# How trees of tangents of a result are added; the last one counts. Chapter 4 enters its own, which knows of zeros.
tangent_sums: list[Callable[[Any, Sequence[Any]], Any]] = [_added]
# What a kind of trace makes of a call: from the call to its result. Later layers enter their traces.
custom_jvp_processors: dict[type[Trace], Callable[[CustomJVPCall], Any]] = {}


def _run(call: CustomJVPCall) -> Any:
    """The base trace runs the function on the values themselves, so that Python can branch on them."""
    return call.fun(*call.args)


def _record(call: CustomJVPCall) -> Any:
    """A recording trace keeps one equation; what the function closes over is passed as leading operands."""
    leaves, in_tree = tree_flatten((call.args, {}))
    jaxpr, out_tree = trace_to_jaxpr(call.fun, in_tree, [typeof(x) for x in leaves], call.debug_info)
    consts = jaxpr.consts
    closed = jaxpr.replace(constvars=[], consts=[], invars=[*jaxpr.constvars, *jaxpr.invars])
    params = {"jvp_jaxpr_fun": call.jvp, "num_consts": len(consts), "symbolic_zeros": call.symbolic_zeros}
    out = current_trace.get().process_primitive(custom_jvp_call_p, (*consts, *leaves), {"call_jaxpr": closed, **params})
    return tree_unflatten(out_tree, out)


custom_jvp_processors[EvalTrace] = _run
custom_jvp_processors[DynamicJaxprTrace] = _record

# ---- the function with its rule


class custom_jvp:
    """A decorator: `fun` with a rule of the user's for its derivative.

        @custom_jvp
        def f(x, y): ...

        @f.defjvp
        def f_jvp(primals, tangents): ...     # -> (result, its tangent)

    Arguments named by `nondiff_argnums` or `nondiff_argnames` are not differentiated: they may be any object, and
    the rule gets them first, one by one.
    """

    def __init__(
        self, fun: Callable[..., Any], nondiff_argnums: Sequence[int] = (), nondiff_argnames: str | Sequence[str] = ()
    ):
        functools.update_wrapper(self, fun)
        self.fun = fun
        self.jvp: Rule | None = None
        self.symbolic_zeros = False
        self.nondiff_argnums = positions_of(fun, nondiff_argnums, nondiff_argnames)

    def defjvp(self, jvp: Rule, symbolic_zeros: bool = False) -> Rule:
        """Set the rule: from a tuple of primals and a tuple of tangents to the result and its tangent.

        With `symbolic_zeros` a tangent that is zero for certain is an object that says so. Returns `jvp`.
        """
        self.jvp, self.symbolic_zeros = jvp, symbolic_zeros
        return jvp

    def defjvps(self, *jvps: Callable[..., Any] | None) -> None:
        """Set a rule for each argument by itself: from its tangent, the result and all primals to a tangent of the
        result, or None where it has no part. The tangents are added.
        """
        if self.nondiff_argnums:
            raise TypeError("Can't use ``defjvps`` with ``nondiff_argnums``.")

        def jvp(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any]:
            n, given = len(tangents), len(jvps)
            if n != given:  # in the words of JAX's own zip
                raise ValueError(
                    f"safe_zip() argument 1 has length {given} but argument 0 has length {n}. All lengths: {n, given}"
                )
            out = self(*primals)
            parts = [rule(t, out, *primals) for t, rule in zip(tangents, jvps, strict=True) if rule]
            return out, tangent_sums[-1](out, parts)

        self.defjvp(jvp)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        name = fun_name(self.fun)
        if self.jvp is None:
            raise AttributeError(f"No JVP defined for custom_jvp function {name} using defjvp.")
        call = self._call(name, positional(self.fun, "custom_jvp", args, kwargs))
        return custom_jvp_processors[type(current_trace.get())](call)

    def _call(self, name: str, args: tuple[Any, ...]) -> CustomJVPCall:
        static = {i: _stop_gradients(x) for i, x in enumerate(args) if i in self.nondiff_argnums}
        dynamic = tuple(x for i, x in enumerate(args) if i not in static)
        _check_leaves(self.fun, dynamic)
        dynamic = tree_map(with_type, dynamic)
        assert self.jvp is not None
        rule = JVPRule(self.jvp, tuple(static.values()), name, tree_structure(dynamic))
        names = arg_names(fun_signature(self.fun), args, {}) if not static else ()
        info = DebugInfo("custom_jvp fun", fun_source_info(self.fun), names)
        return CustomJVPCall(with_static(self.fun, static), dynamic, rule, self.symbolic_zeros, info)


def positions_of(fun: Callable[..., Any], argnums: Sequence[int], argnames: str | Sequence[str]) -> tuple[int, ...]:
    """The positions of arguments that are given by number or by name."""
    names = inspect.signature(fun).parameters if argnames else ()
    wanted = (argnames,) if isinstance(argnames, str) else argnames
    return tuple(sorted({*argnums, *(i for i, name in enumerate(names) if name in wanted)}))


def with_static(fun: Callable[..., Any], static: dict[int, Any]) -> Callable[..., Any]:
    """`fun` with the arguments at these positions filled in. Raises TypeError where it returns no arrays."""

    def call(*dynamic: Any) -> Any:
        rest = iter(dynamic)
        out = fun(*(static[i] if i in static else next(rest) for i in range(len(static) + len(dynamic))))
        for leaf in tree_leaves(out):
            typeof(leaf)
        return out

    return call


def _stop_gradients(x: Any) -> Any:
    return tree_map(lambda leaf: stop_gradient_p.bind(leaf) if isinstance(leaf, Tracer) else leaf, x)


def positional(fun: Callable[..., Any], decorator: str, args: Any, kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """The arguments by position, with defaults filled in. Raises TypeError where that cannot be done."""
    signature = fun_signature(fun)
    if signature is None:
        return args
    problem: object = None
    try:
        bound = signature.bind(*args, **kwargs)
        if not bound.kwargs:
            bound.apply_defaults()
            return bound.args
        problem = f"The following keyword arguments could not be resolved to positions: {', '.join(bound.kwargs)}"
    except TypeError as error:
        problem = error
    raise TypeError(
        f"The input arguments to the {decorator}-decorated function {fun_name(fun)} could not be resolved to "
        f"positional-only arguments. Binding failed with the error:\n{problem}"
    )


def _check_leaves(fun: Callable[..., Any], args: tuple[Any, ...]) -> None:
    for i, leaf in enumerate(tree_leaves(args)):
        if type(leaf) is ShapeDtypeStruct:
            raise TypeError(not_an_array(fun, leaf, arg_names(fun_signature(fun), args, {})[i]))
        if not is_jax_type(leaf):
            raise TypeError(
                "Error interpreting argument to custom_jvp_call as a JAX value. The problematic value is of type "
                f"{type(leaf)} and was passed to custom_jvp_call at position {i}.\n"
            )
