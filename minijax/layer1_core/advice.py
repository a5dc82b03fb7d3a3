"""What is said of a wrong argument of a jitted function: messages, and notes that follow them in a traceback."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from .basearray import Array


def on_static(name: str, value: Any) -> str:
    """What to pass instead of a static argument that cannot be hashed.

    >>> on_static("order", [2, 1])
    'order is a list: pass tuple(order)'
    """
    if isinstance(value, (Array, np.ndarray)):
        return _on_static_array(name, value)
    match value:
        case list():
            return f"{name} is a list: pass tuple({name})"
        case dict():
            return f"{name} is a dict: pass tuple({name}.items())"
        case set():
            return f"{name} is a set: pass frozenset({name})"
    return f"{name} is {_kind(value)}: a static argument is a key of the table of traces, and a key has a hash"


def _on_static_array(name: str, value: Any) -> str:
    if value.shape:
        return f"{name} is {_kind(value)} of shape {value.shape}: let it be an ordinary argument"
    number = {"f": "float", "b": "bool"}.get(value.dtype.kind, "int")
    return f"{name} is {_kind(value)} of shape (): pass {number}({name})"


def not_comparable(kind: tuple[Any, ...], known: Iterable[tuple[Any, ...]], error: Exception) -> str:
    """The message for a kind of call that cannot be looked up: `==` of two static arguments has raised an error.

    A static argument stands in a kind as (where, type, value).
    """
    types = next((t for other in known if (t := _types_at_odds(kind, other))), ("?", "?"))
    return (
        "static arguments should be comparable using __eq__.The following error was raised when comparing two objects "
        f"of types {types[0]} and {types[1]}. The error was:\n{type(error).__name__}: {error}"
    )


def _types_at_odds(kind: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, Any] | None:
    for a, b in zip(kind, other, strict=False):
        try:
            _ = a == b
        except Exception:
            return a[1], b[1]
    return None


def on_argument(path: str, value: Any) -> str:
    """What to do with an argument, or a leaf of one, that is no array.

    >>> on_argument("name", "relu")
    'name is a str: mark it static'
    """
    if callable(value) and not isinstance(value, type) and hasattr(value, "__name__"):
        return (
            f"{path} is a function: close over it, mark it static, "
            "or keep it in the metadata of a registered pytree node"
        )
    if type(value).__module__ == "builtins":
        return f"{path} is {_kind(value)}: mark it static"
    return f"{path} is {_kind(value)}: register it as a pytree, or mark it static if it never changes"


def _kind(value: Any) -> str:
    """'a list', 'an Array'."""
    name = "Array" if isinstance(value, Array) else type(value).__name__
    return "a NumPy array" if name == "ndarray" else f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"
