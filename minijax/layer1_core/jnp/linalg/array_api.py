"""Functions that jax.numpy has too, here with the signatures of the Python array API standard; and products of many."""

import itertools
from collections.abc import Sequence
from typing import Any

from ...lax.shaping import transpose
from .. import creation, products, vector_products
from ..arguments import array_argument, array_arguments
from ..einsum import einsum


def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The cross product of vectors of three elements along `axis`."""
    x1, x2 = array_arguments("jnp.linalg.outer", x1, x2)
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError(
            "Both input arrays must be (arrays of) 3-dimensional vectors, but they have "
            f"x1.shape[axis]={x1.shape[axis]!r} and x2.shape[axis]={x2.shape[axis]!r}"
        )
    return vector_products.cross(x1, x2, axis=axis)


def outer(x1: Any, x2: Any, /) -> Any:
    """The products of each element of one vector with each of the other: [m], [n] -> [m, n]."""
    x1, x2 = array_arguments("jnp.linalg.outer", x1, x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(f"Input arrays must be one-dimensional, but they are x1.ndim={x1.ndim!r} x2.ndim={x2.ndim!r}")
    return x1[:, None] * x2[None, :]


def matrix_transpose(x: Any, /) -> Any:
    """`x` with its last two axes exchanged."""
    x = array_argument("jnp.linalg.matrix_transpose", x)
    if x.ndim < 2:
        raise ValueError(f"matrix_transpose requires at least 2 dimensions; got ndim={x.ndim!r}")
    return transpose(x, (*range(x.ndim - 2), x.ndim - 1, x.ndim - 2))


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """The sum of the diagonal of each matrix."""
    return creation.trace(array_argument("jnp.linalg.trace", x), offset=offset, axis1=-2, axis2=-1, dtype=dtype)


def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    """The diagonal of each matrix."""
    return creation.diagonal(array_argument("jnp.linalg.diagonal", x), offset=offset, axis1=-2, axis2=-1)


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """The sum of conj(x1) * x2 along `axis`."""
    x1, x2 = array_arguments("jnp.linalg.vecdot", x1, x2)
    return products.vecdot(x1, x2, axis=axis, precision=precision, preferred_element_type=preferred_element_type)


def matmul(x1: Any, x2: Any, /, *, precision: Any = None, preferred_element_type: Any = None) -> Any:
    """The matrix product x1 @ x2."""
    x1, x2 = array_arguments("jnp.linalg.matmul", x1, x2)
    return products.matmul(x1, x2, precision=precision, preferred_element_type=preferred_element_type)


def tensordot(
    x1: Any,
    x2: Any,
    /,
    *,
    axes: Any = 2,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: Any = None,
) -> Any:
    """The sum of products over pairs of axes."""
    x1, x2 = array_arguments("jnp.linalg.tensordot", x1, x2)
    how = {"precision": precision, "preferred_element_type": preferred_element_type, "out_sharding": out_sharding}
    return products.tensordot(x1, x2, axes=axes, **how)


def multi_dot(arrays: Sequence[Any], *, precision: Any = None) -> Any:
    """The product of several matrices in the cheapest order. The first may be a row, the last a column."""
    arrays = array_arguments("jnp.linalg.multi_dot", *arrays)
    shapes = [x.shape for x in arrays]
    if len(arrays) < 2:
        raise ValueError(f"multi_dot requires at least two arrays; got len(arrays)={len(arrays)}")
    if not (len(shapes[0]) in (1, 2) and len(shapes[-1]) in (1, 2) and all(len(s) == 2 for s in shapes[1:-1])):
        raise ValueError(
            "multi_dot: input arrays must all be two-dimensional, except for the first and last array which may be 1 "
            f"or 2 dimensional. Got array shapes {shapes}"
        )
    if any(s[-1] != t[0] for s, t in itertools.pairwise(shapes)):
        raise ValueError(
            "multi_dot: last dimension of each array must match first dimension of following array. "
            f"Got array shapes {shapes}"
        )
    axes: list[tuple[int, ...]] = [(i, i + 1) for i in range(len(arrays))]
    axes[0], axes[-1] = axes[0][-len(shapes[0]) :], axes[-1][: len(shapes[-1])]
    return einsum(*(x for pair in zip(arrays, axes, strict=True) for x in pair), optimize="auto", precision=precision)
