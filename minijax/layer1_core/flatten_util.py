"""A tree of arrays as one vector, and back."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from . import dtypes
from .aval import typeof
from .jnp.array_creation import asarray
from .jnp.joining import concatenate
from .jnp.shaping import ravel
from .lax.converting import convert
from .lax.shaping import reshape, split
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
        if typeof(vector).dtype != to:
            raise TypeError(
                f"unravel function given array of dtype {typeof(vector).dtype.name}, but expected dtype {to.name}"
            )
        if not avals:
            return tree_unflatten(treedef, [])
        pieces = zip(split(vector, sizes), avals, strict=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", np.exceptions.ComplexWarning)  # a real leaf among complex ones
            return tree_unflatten(treedef, [convert(reshape(p, a.shape), a.dtype) for p, a in pieces])

    return flat, unravel
