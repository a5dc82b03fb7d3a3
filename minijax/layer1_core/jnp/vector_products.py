"""Products of another kind: the Kronecker product and the cross product."""

import warnings
from functools import partial
from typing import Any

from ..jit import jit
from ..lax.elementwise import mul
from .arguments import array_arguments
from .array_creation import array, zeros_like
from .promotion import promote_dtypes
from .shaping import expand_dims, moveaxis, reshape


@jit
def kron(a: Any, b: Any) -> Any:
    """The Kronecker product: each element of `a` times the whole of `b`, in blocks. [m, n], [p, q] -> [m p, n q]."""
    a, b = promote_dtypes(*array_arguments("kron", a, b))
    rank = max(a.ndim, b.ndim)
    if a.ndim != b.ndim:
        a, b = expand_dims(a, range(rank - a.ndim)), expand_dims(b, range(rank - b.ndim))
    blocks = mul(expand_dims(a, range(1, 2 * rank, 2)), expand_dims(b, range(0, 2 * rank, 2)))
    return reshape(blocks, [m * n for m, n in zip(a.shape, b.shape, strict=True)])


@partial(jit, static_argnames=("axisa", "axisb", "axisc", "axis"))
def cross(a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Any:
    """The vector orthogonal to two vectors in space; of two vectors in the plane, its one component.

    The vectors lie along `axisa` and `axisb` and the result along `axisc`, or all along `axis`.
    Raises ValueError for vectors that have not 2 or 3 elements.
    """
    a, b = array_arguments("cross", a, b)
    axisa, axisb, axisc = (axisa, axisb, axisc) if axis is None else (axis, axis, axis)
    a, b = moveaxis(a, axisa, -1), moveaxis(b, axisb, -1)
    sizes = a.shape[-1], b.shape[-1]
    if not {2, 3}.issuperset(sizes):
        raise ValueError("Dimension must be either 2 or 3 for cross product")
    if 2 in sizes:
        _warn_of_two_dimensions()
    if sizes == (2, 2):
        return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    (a0, a1, a2), (b0, b1, b2) = _components(a), _components(b)
    return moveaxis(array([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0]), 0, axisc)


def _components(x: Any) -> tuple[Any, Any, Any]:
    """The three components along the last axis; the third of a vector in the plane is 0."""
    first, second = x[..., 0], x[..., 1]
    return first, second, x[..., 2] if x.shape[-1] == 3 else zeros_like(first)


def _warn_of_two_dimensions() -> None:
    warnings.warn(
        "Support for 2-dimensional vectors in jnp.cross is deprecated and will be removed in JAX 0.12.0. "
        "Use arrays of 3-dimensional vectors instead.",
        DeprecationWarning,
        stacklevel=3,
    )
