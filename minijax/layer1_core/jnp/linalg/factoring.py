"""Factorizations of matrices: triangles, orthonormal bases, eigenvectors, singular vectors. Each is a primitive."""

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...jit import jit
from ...lax import linalg as lax
from ...lax.elementwise import abs as lax_abs, conj, sign
from ...lax.indexing import rev
from ...lax.shaping import broadcasted_iota
from ...lax.sorting import sort
from ..arguments import array_argument
from ..promotion import promote_dtypes_inexact
from ..shaping import matrix_transpose
from ..taking import take_along_axis


class EighResult(NamedTuple):
    """Eigenvalues in ascending order, and the eigenvectors as columns."""

    eigenvalues: Any
    eigenvectors: Any


class EigResult(NamedTuple):
    """Eigenvalues, and the eigenvectors as columns; both complex."""

    eigenvalues: Any
    eigenvectors: Any


class QRResult(NamedTuple):
    """A = Q R: orthonormal columns and an upper triangle."""

    Q: Any
    R: Any


class SVDResult(NamedTuple):
    """A = U diag(S) Vh: orthonormal columns, singular values in descending order, orthonormal rows."""

    U: Any
    S: Any
    Vh: Any


def inexact(name: str, x: Any) -> Any:
    """The one array argument of jnp.linalg.NAME in floating point."""
    return promote_dtypes_inexact(array_argument(f"jnp.linalg.{name}", x))[0]


def adjoint(x: Any) -> Any:
    """The conjugate transpose of each matrix."""
    x = matrix_transpose(x)
    return conj(x) if x.dtype.kind == "c" else x


# ---- factorizations


@partial(jit, static_argnames=("upper", "symmetrize_input"))
def cholesky(a: Any, *, upper: bool = False, symmetrize_input: bool = True) -> Any:
    """The lower triangle L with L L^H = a for positive definite `a` (NaN for others); L^H with `upper`."""
    factor = lax.cholesky(inexact("cholesky", a), symmetrize_input=symmetrize_input)
    return adjoint(factor) if upper else factor


@partial(jit, static_argnames=("mode",))
def qr(a: Any, mode: str = "reduced") -> Any:
    """QRResult(Q, R). `mode` "complete" gives a square Q, "r" only R, "raw" the Householder vectors and factors."""
    a = inexact("qr", a)
    if mode == "raw":
        vectors, factors = lax.geqrf(a)
        return QRResult(matrix_transpose(vectors), factors)
    if mode not in ("reduced", "r", "full", "complete"):
        raise ValueError(f"Unsupported QR decomposition mode '{mode}'")
    q, r = lax.qr(a, pivoting=False, full_matrices=mode == "complete")
    return r if mode == "r" else QRResult(q, r)


@partial(jit, static_argnames=("full_matrices", "compute_uv", "hermitian", "subset_by_index"))
def svd(
    a: Any,
    full_matrices: bool = True,
    compute_uv: bool = True,
    hermitian: bool = False,
    subset_by_index: tuple[int, int] | None = None,
) -> Any:
    """SVDResult(U, S, Vh), or S alone without `compute_uv`. A `hermitian` matrix is taken apart by its eigenvectors."""
    a = inexact("svd", a)
    if hermitian:
        return _svd_hermitian(a, compute_uv)
    parts = lax.svd(a, full_matrices=full_matrices, compute_uv=compute_uv, subset_by_index=subset_by_index)
    return SVDResult(*parts) if compute_uv else parts


def _svd_hermitian(a: Any, compute_uv: bool) -> Any:
    vectors, values = lax.eigh(a)
    s, last = lax_abs(values), values.ndim - 1
    if not compute_uv:
        return rev(sort(s, dimension=-1), dimensions=[last])
    signs = sign(values)
    places = broadcasted_iota(np.uint32, s.shape, last)
    s, places, signs = (rev(x, dimensions=[last]) for x in sort((s, places, signs), dimension=-1, num_keys=1))
    u = take_along_axis(vectors, places[..., None, :], axis=-1)
    return SVDResult(u, s, adjoint(u * signs[..., None, :].astype(u.dtype)))


def svdvals(x: Any, /) -> Any:
    """The singular values, in descending order."""
    return svd(array_argument("jnp.linalg.svdvals", x), compute_uv=False, hermitian=False)


def eig(a: Any) -> EigResult:
    """EigResult(eigenvalues, eigenvectors) of a general square matrix."""
    return EigResult(*lax.eig(inexact("eig", a), compute_left_eigenvectors=False))


@jit
def eigvals(a: Any) -> Any:
    """The eigenvalues of a general square matrix, complex and in no order."""
    a = inexact("eigvals", a)
    return lax.eig(a, compute_left_eigenvectors=False, compute_right_eigenvectors=False)[0]


@partial(jit, static_argnames=("UPLO", "symmetrize_input"))
def eigh(a: Any, UPLO: str | None = None, symmetrize_input: bool = True) -> EighResult:
    """EighResult(eigenvalues, eigenvectors) of a Hermitian matrix, of which one triangle is read: "L" or "U"."""
    a = array_argument("jnp.linalg.eigh", a)
    if UPLO not in (None, "L", "U"):
        raise ValueError(f"UPLO must be one of None, 'L', or 'U', got {UPLO}")
    (a,) = promote_dtypes_inexact(a)
    vectors, values = lax.eigh(a, lower=UPLO != "U", symmetrize_input=symmetrize_input)
    return EighResult(values, vectors)


@partial(jit, static_argnames=("UPLO", "symmetrize_input"))
def eigvalsh(a: Any, UPLO: str | None = "L", *, symmetrize_input: bool = True) -> Any:
    """The eigenvalues of a Hermitian matrix, in ascending order."""
    return eigh(inexact("eigvalsh", a), UPLO, symmetrize_input=symmetrize_input).eigenvalues
