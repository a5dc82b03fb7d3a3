"""Functions of trees as functions of leaves, which is what traces work with."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from ..layer1_core.aval import is_jax_type, not_a_type, typeof
from ..layer1_core.fun_names import fun_source_info
from ..layer1_core.jaxpr import DebugInfo
from ..layer1_core.trace import current_trace
from ..layer1_core.tree import PyTreeDef, tree_flatten, tree_map, tree_unflatten
from .jvp import DualTrace


class Flat:
    """A function of leaves and to leaves. After a call it knows the tree of the results, and what else came out.

    With `has_aux` the function returns a pair; the second part is not differentiated, and may be anything.
    """

    def __init__(self, fun: Callable[..., Any], in_tree: PyTreeDef, has_aux: bool = False):
        self.fun, self.in_tree, self.has_aux = fun, in_tree, has_aux
        self.out_tree: PyTreeDef
        self.aux: Any = None

    def __call__(self, *leaves: Any) -> list[Any]:
        out = self.fun(*tree_unflatten(self.in_tree, leaves))
        if self.has_aux:
            out, self.aux = _pair(out)
            self.aux = tree_map(_value, self.aux)
        flat, self.out_tree = tree_flatten(out)
        for x in flat:
            typeof(x)  # raises for what is not an array
        return flat


def _pair(out: Any) -> Any:
    """`out`, where it is a pair. Raises JAX's TypeError for what is none."""
    if not isinstance(out, (list, tuple)) or len(out) != 2:
        raise TypeError(
            "expected function with aux output to return a two-element tuple, "
            f"but got type {type(out)} with value {out!r}"
        )
    return out


def _value(x: Any) -> Any:
    """The value alone: what is handed through has no tangent."""
    trace = current_trace.get()
    return trace.primal(x) if isinstance(trace, DualTrace) else x


def check_callable(fun: Any) -> None:
    """Raises JAX's TypeError for what cannot be called and traced."""
    if isinstance(fun, staticmethod):
        raise TypeError(f"staticmethod arguments are not supported, got {fun}")
    if not callable(fun):
        raise TypeError(f"Expected a callable value, got {fun}")
    if inspect.isgeneratorfunction(fun):
        raise TypeError(f"Expected a function, got a generator function: {fun}")


class InvalidInputException(TypeError):
    """The TypeError of `vjp`, by the name that JAX has for it."""


def check_arg(x: Any, error: type[TypeError] = TypeError) -> None:
    """Raises JAX's TypeError for a value that is not an array; ValueError for an object that can be made one."""
    if not is_jax_type(x):
        if hasattr(x, "__jax_array__"):
            raise not_a_type(x)
        raise error(f"Argument '{x}' of type {type(x)} is not a valid JAX type.")


def info_of(fun: Callable[..., Any], traced_for: str) -> DebugInfo:
    """What messages say of the function."""
    return DebugInfo(traced_for, fun_source_info(fun))


def refuse_reduce_axes(reduce_axes: Sequence[Any], name: str) -> None:
    """Raises NotImplementedError, in JAX's words, where the argument is used: it has no meaning any more."""
    if reduce_axes:
        raise NotImplementedError(f"reduce_axes argument to {name} is deprecated")
