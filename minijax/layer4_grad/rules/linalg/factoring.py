"""Cholesky, LU and QR.

Sources: Iain Murray, "Differentiation of the Cholesky decomposition" (2016); F. R. de Hoog, R. S. Anderssen and M. A.
Lukas, "Differentiation of matrix functionals using triangular factorization" (2011); James Townsend, "Differentiating
the QR decomposition" (2018); Denisa A. O. Roberts and Lucas R. Roberts, "QR and LQ decomposition matrix
backpropagation algorithms for square, wide, and deep matrices" (2020).
"""

from collections.abc import Sequence
from typing import Any

from ....layer1_core.jnp.linalg.solving import solve
from ....layer1_core.jnp.taking import take_along_axis
from ....layer1_core.lax.joining import concatenate
from ....layer1_core.lax.linalg.factoring import cholesky_p, lu_p, qr_p
from ....layer1_core.lax.linalg.families import adjoint, lower_triangle
from ....layer1_core.lax.linalg.solving import triangular_solve
from ....layer1_core.lax.shaping import expand_dims, full, pad
from ....layer1_core.trace import pure
from ...jvp import jvp_rules
from ...tangents import zero_of
from ..parts import const
from .matrices import identity, identity_like, product, times, upper_triangle

# ---- Cholesky


@jvp_rules.rule(cholesky_p)
def _cholesky_jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """L L^H = A  ->  dL = L half(L^-1 dA L^-H), where half is the lower triangle with half the diagonal."""
    low = lower_triangle(cholesky_p.bind(*primals))
    x = triangular_solve(low, *tangents, left_side=False, transpose_a=True, conjugate_a=True, lower=True)
    x = lower_triangle(triangular_solve(low, x, left_side=True, transpose_a=False, lower=True))
    twice = expand_dims(const(x, 1) + identity(x.shape[-1], x.dtype), range(x.ndim - 2))
    return low, product(low, x / twice)


# ---- LU


@jvp_rules.rule(lu_p)
def _lu_jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Sequence[Any], Sequence[Any]]:
    """P A = L U  ->  M = L^-1 P dA U^-1 is the sum of L^-1 dL, lower triangular, and dU U^-1, upper triangular."""
    lu, pivots, permutation = lu_p.bind(*primals)
    low, up = _squares(lu)
    x = _rows(pure(tangents[0]), permutation)
    x = triangular_solve(low, x, left_side=True, transpose_a=False, lower=True, unit_diagonal=True)
    x = triangular_solve(up, x, left_side=False, transpose_a=False, lower=False)
    low_dot = times(low, lower_triangle(x, -1))
    up_dot = times(upper_triangle(x), up)
    return [lu, pivots, permutation], [low_dot + up_dot, zero_of(pivots), zero_of(permutation)]


def _squares(lu: Any) -> tuple[Any, Any]:
    """L and U as square matrices: filled up with columns and rows of the identity."""
    (*batch, m, n), zero = lu.shape, const(lu, 0)
    k, none = min(m, n), [(0, 0, 0)] * len(batch)
    low = pad(lower_triangle(lu[..., :k], -1), zero, [*none, (0, 0, 0), (0, m - k, 0)])
    low = low + identity(m, lu.dtype)
    corner = pad(identity(n - k, lu.dtype), zero, [(k, 0, 0), (k, 0, 0)])
    return low, pad(upper_triangle(lu[..., :k, :]), zero, [*none, (0, n - k, 0), (0, 0, 0)]) + corner


def _rows(x: Any, permutation: Any) -> Any:
    """The rows of each matrix in this order."""
    return x[permutation] if x.ndim == 2 else take_along_axis(x, permutation[..., None], axis=-2)


# ---- QR


@jvp_rules.rule(qr_p)
def _qr_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, pivoting: bool, full_matrices: bool, use_magma: Any
) -> tuple[Sequence[Any], Sequence[Any]]:
    out = qr_p.bind(*primals, pivoting=pivoting, full_matrices=full_matrices, use_magma=use_magma)
    (x, x_dot), (q, r, *order) = map(pure, (*primals, *tangents)), out
    m, n = x.shape[-2:]
    if pivoting:
        x, x_dot = (_columns(y, order[0]) for y in (x, x_dot))
    if m < n:
        dots = _wide_qr_jvp(q, r, x, x_dot)
    elif m > n and full_matrices:
        dots = _full_qr_jvp(q, r, x_dot)
    else:
        dots = _thin_qr_jvp(q, r, x_dot)
    return out, [*dots, *map(zero_of, order)]


def _columns(x: Any, order: Any) -> Any:
    return x[..., order] if x.ndim == 2 else take_along_axis(x, order[..., None, :], axis=-1)


def _thin_qr_jvp(q: Any, r: Any, x_dot: Any) -> tuple[Any, Any]:
    """Q R = A, Q^H Q = 1  ->  Q^H dQ is skew, with the lower triangle of Q^H dA R^-1; dR is what is left.

    The diagonal of Q^H dQ is imaginary, so that the diagonal of R stays real.
    """
    x = triangular_solve(r, x_dot)  # dA R^-1
    y = adjoint(q) @ x
    low = lower_triangle(y, -1)
    skew = low - adjoint(low)
    skew = skew + identity_like(y) * (y - y.real.astype(y.dtype))
    return q @ (skew - y) + x, (y - skew) @ r


def _wide_qr_jvp(q: Any, r: Any, x: Any, x_dot: Any) -> tuple[Any, Any]:
    """The first columns have the same Q. The other ones of R are Q^H times those of A."""
    m = x.shape[-2]
    rest, first_dot, rest_dot = x[..., :, m:], x_dot[..., :, :m], x_dot[..., :, m:]
    q_dot, first = _thin_qr_jvp(q, r[..., :, :m], first_dot)
    return q_dot, concatenate([first, adjoint(q_dot) @ rest + adjoint(q) @ rest_dot], first.ndim - 1)


def _full_qr_jvp(q: Any, r: Any, x_dot: Any) -> tuple[Any, Any]:
    """Columns that complete Q, as Householder reflections give them: Z = Q21 (Q11 - 1)^-1 ties them to the first ones.

    Source: "Automatic differentiation of the full QR decomposition" (arXiv:2409.13374), equations 32 and 33.
    """
    m, n = x_dot.shape[-2:]
    first, last = q[..., :, :n], q[..., :, n:]
    first_dot, r_dot = _thin_qr_jvp(first, r[..., :n, :n], x_dot)
    above, below = first[..., :n, :], first[..., n:, :]
    z_adjoint = solve(adjoint(above - identity_like(above)), adjoint(below))
    z = adjoint(z_adjoint)
    change = adjoint(first_dot[..., n:, :] - z @ first_dot[..., :n, :])
    last_dot = first_dot @ z_adjoint - (first + last @ z) @ change
    zeros = full((*r.shape[:-2], m - n, n), 0, r.dtype)
    axis = r.ndim - 1
    return concatenate([first_dot, last_dot], axis), concatenate([r_dot, zeros], axis - 1)
