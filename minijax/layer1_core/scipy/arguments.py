"""Arguments of jax.scipy functions."""

from typing import Any

from ..jnp.arguments import to_array
from ..jnp.array_creation import asarray
from ..jnp.promotion import promote_args_inexact


def inexact(name: str, *args: Any) -> list[Any]:
    """The arguments as arrays of one floating (or complex) dtype and of one rank.

    Raises TypeError for what is no array, naming the function.
    """
    return [to_array(x) for x in promote_args_inexact(name, *args)]


def real_inexact(name: str, *args: Any, message: str = "{0} does not support complex-valued inputs.") -> list[Any]:
    """The same; raises ValueError for complex arguments."""
    arrays = inexact(name, *args)
    if any(x.dtype.kind == "c" for x in arrays):
        raise ValueError(message.format(name))
    return arrays


def check_single_or_double(x: Any, message: str) -> Any:
    """`x` as an array. Raises TypeError unless it is of float32 or float64."""
    x = asarray(x)
    if x.dtype not in ("float32", "float64"):
        raise TypeError(message.format(x.dtype))
    return x
