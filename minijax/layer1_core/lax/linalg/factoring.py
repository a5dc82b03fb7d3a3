"""Factorizations into triangles and orthonormal columns: Cholesky, LU, QR."""

from typing import Any

import numpy as np

from ...aval import Shape
from ..elementwise import add
from ..families import floating
from .families import adjoint, linalg_primitive, lower_triangle, square_shape, symmetrize

# ---- Cholesky

cholesky_p = linalg_primitive("cholesky", (2,), square_shape("cholesky"))


def cholesky(x: Any, *, symmetrize_input: bool = True) -> Any:
    """The lower triangular L with L L^H = x, for Hermitian positive definite x; NaN for any other.

    With `symmetrize_input`, (x + x^H) / 2 is taken in place of x; else only its lower triangle is read.
    """
    return lower_triangle(cholesky_p.bind(symmetrize(x) if symmetrize_input else x))


def _cholesky_update_shape(r: Shape, w: Shape) -> Shape:
    if r[0] != r[1] or w[0] != r[1]:
        raise ValueError(
            "Rank-1 update to Cholesky decomposition takes a square matrix and a vector of the same size as input. "
            f"Got shapes {r} and {w} instead"
        )
    return r


cholesky_update_p = linalg_primitive(
    "cholesky_update", (2, 1), _cholesky_update_shape, accepted=floating, batched=False
)


def cholesky_update(r_matrix: Any, w_vector: Any) -> Any:
    """The upper triangular R' with R'^T R' = R^T R + w w^T."""
    return cholesky_update_p.bind(r_matrix, w_vector)


def _symmetric_product_shape(a: Shape, c: Shape, **params: Any) -> Shape:
    if a[0] != c[1] or c[0] != c[1]:
        raise ValueError(
            "symmetric_update expects a rectangular matrix of shape (m, n) and a square matrix of shape (n, n). "
            f"Got shapes {a} and {c}."
        )
    return c


symmetric_product_p = linalg_primitive("symmetric_product", (2, 2), _symmetric_product_shape, accepted=floating)


def symmetric_product(
    a_matrix: Any, c_matrix: Any, *, alpha: float = 1.0, beta: float = 0.0, symmetrize_output: bool = False
) -> Any:
    """alpha a a^T + beta c; with `symmetrize_output` made exactly symmetric from its lower triangle."""
    out = symmetric_product_p.bind(a_matrix, c_matrix, alpha=alpha, beta=beta)
    if not symmetrize_output:
        return out
    above = adjoint(lower_triangle(out, -1))
    return add(lower_triangle(out), above)


# ---- LU


def _lu_shape(shape: Shape) -> tuple[Shape, Shape, Shape]:
    m, n = shape
    return shape, (min(m, n),), (m,)


lu_p = linalg_primitive("lu", (2,), _lu_shape, lambda dtype: (dtype, np.int32, np.int32), multiple_results=True)


def lu(x: Any) -> Any:
    """(lu, pivots, permutation) with x[permutation] = L U, by elimination with row exchanges.

    L, whose diagonal is 1, is the part of `lu` below the diagonal, and U the rest. pivots[i] is the row that row i
    was exchanged with at step i.
    """
    return lu_p.bind(x)


def _permutation_shape(shape: Shape, *, permutation_size: int) -> Shape:
    if permutation_size < shape[0]:
        raise ValueError(
            f"Output permutation size {permutation_size} has to exceed the trailing dimension of the pivots. "
            f"Got pivots size {shape[0]}"
        )
    return (permutation_size,)


lu_pivots_to_permutation_p = linalg_primitive(
    "lu_pivots_to_permutation", (1,), _permutation_shape, accepted=(np.int32,)
)


def lu_pivots_to_permutation(pivots: Any, permutation_size: int) -> Any:
    """The order in which exchanging row i with row pivots[i], for i = 0, 1, ..., leaves the rows."""
    return lu_pivots_to_permutation_p.bind(pivots, permutation_size=permutation_size)


# ---- QR


def _qr_shape(shape: Shape, *, pivoting: bool, full_matrices: bool, use_magma: Any) -> tuple[Shape, ...]:
    m, n = shape
    k = m if full_matrices else min(m, n)
    return ((m, k), (k, n), (n,))[: 3 if pivoting else 2]


def _qr_dtypes(dtype: np.dtype, *, pivoting: bool, **params: Any) -> tuple[Any, ...]:
    return (dtype, dtype, np.int32)[: 3 if pivoting else 2]


qr_p = linalg_primitive("qr", (2,), _qr_shape, _qr_dtypes, multiple_results=True)


def qr(x: Any, *, pivoting: bool = False, full_matrices: bool = True, use_magma: bool | None = None) -> Any:
    """(q, r), q with orthonormal columns and r upper triangular: q r = x. With `full_matrices` q is square.

    With `pivoting`, (q, r, p) with q r = x[:, p] and the diagonal of r falling in modulus.
    """
    return tuple(qr_p.bind(x, pivoting=pivoting, full_matrices=full_matrices, use_magma=use_magma))


geqrf_p = linalg_primitive("geqrf", (2,), lambda shape: (shape, (min(shape),)), multiple_results=True)


def geqrf(a: Any) -> tuple[Any, Any]:
    """(a, taus): R in the upper triangle, and Q as Householder vectors below it and their factors."""
    packed, taus = geqrf_p.bind(a)
    return packed, taus


def _householder_product_shape(a: Shape, taus: Shape) -> Shape:
    if a[0] < a[1]:
        raise ValueError(
            f"The first argument to householder_product must have at least as many rows as columns, got shape {a}"
        )
    if taus[0] > min(a):
        raise ValueError(
            "The second argument to householder_product must not have more rows than the minimum of the first "
            "argument's rows and columns."
        )
    return a


householder_product_p = linalg_primitive("householder_product", (2, 1), _householder_product_shape)


def householder_product(a: Any, taus: Any) -> Any:
    """The first columns of the product of (1 - tau v v^H) over the Householder vectors v in the columns of `a`."""
    return householder_product_p.bind(a, taus)


def _ormqr_shape(a: Shape, taus: Shape, c: Shape, *, left: bool, transpose: bool) -> Shape:
    if c[0 if left else 1] != a[0]:
        what, rows = ("rows", "") if left else ("columns", " has rows")
        raise ValueError(
            f"ormqr with left={left} expects c to have the same number of {what} as the Householder matrix a{rows}. "
            f"Got a shape {a} and c shape {c}."
        )
    return c


ormqr_p = linalg_primitive("ormqr", (2, 1, 2), _ormqr_shape)


def ormqr(a: Any, taus: Any, c: Any, *, left: bool = True, transpose: bool = False) -> Any:
    """Q c, or c Q where not `left`; with `transpose` Q^H in Q's place. Q is given as `geqrf` does."""
    return ormqr_p.bind(a, taus, c, left=left, transpose=transpose)
