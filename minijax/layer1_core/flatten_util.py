"""A tree of arrays as one vector, and back."""

from collections.abc import Callable
from typing import Any

import numpy as np

from . import dtypes
from .aval import ShapedArray, typeof
from .jnp.array_creation import asarray
from .jnp.joining import concatenate
from .jnp.shaping import ravel
from .lax.converting import convert
from .lax.joining import split
from .lax.shaping import reshape
from .tree import tree_flatten, tree_unflatten


def ravel_pytree(pytree: Any) -> tuple[Any, Callable[[Any], Any]]:
    """The leaves of `pytree`, raveled and joined into one vector, and the function that undoes it.

    The vector has the dtype that the leaves promote to. The function raises TypeError for another dtype, ValueError
    for another length.
    """
    leaves, treedef = tree_flatten(pytree)
    avals = [typeof(x) for x in leaves]
    sizes = [a.size for a in avals]
    to = dtypes.join(*[(a.dtype, a.weak_type) for a in avals])[0] if avals else np.dtype("float32")
    parts = [ravel(convert(asarray(x), to)) for x in leaves]
    flat = concatenate(parts) if parts else asarray(np.zeros(0, to))

    def unravel(vector: Any) -> Any:
        if typeof(vector).dtype != to and any(a.dtype != to for a in avals):
            raise TypeError(
                f"unravel function given array of dtype {typeof(vector).dtype.name}, but expected dtype {to.name}"
            )
        if not avals:
            return tree_unflatten(treedef, [])
        pieces = zip(split(vector, sizes), avals, strict=True)
        return tree_unflatten(treedef, [_as(a, reshape(piece, a.shape), to) for piece, a in pieces])

    return flat, unravel


def _as(aval: ShapedArray, x: Any, joined: np.dtype) -> Any:
    """A piece of the vector as a leaf was: converted only where the vector's dtype is another."""
    return x if aval.dtype == joined else convert(x, aval.dtype)
