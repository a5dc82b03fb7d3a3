"""What to do about a wrong argument of a jitted function: notes that follow JAX's message in a traceback."""

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
