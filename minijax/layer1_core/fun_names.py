"""What messages call a function, its arguments and its results."""

import functools
import inspect
from collections.abc import Callable, Container, Sequence
from typing import Any

from .tree import keystr, tree_flatten_with_path


def fun_name(fun: Callable[..., Any]) -> str:
    """The name that a jit equation shows: a partial's is that of its function, an object's is a placeholder."""
    while isinstance(fun, functools.partial):
        fun = fun.func
    return getattr(fun, "__name__", "<unnamed function>")


def fun_source_info(fun: Callable[..., Any]) -> str:
    """`NAME at FILE:LINE`, for messages."""
    while isinstance(fun, functools.partial):
        fun = fun.func
    fun = inspect.unwrap(fun)
    code = getattr(fun, "__code__", None)
    if code is None:
        return fun_name(fun) if inspect.isbuiltin(fun) else "<unknown>"
    return f"{fun.__name__} at {code.co_filename}:{code.co_firstlineno}"


def fun_signature(fun: Callable[..., Any]) -> inspect.Signature | None:
    """The signature, or None where Python cannot tell: of some builtins, of an object that will not be compared."""
    try:
        return inspect.signature(fun)
    except Exception:
        return None


def without_positions(signature: inspect.Signature | None, fixed: Container[int]) -> inspect.Signature | None:
    """The signature that is left when the positional arguments `fixed` are given."""
    if signature is None:
        return None
    return signature.replace(parameters=[p for i, p in enumerate(signature.parameters.values()) if i not in fixed])


def too_large(x: int, path: str) -> OverflowError:
    """The error for an integer argument that does not fit the default integer."""
    return OverflowError(
        "An overflow was encountered while parsing an argument to a jitted computation, whose argument path is "
        f"{path}. Got {type(x)} with value {x}"
    )


def arg_names(signature: inspect.Signature | None, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[str, ...]:
    """A name for each leaf of the arguments: the parameter and the path in it, such as `params['w'][0]`.

    In the order of the leaves: the positional arguments, then those given by keyword, sorted.
    """
    named = _named_arguments(signature, args, kwargs)
    return tuple(name + keystr(path) for name, value in named for path, _ in tree_flatten_with_path(value)[0])


def _named_arguments(signature: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> list[tuple[str, Any]]:
    """(name, value) of each argument. Without a signature that fits they are called args and kwargs['b']."""
    try:
        bound = signature.bind(*args, **kwargs).arguments if signature else None
    except TypeError:
        bound = None
    if bound is None:
        return [("args", args), *((f"kwargs['{k}']", v) for k, v in sorted(kwargs.items()))]
    rest = next((p.name for p in signature.parameters.values() if p.kind is p.VAR_KEYWORD), None)
    positional = [(k, v) for k, v in bound.items() if k not in kwargs and k != rest]
    return positional + [(k if k in bound else f"{rest}['{k}']", v) for k, v in sorted(kwargs.items())]
