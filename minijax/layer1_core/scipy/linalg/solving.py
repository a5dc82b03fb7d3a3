"""Equations with matrices, with SciPy's signatures. Arguments that only concern speed or checks are ignored."""

from functools import partial
from typing import Any

import numpy as np

from ...custom_derivative import custom_jvp
from ...jit import jit
from ...jnp.array_creation import asarray, eye
from ...jnp.choosing import where
from ...jnp.core_dims import core_dimensions
from ...jnp.joining import stack
from ...jnp.linalg import determinants, factoring as jnp_factoring, solving
from ...jnp.numbers import conj
from ...jnp.products import matmul
from ...jnp.reductions import any as jnp_any
from ...jnp.shaping import broadcast_to
from ...jnp.sorting import argsort
from ...jnp.taking import take_along_axis
from ...lax import linalg as lax
from .factoring import cholesky, inexact, schur


def inv(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """The inverse of each square matrix."""
    return solving.inv(a)


def det(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """The determinant of each square matrix."""
    return determinants.det(a)


# ---- triangles


def _same_batch(matrix: Any, b: Any) -> tuple[Any, Any]:
    """`matrix` [..., n, n] and `b`, of vectors [..., n] or matrices [..., n, k], with the same batch axes.

    Raises ValueError, in the words of jnp.vectorize, where the shapes do not fit.
    """
    vector = b.ndim == 1 or (matrix.ndim == b.ndim + 1 and matrix.shape[-1] == b.shape[-1])
    batch = core_dimensions("(n,n),(n)->(n)" if vector else "(n,n),(n,k)->(n,k)", matrix, b).batch
    core = b.shape[-1:] if vector else b.shape[-2:]
    return broadcast_to(matrix, batch + matrix.shape[-2:]), broadcast_to(b, batch + core)


def solve_triangular(
    a: Any,
    b: Any,
    trans: int | str = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    debug: Any = None,
    check_finite: bool = True,
) -> Any:
    """The x with a x = b for a triangular `a`; with a^T for `trans` 1 or "T", with a^H for 2 or "C"."""
    return _solve_triangular(a, b, trans, lower, unit_diagonal)


@partial(jit, static_argnames=("trans", "lower", "unit_diagonal"))
def _solve_triangular(a: Any, b: Any, trans: int | str, lower: bool, unit_diagonal: bool) -> Any:
    if trans not in (0, 1, 2, "N", "T", "C"):
        raise ValueError(f"Invalid 'trans' value {trans}")
    a, b = _same_batch(*inexact(a, b))
    transpose, conjugate = trans not in (0, "N"), trans in (2, "C")
    return lax.triangular_solve(
        a, b, left_side=True, lower=lower, transpose_a=transpose, conjugate_a=conjugate, unit_diagonal=unit_diagonal
    )


def cho_factor(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Any, bool]:
    """What `cho_solve` needs: the Cholesky factor of `a` and which triangle it is."""
    return cholesky(a, lower=lower), lower


def cho_solve(c_and_lower: tuple[Any, bool], b: Any, overwrite_b: bool = False, check_finite: bool = True) -> Any:
    """The x with a x = b, from a's Cholesky factor."""
    c, lower = c_and_lower
    return _cho_solve(c, b, lower)


@partial(jit, static_argnames=("lower",))
def _cho_solve(c: Any, b: Any, lower: bool) -> Any:
    c, b = _same_batch(*inexact(c, b))
    for adjoint in (not lower, lower):  # L, then L^H; or R^H, then R
        b = lax.triangular_solve(c, b, left_side=True, lower=lower, transpose_a=adjoint, conjugate_a=adjoint)
    return b


# ---- elimination


@partial(jit, static_argnames=("overwrite_a", "check_finite"))
def lu_factor(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Any, Any]:
    """What `lu_solve` needs: L and U in one matrix, and the row exchanges."""
    packed, pivots, _ = lax.lu(*inexact(a))
    return packed, pivots


@partial(jit, static_argnames=("trans", "overwrite_b", "check_finite"))
def lu_solve(
    lu_and_piv: tuple[Any, Any], b: Any, trans: int = 0, overwrite_b: bool = False, check_finite: bool = True
) -> Any:
    """The x with a x = b, from `lu_factor(a)`; with a^T for `trans` 1, with a^H for 2."""
    packed, pivots = lu_and_piv
    packed, b = inexact(packed, b)
    order = lax.lu_pivots_to_permutation(asarray(pivots), packed.shape[-1])
    packed, b = _same_batch(packed, b)
    return _lu_solve(packed, broadcast_to(order, (*packed.shape[:-2], order.shape[-1])), b, trans)


@partial(jit, static_argnums=(3,))
def _lu_solve(packed: Any, order: Any, b: Any, trans: int) -> Any:
    """By P a = L U: x = U^-1 L^-1 P b; and a^T x = b gives x = P^T L^-T U^-T b."""
    if trans not in (0, 1, 2):
        raise ValueError(f"'trans' value must be 0, 1, or 2, got {trans}")
    vector = packed.ndim == b.ndim + 1
    x = b[..., None] if vector else b
    triangle = partial(lax.triangular_solve, packed, left_side=True)
    if trans == 0:
        x = triangle(_in_order(x, order), lower=True, unit_diagonal=True)
        x = triangle(x, lower=False)
    else:
        turned = {"transpose_a": True, "conjugate_a": trans == 2}
        x = triangle(x, lower=False, **turned)
        x = triangle(x, lower=True, unit_diagonal=True, **turned)
        x = _in_order(x, argsort(order, axis=-1))
    return x[..., 0] if vector else x


def _in_order(x: Any, order: Any) -> Any:
    """The rows of each matrix in this order."""
    return x[order, :] if x.ndim == 2 else take_along_axis(x, order[..., None], axis=-2)


def solve(
    a: Any,
    b: Any,
    lower: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    debug: bool = False,
    check_finite: bool = True,
    assume_a: str = "gen",
) -> Any:
    """The x with a x = b; `assume_a` "pos" takes Cholesky's way, of which one triangle of `a` is read."""
    known = ["gen", "sym", "her", "pos"]
    if assume_a not in known:
        raise ValueError(f"Expected assume_a to be one of {known}; got {assume_a!r}")
    return _solve(a, b, assume_a, lower)


@partial(jit, static_argnames=("assume_a", "lower"))
def _solve(a: Any, b: Any, assume_a: str, lower: bool) -> Any:
    if assume_a != "pos":
        return solving.solve(a, b)
    a, b = inexact(a, b)
    if not (a.ndim >= 2 and b.ndim in (a.ndim, a.ndim - 1) and a.shape[-1] == a.shape[-2] == b.shape[a.ndim - 2]):
        raise ValueError(
            "The arguments to solve must have shapes a=[..., m, m] and b=[..., m, k] or b=[..., m]; "
            f"got a={a.shape} and b={b.shape}"
        )
    return _positive(a, b, lower)


@partial(custom_jvp, nondiff_argnums=(2,))
def _positive(a: Any, b: Any, lower: bool) -> Any:
    return cho_solve(cho_factor(a, lower=lower), b)


@_positive.defjvp
def _positive_jvp(lower: bool, primals: Any, tangents: Any) -> tuple[Any, Any]:
    """By a dx = db - da x, with the whole of da: the derivative is that of the equation, not of Cholesky's steps."""
    (a, b), (da, db) = primals, tangents
    x = _positive(a, b, lower)
    column = x[..., None] if b.ndim < a.ndim else x
    return x, _positive(a, db - matmul(da, column).reshape(x.shape), lower)


# ---- Sylvester's equation


@partial(jit, static_argnames=("method",))
def solve_sylvester(A: Any, B: Any, C: Any, *, method: str = "schur", tol: float = 1e-8) -> Any:
    """The X with A X + X B = C; NaN where an eigenvalue of A is within `tol` of the negative of one of B."""
    a, b, c = inexact(A, B, C)
    m, n = c.shape[-2:]
    if a.shape[-2:] != (m, m) or b.shape[-2:] != (n, n):
        raise ValueError(f"Incompatible shapes for Sylvester equation:\nA: {a.shape}\nB: {b.shape}\nC: {c.shape}")
    if method not in ("schur", "eigen"):
        raise ValueError(f'Unrecognized method {method}. The two valid methods are either "schur" or "eigen".')
    x = _sylvester_by_schur(a, b, c)
    sums = jnp_factoring.eigvals(a)[..., :, None] + jnp_factoring.eigvals(b)[..., None, :]
    singular = jnp_any(abs(sums) < tol, axis=(-2, -1), keepdims=True)
    return where(singular, np.nan, x if c.dtype.kind == "c" else x.real)


def _sylvester_by_schur(a: Any, b: Any, c: Any) -> Any:
    """With a = U R U^H and b^H = V S V^H: R Y + Y S^H = U^H c V, whose columns follow one by one from the last."""
    r, u = schur(a, output="complex")
    s, v = schur(conj(b.mT), output="complex")
    f, lower = matmul(matmul(conj(u.mT), c.astype(r.dtype)), v), conj(s.mT)
    columns: list[Any] = []
    for j in reversed(range(f.shape[-1])):
        known = sum((y * lower[..., k, j, None] for k, y in columns), start=0)
        shifted = r + lower[..., j, j, None, None] * eye(r.shape[-1], dtype=r.dtype)
        right = (f[..., j] - known)[..., None]
        columns.append((j, lax.triangular_solve(shifted, right, left_side=True)[..., 0]))
    y = stack([column for _, column in reversed(columns)], axis=-1)
    return matmul(matmul(u, y), conj(v.mT))
