"""Equations: solutions, inverses, powers. By elimination, which is the primitive `lu`."""

import math
import operator
from functools import partial
from typing import Any

from ...jit import jit
from ...lax import linalg as lax
from ...lax.shaping import broadcast
from ..arguments import array_argument, array_arguments
from ..array_creation import eye
from ..core_dims import core_dimensions
from ..promotion import promote_dtypes_inexact
from ..shaping import broadcast_to, moveaxis
from ..taking import take_along_axis


@jit
def solve(a: Any, b: Any) -> Any:
    """The x with a x = b: `b` is one vector, or a matrix of columns; axes before the last two are broadcast.

    Raises ValueError where the shapes do not fit. A singular `a` gives inf or NaN.
    """
    a, b = promote_dtypes_inexact(*array_arguments("jnp.linalg.solve", a, b))
    if a.ndim < 2:
        raise ValueError(f"left hand array must be at least two dimensional; got a.shape={a.shape!r}")
    if b.ndim > 1 and a.ndim == b.ndim + 1 and a.shape[-1] == b.shape[-1] != b.shape[-2]:
        raise ValueError(
            f"Invalid shapes for solve: {a.shape}, {b.shape}. Prior to JAX v0.5.0, this would have been treated as a "
            "batched 1-dimensional solve. To recover this behavior, use solve(a, b[..., None]).squeeze(-1)."
        )
    batch = core_dimensions("(m,m),(m)->(m)" if b.ndim == 1 else "(m,m),(m,n)->(m,n)", a, b).batch
    if b.ndim == 1:
        return _solve_columns(a, b[:, None], batch)[..., 0]
    return _solve_columns(a, b, batch)


def _solve_columns(a: Any, b: Any, batch: tuple[int, ...]) -> Any:
    """By elimination: P a = L U; x = U^-1 L^-1 P b."""
    lu, _, permutation = lax.lu(a)
    lu, b = (broadcast_to(x, (*batch, *x.shape[-2:])) for x in (lu, b))
    rows = broadcast_to(permutation, (*batch, permutation.shape[-1]))
    x = take_along_axis(b, rows[..., None], axis=-2) if batch else b[permutation, :]
    x = lax.triangular_solve(lu, x, left_side=True, lower=True, unit_diagonal=True)
    return lax.triangular_solve(lu, x, left_side=True, lower=False)


@jit
def inv(a: Any) -> Any:
    """The inverse of each square matrix. Raises ValueError for other shapes; a singular one gives inf or NaN."""
    a = array_argument("jnp.linalg.inv", a)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"Argument to inv must have shape [..., n, n], got {a.shape}.")
    return solve(a, broadcast(eye(a.shape[-1], dtype=a.dtype), a.shape[:-2]))


@partial(jit, static_argnames=("n",))
def matrix_power(a: Any, n: int) -> Any:
    """The n-th power of each square matrix, by repeated squaring; of its inverse for a negative n."""
    a = array_argument("jnp.linalg.matrix_power", a)
    if a.ndim < 2:
        raise TypeError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    if a.shape[-2] != a.shape[-1]:
        raise TypeError("Last 2 dimensions of the array must be square")
    try:
        n = operator.index(n)
    except TypeError as error:
        raise TypeError(f"exponent must be an integer, got {n}") from error
    if n == 0:
        return broadcast_to(eye(a.shape[-2], dtype=a.dtype), a.shape)
    a, n = (inv(a), -n) if n < 0 else (a, n)
    return a @ a @ a if n == 3 else _power(a, n)


def _power(a: Any, n: int) -> Any:
    """The product of the squarings a, a^2, a^4, ... that the binary digits of n name."""
    result = None
    while True:
        n, bit = divmod(n, 2)
        if bit:
            result = a if result is None else result @ a
        if not n:
            return result
        a = a @ a


# ---- equations whose unknowns have several axes


def tensorinv(a: Any, ind: int = 2) -> Any:
    """The inverse of `a` as a map from its last axes to its first `ind` ones: [*m, *n] -> [*n, *m], equal in size."""
    a = array_argument("tensorinv", a)
    ind = operator.index(ind)
    if ind <= 0:
        raise ValueError(f"ind must be a positive integer; got ind={ind!r}")
    rows, columns = a.shape[:ind], a.shape[ind:]
    if math.prod(rows) != math.prod(columns):
        raise ValueError(
            "tensorinv is only possible when the product of the first `ind` dimensions equals that of the remaining "
            f"dimensions. got arr.shape={a.shape!r} with ind={ind!r}."
        )
    return inv(a.reshape(math.prod(rows), math.prod(columns))).reshape(*columns, *rows)


def tensorsolve(a: Any, b: Any, axes: tuple[int, ...] | None = None) -> Any:
    """The x with tensordot(a, x) = b: [*b, *x], [*b] -> [*x]. `axes` of `a` are moved to the end first."""
    a, b = array_arguments("tensorsolve", a, b)
    if axes is not None:
        a = moveaxis(a, axes, len(axes) * (a.ndim - 1,))
    shape = a.shape[b.ndim :]
    if a.shape[: b.ndim] != b.shape:
        raise ValueError(
            "After moving axes to end, leading shape of a must match shape of b. "
            f"got a.shape={a.shape}, b.shape={b.shape}"
        )
    if b.size != math.prod(shape):
        raise ValueError(
            "Input arrays must have prod(a.shape[:b.ndim]) == prod(a.shape[b.ndim:]); "
            f"got a.shape={a.shape}, b.ndim={b.ndim}."
        )
    return solve(a.reshape(b.size, b.size), b.ravel()).reshape(shape)
