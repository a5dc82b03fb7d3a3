"""What the rules of linear algebra share: parts of matrices, and products in full precision."""

import functools
from typing import Any

import numpy as np

from ....layer1_core.aval import typeof
from ....layer1_core.jnp.products import matmul
from ....layer1_core.lax.converting import convert_element_type
from ....layer1_core.lax.dot import Precision, batch_matmul, dot
from ....layer1_core.lax.elementwise import add, eq, ge, select
from ....layer1_core.lax.shaping import broadcast, broadcasted_iota, expand_dims, full, full_like, iota, transpose

times = functools.partial(matmul, precision=Precision.HIGHEST)  # the operator @, in full precision


def product(x: Any, y: Any) -> Any:
    """The product of matrices, in full precision."""
    multiply = dot if typeof(x).ndim == 2 else batch_matmul
    return multiply(x, y, precision=Precision.HIGHEST)


def identity(n: int, dtype: Any) -> Any:
    """The n by n identity matrix."""
    rows = add(broadcasted_iota(np.int32, (n, n), 0), np.int32(0))
    return convert_element_type(eq(rows, broadcasted_iota(np.int32, (n, n), 1)), dtype)


def identity_like(x: Any) -> Any:
    """The identity matrix of the size and dtype of `x`, with an axis of size 1 for each batch axis."""
    return expand_dims(identity(x.shape[-1], x.dtype), range(x.ndim - 2))


def transposed(x: Any) -> Any:
    """The last two axes exchanged."""
    n = typeof(x).ndim
    return transpose(x, (*range(n - 2), n - 1, n - 2))


def upper_triangle(x: Any, k: int = 0) -> Any:
    """`x` with zeros below its diagonal number k."""
    shape = typeof(x).shape
    rows = add(broadcasted_iota(np.int32, shape[-2:], 0), np.int32(k - 1))
    below = ge(rows, broadcasted_iota(np.int32, shape[-2:], 1))
    return select(broadcast(below, shape[:-2]), full_like(x, 0), x)


def diagonal(x: Any) -> Any:
    """The elements on the diagonal, as the last axis."""
    i = iota("int32", min(x.shape[-2:]))
    return x[..., i, i]


def diagonal_matrix(x: Any) -> Any:
    """The matrix with the last axis of `x` on its diagonal."""
    i = iota("int32", x.shape[-1])
    return full((*x.shape, x.shape[-1]), 0, x.dtype).at[..., i, i].set(x)
