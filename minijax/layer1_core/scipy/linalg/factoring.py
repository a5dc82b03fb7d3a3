"""Factorizations of matrices, with SciPy's signatures. Arguments that only concern speed or checks are ignored."""

from functools import partial
from typing import Any

from ... import dtypes
from ...jit import jit
from ...jnp.array_creation import arange, array, asarray, eye, ones, zeros, zeros_like
from ...jnp.creation import diag, tril, triu
from ...jnp.joining import block, concatenate
from ...jnp.numbers import conj, real
from ...jnp.products import matmul
from ...jnp.promotion import promote_dtypes_inexact
from ...jnp.shaping import broadcast_shapes, broadcast_to
from ...lax import linalg as lax
from ...lax.dot import Precision


def inexact(*args: Any) -> list[Any]:
    """The arguments as arrays of one floating (or complex) dtype."""
    return promote_dtypes_inexact(*map(asarray, args))


# ---- triangles


def cholesky(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """The upper triangular R with R^H R = a; with `lower`, L with L L^H = a. One triangle of `a` is read."""
    return _cholesky(a, lower)


@partial(jit, static_argnames=("lower",))
def _cholesky(a: Any, lower: bool) -> Any:
    (a,) = inexact(a)
    factor = lax.cholesky(a if lower else conj(a.mT), symmetrize_input=False)
    return factor if lower else conj(factor.mT)


@partial(jit, static_argnames=("permute_l", "overwrite_a", "check_finite"))
def lu(a: Any, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Any, ...]:
    """(P, L, U) with P L U = a: a permutation, a lower triangle with diagonal 1, an upper triangle; or (P L, U)."""
    return _lu(a, permute_l)


@partial(jit, static_argnums=(1,))
def _lu(a: Any, permute_l: bool) -> tuple[Any, ...]:
    (a,) = inexact(a)
    packed, _, permutation = lax.lu(a)
    m, n = a.shape
    k = min(m, n)
    p = real(array(permutation[None, :] == arange(m, dtype=permutation.dtype)[:, None], dtype=a.dtype))
    lower = tril(packed, -1)[:, :k] + eye(m, k, dtype=a.dtype)
    upper = triu(packed)[:k, :]
    return (matmul(p, lower, precision=Precision.HIGHEST), upper) if permute_l else (p, lower, upper)


# ---- orthonormal columns


def qr(
    a: Any,
    overwrite_a: bool = False,
    lwork: Any = None,
    mode: str = "full",
    pivoting: bool = False,
    check_finite: bool = True,
) -> tuple[Any, ...]:
    """(Q, R) with Q R = a, or (Q, R, order) with Q R = a[:, order]. `mode` "r" leaves Q out."""
    return _qr(a, mode, pivoting)


@partial(jit, static_argnames=("mode", "pivoting"))
def _qr(a: Any, mode: str, pivoting: bool) -> tuple[Any, ...]:
    if mode not in ("full", "r", "economic"):
        raise ValueError(f"Unsupported QR decomposition mode '{mode}'")
    (a,) = inexact(a)
    parts = lax.qr(a, pivoting=pivoting, full_matrices=mode != "economic")
    return parts[1:] if mode == "r" else parts


def qr_multiply(
    a: Any,
    c: Any,
    mode: str = "right",
    pivoting: bool = False,
    conjugate: bool = False,
    overwrite_a: bool = False,
    overwrite_c: bool = False,
) -> tuple[Any, ...]:
    """(c Q, R), or (Q c, R) for `mode` "left", with Q R = a. Q itself is not made."""
    a, c = inexact(a, c)
    if mode not in ("right", "left"):
        raise ValueError(f"mode must be 'right' or 'left', got {mode!r}")
    if pivoting:
        raise NotImplementedError("qr_multiply(pivoting=True) is not implemented: use qr(pivoting=True) and a product.")
    vector = c.ndim == 1
    if vector:
        c = c[:, None] if mode == "left" else c[None, :]
    _check_factor_shape(a, c, mode)
    product, r = _qr_multiply(a, c, mode, conjugate)
    return product.ravel() if vector else product, r


def _check_factor_shape(a: Any, c: Any, mode: str) -> None:
    m, k = a.shape[-2], min(a.shape[-2:])
    if mode == "left" and c.shape[-2] != k:
        raise ValueError(
            f"Array shapes are not compatible for Q @ c operation: a has shape {a.shape} so Q has {k} columns, "
            f"but c has {c.shape[-2]} rows (expected {k})."
        )
    if mode == "right" and c.shape[-1] != m:
        raise ValueError(
            f"Array shapes are not compatible for c @ Q operation: a has shape {a.shape} so Q has {m} rows, "
            f"but c has {c.shape[-1]} columns (expected {m})."
        )


def _qr_multiply(a: Any, c: Any, mode: str, conjugate: bool) -> tuple[Any, Any]:
    """Q's Householder vectors applied to c; conj(Q) c is (c^T Q^H)^T."""
    batch = broadcast_shapes(a.shape[:-2], c.shape[:-2])
    a, c = (broadcast_to(x, batch + x.shape[-2:]) for x in (a, c))
    m, k = a.shape[-2], min(a.shape[-2:])
    packed, taus = lax.geqrf(a)
    if mode == "left" and m > k:
        c = concatenate([c, zeros((*c.shape[:-2], m - k, c.shape[-1]), c.dtype)], axis=-2)
    out = lax.ormqr(packed, taus, c.mT if conjugate else c, left=(mode == "left") != conjugate, transpose=conjugate)
    out = out.mT if conjugate else out
    return out[..., :k] if mode == "right" else out, triu(packed[..., :k, :])


# ---- spectra


def svd(
    a: Any,
    full_matrices: bool = True,
    compute_uv: bool = True,
    overwrite_a: bool = False,
    check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> Any:
    """(U, s, V^H) with U diag(s) V^H = a, or s alone without `compute_uv`."""
    return _svd(a, full_matrices=full_matrices, compute_uv=compute_uv)


@partial(jit, static_argnames=("full_matrices", "compute_uv"))
def _svd(a: Any, *, full_matrices: bool, compute_uv: bool) -> Any:
    (a,) = inexact(a)
    return lax.svd(a, full_matrices=full_matrices, compute_uv=compute_uv)


def eigh(
    a: Any,
    b: Any = None,
    lower: bool = True,
    eigvals_only: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    turbo: bool = True,
    eigvals: None = None,
    type: int = 1,
    check_finite: bool = True,
) -> Any:
    """(w, v): eigenvalues, rising, and eigenvectors as columns of a Hermitian matrix; or w alone."""
    return _eigh(a, b, lower, eigvals_only, eigvals, type)


@partial(jit, static_argnames=("lower", "eigvals_only", "eigvals", "type"))
def _eigh(a: Any, b: Any, lower: bool, eigvals_only: bool, eigvals: None, type: int) -> Any:
    if b is not None:
        raise NotImplementedError("Only the b=None case of eigh is implemented")
    if type != 1:
        raise NotImplementedError("Only the type=1 case of eigh is implemented.")
    if eigvals is not None:
        raise NotImplementedError("Only the eigvals=None case of eigh is implemented.")
    (a,) = inexact(a)
    v, w = lax.eigh(a, lower=lower)
    return w if eigvals_only else (w, v)


def eigh_tridiagonal(
    d: Any,
    e: Any,
    *,
    eigvals_only: bool = False,
    select: str = "a",
    select_range: tuple[int, int] | None = None,
    tol: float | None = None,
    key: Any = None,
) -> Any:
    """(w, v) of the Hermitian matrix with diagonal `d` and `e` below it; or w alone. `select` "i" takes a range."""
    d, e = asarray(d), asarray(e)
    if d.dtype != e.dtype:
        raise TypeError(f"diagonal and off-diagonal values must have same dtype, got {d.dtype} and {e.dtype}")
    if d.dtype not in ("float32", "float64", "complex64", "complex128"):
        raise TypeError(
            "Only float32 and float64 inputs are supported as inputs to jax.scipy.linalg.eigh_tridiagonal, "
            f"got {d.dtype} and {e.dtype}"
        )
    chosen = _selected(select, select_range)
    v, w = lax.eigh(diag(d) + diag(e, -1) + diag(conj(e), 1), symmetrize_input=False)
    return w[chosen] if eigvals_only else (w[chosen], v[:, chosen])


def _selected(select: str, select_range: tuple[int, int] | None) -> slice:
    if select == "a":
        return slice(None)
    if select == "v":
        raise NotImplementedError("eigh_tridiagonal(..., select='v') is not implemented")
    if select != "i":
        raise ValueError("'select must have a value in {'a', 'i', 'v'}.")
    if select_range is None:
        raise ValueError("for select='i', select_range must be specified.")
    if select_range[0] > select_range[1]:
        raise ValueError("Got empty index range in select_range.")
    return slice(select_range[0], select_range[1] + 1)


def schur(a: Any, output: str = "real") -> Any:
    """(T, Z) with Z T Z^H = a: T upper triangular, for `output` "real" with blocks of 2 on its diagonal; Z unitary."""
    if output not in ("real", "complex"):
        raise ValueError(f"Expected 'output' to be either 'real' or 'complex', got {output=}.")
    return _schur(a, output)


@partial(jit, static_argnames=("output",))
def _schur(a: Any, output: str) -> Any:
    a = asarray(a)
    return lax.schur(a.astype(dtypes.complex_dtype(a.dtype)) if output == "complex" else a)


@partial(jit, static_argnames=("calc_q", "check_finite", "overwrite_a"))
def hessenberg(a: Any, *, calc_q: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """H, with zeros below its first subdiagonal; with `calc_q` (H, Q), Q unitary and Q H Q^H = a."""
    a = asarray(a)
    n, batch = a.shape[-1], a.shape[:-2]
    if n == 0:
        return (zeros_like(a), zeros_like(a)) if calc_q else zeros_like(a)
    packed, taus = lax.hessenberg(a)
    h = triu(packed, -1)
    if not calc_q:
        return h
    q = lax.householder_product(packed[..., 1:, :-1], taus)
    one = ones((*batch, 1, 1), a.dtype)
    row, column = zeros((*batch, 1, n - 1), a.dtype), zeros((*batch, n - 1, 1), a.dtype)
    return h, block([[one, row], [column, q]])


@partial(jit, static_argnames=("side", "method"))
def polar(
    a: Any, side: str = "right", *, method: str = "qdwh", eps: float | None = None, max_iterations: int | None = None
) -> tuple[Any, Any]:
    """(U, P) with U P = a, or P U = a for `side` "left": U unitary, P positive semidefinite. By singular values."""
    (a,) = inexact(a)
    if a.ndim < 2:
        raise ValueError("The input `a` must be at least a 2-D array.")
    if side not in ("right", "left"):
        raise ValueError("The argument `side` must be either 'right' or 'left'.")
    if method not in ("qdwh", "svd"):
        raise ValueError(f"Unknown polar decomposition method {method}.")
    m, n = a.shape[-2:]
    if method == "qdwh" and (m >= n) != (side == "right"):
        raise NotImplementedError(
            "method='qdwh' only supports mxn matrices where m < n where side='right' and m >= n "
            f"side='left', got {a.shape} with {side=}"
        )
    u, s, vh = lax.svd(a, full_matrices=False)
    s = s.astype(u.dtype)[..., None, :]
    positive = matmul(conj(vh.mT) * s, vh) if side == "right" else matmul(u * s, conj(u.mT))
    return matmul(u, vh), positive
