"""Eigenvalues, singular values, and the forms of a matrix on the way to them."""

import enum
from typing import Any

import numpy as np

from ... import dtypes
from ...aval import Shape
from .families import linalg_primitive, square_shape, symmetrize

# ---- eigenvalues


class EigImplementation(enum.Enum):
    """Who finds eigenvalues of a general matrix. Here there is LAPACK only."""

    CUSOLVER = "cusolver"
    MAGMA = "magma"
    LAPACK = "lapack"


class EighImplementation(enum.Enum):
    """How eigenvalues of a Hermitian matrix are found. Here there is QR only."""

    QR = "qr"
    JACOBI = "jacobi"
    QDWH = "qdwh"


def _eig_shape(shape: Shape, *, compute_left_eigenvectors: bool, compute_right_eigenvectors: bool, **_: Any) -> Any:
    square_shape("eig")(shape)
    return (shape[:1], *[shape] * (compute_left_eigenvectors + compute_right_eigenvectors))


def _eig_dtypes(dtype: np.dtype, *, compute_left_eigenvectors: bool, compute_right_eigenvectors: bool, **_: Any) -> Any:
    return [dtypes.complex_dtype(dtype)] * (1 + compute_left_eigenvectors + compute_right_eigenvectors)


eig_p = linalg_primitive("eig", (2,), _eig_shape, _eig_dtypes, multiple_results=True)


def eig(
    x: Any,
    *,
    compute_left_eigenvectors: bool = True,
    compute_right_eigenvectors: bool = True,
    enable_eigvec_derivs: bool = False,
    implementation: EigImplementation | None = None,
) -> Any:
    """[w, vl, vr]: eigenvalues of a square matrix, left and right eigenvectors as columns; all complex."""
    return eig_p.bind(
        x,
        compute_left_eigenvectors=compute_left_eigenvectors,
        compute_right_eigenvectors=compute_right_eigenvectors,
        enable_eigvec_derivs=enable_eigvec_derivs,
        implementation=implementation,
    )


def _eigh_shape(shape: Shape, *, subset_by_index: tuple[int, int] | None, **params: Any) -> tuple[Shape, Shape]:
    if shape[0] != shape[1]:
        raise ValueError(f"Argument to symmetric eigendecomposition must have shape [..., n, n], got shape {shape}")
    start, end = subset_by_index or (0, shape[0])
    return (shape[0], end - start), (end - start,)


eigh_p = linalg_primitive(
    "eigh", (2,), _eigh_shape, lambda dtype, **_: (dtype, dtypes.real_dtype(dtype)), multiple_results=True
)


def eigh(
    x: Any,
    *,
    lower: bool = True,
    symmetrize_input: bool = True,
    sort_eigenvalues: bool = True,
    subset_by_index: tuple[int, int] | None = None,
    implementation: EighImplementation | None = None,
) -> tuple[Any, Any]:
    """(v, w): orthonormal eigenvectors as columns, and eigenvalues, rising, of a Hermitian matrix.

    With `symmetrize_input`, (x + x^H) / 2 is taken in place of x; else only one triangle of it is read.
    """
    v, w = eigh_p.bind(
        symmetrize(x) if symmetrize_input else x,
        lower=lower,
        sort_eigenvalues=sort_eigenvalues,
        subset_by_index=subset_by_index,
        algorithm=implementation,
    )
    return v, w


def _schur_shape(shape: Shape, *, compute_schur_vectors: bool, **params: Any) -> list[Shape]:
    return [square_shape("schur")(shape)] * (1 + compute_schur_vectors)


schur_p = linalg_primitive("schur", (2,), _schur_shape, multiple_results=True)


def schur(
    x: Any, *, compute_schur_vectors: bool = True, sort_eig_vals: bool = False, select_callable: Any = None
) -> Any:
    """[t, q] with q t q^H = x: t upper triangular (for real x with blocks of 2 on its diagonal), q unitary."""
    return schur_p.bind(
        x,
        compute_schur_vectors=compute_schur_vectors,
        sort_eig_vals=sort_eig_vals,
        select_callable=select_callable,
    )


def _hessenberg_shape(shape: Shape) -> tuple[Shape, Shape]:
    if shape[0] != shape[1]:
        raise ValueError(f"Argument to Hessenberg reduction must have shape [..., n, n], got shape {shape}")
    return shape, (shape[1] - 1,)


hessenberg_p = linalg_primitive("hessenberg", (2,), _hessenberg_shape, multiple_results=True)


def hessenberg(a: Any) -> Any:
    """[h, taus]: the upper Hessenberg form, the Householder vectors that led to it below, and their factors."""
    return hessenberg_p.bind(a)


def _tridiagonal_shape(shape: Shape, **params: Any) -> tuple[Shape, ...]:
    if shape[0] != shape[1] or shape[1] == 0:
        raise ValueError(f"The input to tridiagonal must be a square matrix. Got shape {shape}.")
    n = shape[0]
    return shape, (n,), (n - 1,), (n - 1,)


def _tridiagonal_dtypes(dtype: np.dtype, **params: Any) -> tuple[np.dtype, ...]:
    real = dtypes.real_dtype(dtype)
    return dtype, real, real, dtype


tridiagonal_p = linalg_primitive("tridiagonal", (2,), _tridiagonal_shape, _tridiagonal_dtypes, multiple_results=True)


def tridiagonal(a: Any, *, lower: bool = True) -> Any:
    """[a, d, e, taus]: a Hermitian matrix in tridiagonal form, its diagonal, its off-diagonal, Householder factors."""
    return tridiagonal_p.bind(a, lower=lower)


# ---- singular values


class SvdAlgorithm(enum.Enum):
    """How singular values are found. Here there are QR and DIVIDE_AND_CONQUER, which is the DEFAULT."""

    DEFAULT = "default"
    QR = "QR"
    JACOBI = "Jacobi"
    POLAR = "polar"
    DIVIDE_AND_CONQUER = "divide_and_conquer"


def _svd_shape(
    shape: Shape, *, full_matrices: bool, compute_uv: bool, subset_by_index: tuple[int, int] | None, **params: Any
) -> tuple[Shape, ...]:
    m, n = shape
    rank = min(m, n)
    if subset_by_index is not None:
        if full_matrices and subset_by_index != (0, rank):
            raise ValueError("full_matrices and subset_by_index cannot both be set")
        rank = min(rank, subset_by_index[1] - subset_by_index[0])
    u, vh = (m, m if full_matrices else rank), (n if full_matrices else rank, n)
    return ((rank,), u, vh)[: 3 if compute_uv else 1]


def _svd_dtypes(dtype: np.dtype, *, compute_uv: bool, **params: Any) -> tuple[np.dtype, ...]:
    return (dtypes.real_dtype(dtype), dtype, dtype)[: 3 if compute_uv else 1]


svd_p = linalg_primitive("svd", (2,), _svd_shape, _svd_dtypes, multiple_results=True)


def svd(
    x: Any,
    *,
    full_matrices: bool = True,
    compute_uv: bool = True,
    subset_by_index: tuple[int, int] | None = None,
    algorithm: SvdAlgorithm | None = None,
) -> Any:
    """(u, s, vh) with u diag(s) vh = x, s falling; or s alone without `compute_uv`."""
    s, *uv = svd_p.bind(
        x, full_matrices=full_matrices, compute_uv=compute_uv, subset_by_index=subset_by_index, algorithm=algorithm
    )
    return (uv[0], s, uv[1]) if compute_uv else s
