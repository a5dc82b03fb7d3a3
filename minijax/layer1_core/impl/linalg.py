"""What the decompositions compute, through SciPy's LAPACK: the same routines that JAX calls on the CPU.

A rule is written for one matrix and taken to stacks of them by `for_stacks`. Where LAPACK reports a failure
(a matrix that is not positive definite, an iteration that does not converge), the results are all NaN.
"""

import math
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from ..lazy import scipy_blas, scipy_lapack

Results = tuple[np.ndarray, ...]

# ---- calling LAPACK

_LETTER = {np.dtype("f4"): "s", np.dtype("f8"): "d", np.dtype("c8"): "c", np.dtype("c16"): "z"}
_COMPLEX_NAME = {"orgqr": "ungqr", "ormqr": "unmqr", "syevd": "heevd", "sytrd": "hetrd"}


def lapack(name: str, dtype: np.dtype) -> Callable[..., Any]:
    """The LAPACK routine of this name for arrays of `dtype`. Raises NotImplementedError for half precision."""
    if dtype not in _LETTER:
        raise NotImplementedError(KeyError(dtype.type), f"Unsupported dtype {dtype}.")
    if dtype.kind == "c":
        name = _COMPLEX_NAME.get(name, name)
    return getattr(scipy_lapack, _LETTER[dtype] + name)


def for_stacks(*ranks: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The rule for operands with leading batch axes, from a function of one operand of each of these ranks.

    An empty stack is computed too, once and for zeros, to learn the shapes and dtypes of the results.
    """

    def decorate(one: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(one)
        def rule(*operands: np.ndarray, **params: Any) -> Any:
            batch = operands[0].shape[: operands[0].ndim - ranks[0]]
            if not batch:
                return one(*operands, **params)
            count = math.prod(batch)
            flat = [x.reshape(count, *x.shape[len(batch) :]) for x in operands]
            if count == 0:
                flat = [np.zeros((1, *x.shape[1:]), x.dtype) for x in flat]
            results = [one(*matrices, **params) for matrices in zip(*flat, strict=True)]
            if not isinstance(results[0], tuple):
                return _stacked(results, batch)
            return [_stacked(parts, batch) for parts in zip(*results, strict=True)]

        return rule

    return decorate


def _stacked(parts: Any, batch: tuple[int, ...]) -> np.ndarray:
    count = math.prod(batch)
    return np.stack(parts)[:count].reshape(*batch, *parts[0].shape)


def unless_failed(info: int, *results: np.ndarray) -> Results:
    """The results, or NaN in their place where LAPACK's `info` is not 0."""
    return (
        results
        if info == 0
        else tuple(np.full_like(x, complex(np.nan, np.nan) if x.dtype.kind == "c" else np.nan) for x in results)
    )


def made_finite(a: np.ndarray) -> tuple[np.ndarray, bool]:
    """`a`, or zeros where it is not finite, and whether that was so: of NaN, gebal complains on standard output."""
    not_finite = not np.isfinite(a).all()
    return (np.zeros_like(a) if not_finite else a), not_finite


# ---- Cholesky


@for_stacks(2)
def cholesky(a: np.ndarray) -> np.ndarray:
    """L, lower triangular, with L L^H = a; only a's lower triangle is read."""
    if a.size == 0:
        return a
    factor, info = lapack("potrf", a.dtype)(a, lower=1, clean=1)
    return unless_failed(info, factor)[0]


def cholesky_update(r: np.ndarray, w: np.ndarray) -> np.ndarray:
    """The upper triangular R' with R'^T R' = R^T R + w w^T: one rotation a row takes w into R."""
    r = r.copy()
    for k in range(len(w)):
        length = np.hypot(r[k, k], w[k])
        c, s = (r[k, k] / length, w[k] / length) if w[k] else (r.dtype.type(1), r.dtype.type(0))
        r[k], w = c * r[k] + s * w, c * w - s * r[k]
    return r


# ---- LU


@for_stacks(2)
def lu(a: np.ndarray) -> Results:
    """L and U in one matrix, the row that each row was swapped with, and the permutation that this makes."""
    factors, pivots = a, np.zeros(0, np.int32)
    if a.size:
        factors, pivots, info = lapack("getrf", a.dtype)(a)
        (factors,) = unless_failed(min(info, 0), factors)  # info > 0: U is singular, which is no failure
    pivots = pivots.astype(np.int32)
    return factors, pivots, lu_pivots_to_permutation(pivots, permutation_size=len(a))


def lu_pivots_to_permutation(pivots: np.ndarray, *, permutation_size: int) -> np.ndarray:
    """The order of the rows after swapping row i with row pivots[i], for i = 0, 1, 2, ..."""
    rows = pivots.reshape(math.prod(pivots.shape[:-1]), pivots.shape[-1]).tolist()
    orders = [[*range(permutation_size)] for _ in rows]
    for row, order in zip(rows, orders, strict=True):
        for i, j in enumerate(row):
            order[i], order[j] = order[j], order[i]
    return np.array(orders, np.int32).reshape(*pivots.shape[:-1], permutation_size)


# ---- QR


@for_stacks(2)
def geqrf(a: np.ndarray) -> Results:
    """R in the upper triangle, Q as Householder vectors below it and their factors apart."""
    if a.size == 0:
        return a, np.zeros(min(a.shape), a.dtype)
    packed, taus, _, _ = lapack("geqrf", a.dtype)(a)
    return packed, taus


@for_stacks(2, 1)
def householder_product(a: np.ndarray, taus: np.ndarray) -> np.ndarray:
    """The first columns of Q, from its Householder vectors and their factors."""
    if a.size == 0 or taus.size == 0:
        return np.eye(*a.shape, dtype=a.dtype)
    return lapack("orgqr", a.dtype)(a, taus)[0]


@for_stacks(2, 1, 2)
def ormqr(a: np.ndarray, taus: np.ndarray, c: np.ndarray, *, left: bool, transpose: bool) -> np.ndarray:
    """Q c (or c Q where not `left`), or with Q^H in place of Q, from Q's Householder vectors."""
    if c.size == 0 or taus.size == 0:
        return c
    adjoint = "C" if a.dtype.kind == "c" else "T"
    side, trans = "L" if left else "R", adjoint if transpose else "N"
    workspace = max(1, 64 * max(c.shape))
    return lapack("ormqr", a.dtype)(side, trans, a[:, : len(taus)], taus, c, workspace)[0]


@for_stacks(2)
def qr(a: np.ndarray, *, pivoting: bool, full_matrices: bool, use_magma: bool | None) -> Results:
    """Q with orthonormal columns and R upper triangular, Q R = a; with `pivoting`, = a[:, order], and the order."""
    m, n = a.shape
    k = m if full_matrices else min(m, n)
    order: Results = ()
    if pivoting and a.size:
        packed, pivots, taus, _, _ = lapack("geqp3", a.dtype)(a)
        order = ((pivots - 1).astype(np.int32),)
    else:
        packed, taus = geqrf(a)
        order = (np.zeros(n, np.int32),) if pivoting else ()
    vectors = np.zeros((m, k), a.dtype)
    vectors[:, : min(n, k)] = packed[:, : min(n, k)]
    return householder_product(vectors, taus), np.triu(packed[:k]), *order


# ---- eigenvalues


@for_stacks(2)
def eigh(a: np.ndarray, *, lower: bool, sort_eigenvalues: bool, subset_by_index: Any, algorithm: Any) -> Results:
    """Eigenvectors (as columns) and eigenvalues, rising, of a Hermitian matrix, of which one triangle is read."""
    if subset_by_index not in (None, (0, len(a))):
        raise NotImplementedError("subset_by_index not supported on CPU and GPU")
    if algorithm is not None and algorithm.value != "qr":
        raise NotImplementedError(f"{algorithm.name} implementation is not supported on CPU")
    if a.size == 0:
        return a, np.zeros(0, np.real(a).dtype)
    w, v, info = lapack("syevd", a.dtype)(a, compute_v=1, lower=int(lower))
    return unless_failed(info, v, w)


@for_stacks(2)
def eig(
    a: np.ndarray,
    *,
    compute_left_eigenvectors: bool,
    compute_right_eigenvectors: bool,
    enable_eigvec_derivs: bool,
    implementation: Any,
) -> Results:
    """Eigenvalues and, where asked for, left and right eigenvectors (as columns); always complex."""
    dtype = np.result_type(a, np.complex64)
    wanted = compute_left_eigenvectors, compute_right_eigenvectors
    if a.size == 0:
        return np.zeros(0, dtype), *(np.zeros((0, 0), dtype) for want in wanted if want)
    a, not_finite = made_finite(a)
    *w, left, right, info = lapack("geev", a.dtype)(a, *map(int, wanted))
    values = w[0] + 1j * w[1] if len(w) == 2 else w[0]
    vectors = [_complex_vectors(v, values) for v, want in zip((left, right), wanted, strict=True) if want]
    return unless_failed(info or not_finite, *(x.astype(dtype) for x in (values, *vectors)))


def _complex_vectors(packed: np.ndarray, values: np.ndarray) -> np.ndarray:
    """LAPACK keeps the two vectors of a conjugate pair, x + iy and x - iy, as the real columns x, y."""
    if packed.dtype.kind == "c":
        return packed
    vectors = packed.astype(np.result_type(packed, np.complex64))
    first = np.flatnonzero(np.imag(values) > 0)
    vectors[:, first] = packed[:, first] + 1j * packed[:, first + 1]
    vectors[:, first + 1] = vectors[:, first].conj()
    return vectors


@for_stacks(2)
def schur(a: np.ndarray, *, compute_schur_vectors: bool, sort_eig_vals: bool, select_callable: Any) -> Results:
    """T, triangular (for a real matrix with blocks of 2 on its diagonal), and the unitary Q: Q T Q^H = a."""
    if sort_eig_vals:
        raise NotImplementedError("The sort feature of LAPACK's gees routine is not implemented.")
    if a.size == 0:
        return (a, a)[: 1 + compute_schur_vectors]
    a, not_finite = made_finite(a)
    form, *_, vectors, _, info = lapack("gees", a.dtype)(lambda *_: None, a, compute_v=int(compute_schur_vectors))
    return unless_failed(info or not_finite, form, vectors)[: 1 + compute_schur_vectors]


@for_stacks(2)
def hessenberg(a: np.ndarray) -> Results:
    """The upper Hessenberg form, with the Householder vectors below it, and their factors."""
    if len(a) < 2:
        return a, np.zeros(max(len(a) - 1, 0), a.dtype)
    packed, taus, info = lapack("gehrd", a.dtype)(a)
    return unless_failed(info, packed, taus)


@for_stacks(2)
def tridiagonal(a: np.ndarray, *, lower: bool) -> Results:
    """The tridiagonal form with the Householder vectors outside it; its diagonal and off-diagonal; the factors."""
    packed, diagonal, beside, taus, info = lapack("sytrd", a.dtype)(a, lower=int(lower))
    return unless_failed(info, packed, diagonal, beside, taus)


# ---- singular values


@for_stacks(2)
def svd(a: np.ndarray, *, full_matrices: bool, compute_uv: bool, subset_by_index: Any, algorithm: Any) -> Results:
    """The singular values, falling, and (with `compute_uv`) U and V^H: U diag(s) V^H = a."""
    if subset_by_index not in (None, (0, min(a.shape))):
        raise NotImplementedError("subset_by_index not implemented for CPU and GPU")
    routine = svd_routine(algorithm)
    if a.size == 0:
        m, n = a.shape if full_matrices else (0, 0)
        u, vh = np.eye(a.shape[0], m, dtype=a.dtype), np.eye(n, a.shape[1], dtype=a.dtype)
        s = np.zeros(0, np.real(a).dtype)
        return (s, u, vh) if compute_uv else (s,)
    u, s, vh, info = lapack(routine, a.dtype)(a, compute_uv=int(compute_uv), full_matrices=int(full_matrices))
    return unless_failed(info, s, u, vh)[: 3 if compute_uv else 1]


def svd_routine(algorithm: Any) -> str:
    """LAPACK's routine for an SvdAlgorithm: divide and conquer, unless QR iteration is asked for."""
    name = "DEFAULT" if algorithm is None else algorithm.name
    if name in ("JACOBI", "POLAR"):
        raise NotImplementedError("The SVD Jacobi and Polar algorithms are not implemented on CPU.")
    return "gesvd" if name == "QR" else "gesdd"


# ---- products and solutions


def symmetric_product(a: np.ndarray, c: np.ndarray, *, alpha: float, beta: float) -> np.ndarray:
    """alpha a a^T + beta c."""
    number = a.dtype.type
    return number(alpha) * (a @ np.swapaxes(a, -1, -2)) + number(beta) * c


@for_stacks(2, 2)
def triangular_solve(
    a: np.ndarray,
    b: np.ndarray,
    *,
    left_side: bool,
    lower: bool,
    transpose_a: bool,
    conjugate_a: bool,
    unit_diagonal: bool,
) -> np.ndarray:
    """x with op(a) x = b, or x op(a) = b where not `left_side`; of a only one triangle is read.

    op transposes and conjugates as the params say; BLAS has no conjugate alone, and no half precision. It gets the
    transposes, which lie in its order, column after column: x^T op(a)^T = b^T.
    """
    if b.size == 0:
        return b
    letter = _LETTER.get(b.dtype, "s")
    a = a.conj() if conjugate_a and not transpose_a else a
    op = (2 if conjugate_a else 1) if transpose_a else 0
    trsm = getattr(scipy_blas, letter + "trsm")
    x = trsm(1, a.T, b.T, side=int(left_side), lower=int(not lower), trans_a=op, diag=int(unit_diagonal))
    return x.T.astype(b.dtype, copy=False)


@for_stacks(1, 1, 1, 2)
def tridiagonal_solve(
    below: np.ndarray, diagonal: np.ndarray, above: np.ndarray, b: np.ndarray, *, perturb_singular: bool
) -> np.ndarray:
    """x with T x = b, from T's three diagonals; below[0] and above[-1] lie outside T and are not read."""
    if b.size == 0:
        return b
    if len(b) == 1:
        return np.where(diagonal == 0, b.dtype.type(np.nan), b / diagonal)
    *_, x, info = lapack("gtsv", b.dtype)(below[1:], diagonal, above[:-1], b)
    return unless_failed(info, x)[0]
