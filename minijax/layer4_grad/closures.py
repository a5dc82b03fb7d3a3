"""Rules by closures: `custom_gradient`, whose function returns its pullback, and `closure_convert`, which makes the
values in a function's closure its arguments, where a custom rule can see them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..layer1_core.aval import typeof
from ..layer1_core.dtypes import float0
from ..layer1_core.fun_names import fun_source_info
from ..layer1_core.jaxpr import DebugInfo, Jaxpr
from ..layer1_core.staging import DynamicJaxprTracer, eval_jaxpr, trace_to_jaxpr
from ..layer1_core.trace import Tracer
from ..layer1_core.tree import PyTreeDef, register_pytree_node, tree_flatten, tree_unflatten, treedef_is_leaf
from .custom_vjp import custom_vjp
from .tangents import tangent_aval

# ---- custom_gradient


@dataclass(frozen=True)
class Residuals:
    """A staged pullback. A pytree, whose leaves are what it closes over."""

    jaxpr: Jaxpr
    out_tree: PyTreeDef
    consts: Sequence[Any]


register_pytree_node(
    Residuals, lambda r: (r.consts, (r.jaxpr, r.out_tree)), lambda aux, consts: Residuals(aux[0], aux[1], consts)
)


def custom_gradient(fun: Callable[..., Any]) -> custom_vjp:
    """A decorator: `fun` returns its result and a function from a cotangent of that to those of the arguments.

    >>> f = custom_gradient(lambda x: (x * x, lambda ct: (ct * 10.0,)))
    >>> print(f(3.0))
    9.0
    """

    @custom_vjp
    def wrapped_fun(*args: Any, **kwargs: Any) -> Any:
        return fun(*args, **kwargs)[0]

    def fwd(*args: Any, **kwargs: Any) -> Any:
        out, rule = fun(*args, **kwargs)
        leaves, tree = tree_flatten(((out,), {}))
        info = DebugInfo("custom_gradient fwd", fun_source_info(rule))
        jaxpr, out_tree = trace_to_jaxpr(rule, tree, [tangent_aval(typeof(x)) for x in leaves], info)
        return out, Residuals(jaxpr, out_tree, jaxpr.consts)

    def bwd(residuals: Residuals, ct: Any) -> Any:
        cts = tree_flatten(ct)[0]
        found = tree_unflatten(residuals.out_tree, eval_jaxpr(residuals.jaxpr, residuals.consts, *cts))
        return (found,) if treedef_is_leaf(residuals.out_tree) else found  # None is the zero of the one argument

    wrapped_fun.defvjp(fwd, bwd)
    return wrapped_fun


# ---- closure_convert


def closure_convert(fun: Callable[..., Any], *example_args: Any) -> tuple[Callable[..., Any], list[Any]]:
    """(a function of the arguments and then of the values in the closure of `fun`, these values).

    Only values that may be differentiated are taken out: others stay in the closure. `fun` is traced at the types of
    `example_args`.

    >>> f, hoisted = closure_convert(lambda x: x + 1.0, 1.0)
    >>> print(f(2.0, *hoisted), hoisted)
    3.0 []
    """
    leaves, in_tree = tree_flatten(example_args)
    info = DebugInfo("closure_convert", fun_source_info(fun))
    jaxpr, out_tree = trace_to_jaxpr(fun, tree_flatten((example_args, {}))[1], [*map(typeof, leaves)], info)
    hoisted = [c for c in jaxpr.consts if _may_be_perturbed(c)]
    return partial(_converted, jaxpr, in_tree, out_tree, len(hoisted)), hoisted


def _converted(jaxpr: Jaxpr, in_tree: PyTreeDef, out_tree: PyTreeDef, n_hoisted: int, *args: Any) -> Any:
    n = len(args) - n_hoisted
    leaves, tree = tree_flatten(args[:n])
    if tree != in_tree:
        raise TypeError(
            "The inputs to the closure produced by closure_convert must have the same Pytree structure as the example "
            f"arguments passed when closure_convert was called. Expected {in_tree}, but got {tree}"
        )
    hoisted = iter(args[n:])
    consts = [next(hoisted) if _may_be_perturbed(c) else c for c in jaxpr.consts]
    return tree_unflatten(out_tree, eval_jaxpr(jaxpr, consts, *leaves))


def _may_be_perturbed(x: Any) -> bool:
    """Whether a value may have a tangent: a traced one of a type that has any."""
    if type(x) is DynamicJaxprTracer:
        return tangent_aval(x.aval).dtype != float0
    return isinstance(x, Tracer)
