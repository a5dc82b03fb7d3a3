"""Decompositions multiply back to what they were made from; failures are NaN; what does not fit is refused."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.scipy import linalg as sl

la = lax.linalg
some = settings(max_examples=25, deadline=None)
dtypes = st.sampled_from(["float32", "float64", "complex64", "complex128"])
sizes = st.integers(1, 5)
batches = st.sampled_from([(), (2,), (2, 3), (0,)])


@pytest.fixture(autouse=True, scope="module")
def x64() -> Any:
    with jax.enable_x64(True):
        yield


def draw(dtype: str, *shape: int) -> Any:
    rng = np.random.default_rng(sum(shape) + len(shape))
    x = rng.normal(size=shape)
    return jnp.asarray((x + 1j * rng.normal(size=shape) if dtype.startswith("c") else x).astype(dtype))


def hermitian(dtype: str, *shape: int) -> Any:
    x = draw(dtype, *shape)
    return (x + x.mT.conj()) / 2


def definite(dtype: str, *shape: int) -> Any:
    x = draw(dtype, *shape)
    return x @ x.mT.conj() + jnp.eye(shape[-1], dtype=dtype)


def close(got: Any, want: Any, tol: float = 2e-4) -> None:
    assert got.shape == want.shape and got.dtype == want.dtype
    np.testing.assert_allclose(np.asarray(got), np.asarray(want), rtol=tol, atol=tol)


def is_unitary(q: Any) -> None:
    k = q.shape[-1]
    close(q.mT.conj() @ q, jnp.broadcast_to(jnp.eye(k, dtype=q.dtype), (*q.shape[:-2], k, k)))


# ---- factorizations


@some
@given(dtypes, batches, sizes)
def test_cholesky_is_a_lower_triangle_whose_square_is_the_matrix(dtype: str, batch: Any, n: int) -> None:
    a = definite(dtype, *batch, n, n)
    lower = la.cholesky(a)
    close(lower @ lower.mT.conj(), a)
    close(lower, jnp.tril(lower), tol=0)


@some
@given(dtypes, batches, sizes, sizes)
def test_lu_multiplies_back_to_the_permuted_rows(dtype: str, batch: Any, m: int, n: int) -> None:
    a = draw(dtype, *batch, m, n)
    packed, pivots, order = la.lu(a)
    k = min(m, n)
    lower = jnp.tril(packed, -1)[..., :k] + jnp.eye(m, k, dtype=dtype)
    close(lower @ jnp.triu(packed)[..., :k, :], jnp.take_along_axis(a, order[..., None], axis=-2))
    assert (la.lu_pivots_to_permutation(pivots, m) == order).all()


@some
@given(dtypes, batches, sizes, sizes, st.booleans(), st.booleans())
def test_qr_multiplies_back(dtype: str, batch: Any, m: int, n: int, full: bool, pivoting: bool) -> None:
    a = draw(dtype, *batch, m, n)
    q, r, *order = la.qr(a, full_matrices=full, pivoting=pivoting)
    is_unitary(q)
    close(q @ r, jnp.take_along_axis(a, order[0][..., None, :], axis=-1) if pivoting else a)
    close(r, jnp.triu(r), tol=0)


@some
@given(dtypes, batches, sizes, st.booleans())
def test_eigh_diagonalizes_with_rising_eigenvalues(dtype: str, batch: Any, n: int, lower: bool) -> None:
    a = hermitian(dtype, *batch, n, n)
    v, w = la.eigh(a, lower=lower)
    is_unitary(v)
    close(a @ v, v * w[..., None, :].astype(v.dtype))
    assert w.dtype == jnp.finfo(dtype).dtype and (jnp.diff(w) >= 0).all()


@some
@given(dtypes, batches, sizes)
def test_eig_finds_left_and_right_eigenvectors(dtype: str, batch: Any, n: int) -> None:
    a = draw(dtype, *batch, n, n)
    w, left, right = la.eig(a)
    a = a.astype(w.dtype)
    close(a @ right, right * w[..., None, :], tol=1e-3)
    close(left.mT.conj() @ a, w[..., :, None] * left.mT.conj(), tol=1e-3)


@some
@given(dtypes, batches, sizes, sizes, st.booleans())
def test_svd_multiplies_back_with_falling_singular_values(dtype: str, batch: Any, m: int, n: int, full: bool) -> None:
    a = draw(dtype, *batch, m, n)
    u, s, vh = la.svd(a, full_matrices=full)
    is_unitary(u)
    is_unitary(vh.mT.conj())
    k = min(m, n)
    close(u[..., :k] * s[..., None, :].astype(u.dtype) @ vh[..., :k, :], a)
    assert (jnp.diff(s) <= 0).all() and (s >= 0).all()
    close(la.svd(a, compute_uv=False), s)


@some
@given(dtypes, batches, sizes)
def test_schur_and_hessenberg_are_unitary_changes_of_basis(dtype: str, batch: Any, n: int) -> None:
    a = draw(dtype, *batch, n, n)
    t, q = la.schur(a)
    is_unitary(q)
    close(q @ t @ q.mT.conj(), a)
    h, q = sl.hessenberg(a, calc_q=True)
    close(q @ h @ q.mT.conj(), a)
    close(h, jnp.triu(h, -1), tol=0)


@some
@given(dtypes, sizes, sizes, st.booleans(), st.booleans())
def test_ormqr_multiplies_by_the_q_of_geqrf(dtype: str, m: int, n: int, left: bool, transpose: bool) -> None:
    a, c = draw(dtype, m, n), draw(dtype, m, m)
    packed = jnp.linalg.qr(a, mode="raw")
    q, _ = la.qr(a)
    q = q.mT.conj() if transpose else q
    got = la.ormqr(packed.Q.mT, packed.R, c, left=left, transpose=transpose)
    close(got, q @ c if left else c @ q)


# ---- solutions


@some
@given(dtypes, batches, sizes, *[st.booleans()] * 5)
def test_triangular_solve_solves(
    dtype: str, batch: Any, n: int, left: bool, lower: bool, transpose: bool, conjugate: bool, unit: bool
) -> None:
    a, b = draw(dtype, *batch, n, n) / 4 + jnp.eye(n, dtype=dtype), draw(dtype, *batch, n, n)
    x = la.triangular_solve(
        a, b, left_side=left, lower=lower, transpose_a=transpose, conjugate_a=conjugate, unit_diagonal=unit
    )
    op = jnp.tril(a) if lower else jnp.triu(a)
    op = op * (1 - jnp.eye(n, dtype=dtype)) + jnp.eye(n, dtype=dtype) if unit else op
    op = op.mT if transpose else op
    op = op.conj() if conjugate else op
    close(op @ x if left else x @ op, b)


def test_triangular_solve_takes_a_vector() -> None:
    a, b = jnp.array([[2.0, 0.0], [1.0, 4.0]]), jnp.array([2.0, 9.0])
    assert la.triangular_solve(a, b, left_side=True, lower=True).tolist() == [1, 2]


@some
@given(dtypes, batches, sizes)
def test_tridiagonal_solve_does_not_read_outside_of_the_matrix(dtype: str, batch: Any, n: int) -> None:
    below, diagonal, above = (draw(dtype, *batch, n) for _ in range(3))
    diagonal = diagonal + 4
    below, above = below.at[..., 0].set(jnp.nan), above.at[..., -1].set(jnp.nan)
    x = la.tridiagonal_solve(below, diagonal, above, draw(dtype, *batch, n, 2))
    assert not jnp.isnan(x).any()
    y = diagonal[..., None] * x
    y = y.at[..., 1:, :].add(below[..., 1:, None] * x[..., :-1, :])
    close(y.at[..., :-1, :].add(above[..., :-1, None] * x[..., 1:, :]), draw(dtype, *batch, n, 2))


def test_cholesky_update_is_the_factor_of_the_sum() -> None:
    a, w = definite("float64", 4, 4), draw("float64", 4)
    r = la.cholesky_update(la.cholesky(a).T, w)
    close(r.T @ r, a + w[:, None] * w, tol=1e-10)


@some
@given(st.sampled_from(["schur", "eigen"]), dtypes, sizes, sizes)
def test_solve_sylvester_solves(method: str, dtype: str, m: int, n: int) -> None:
    a, b, c = definite(dtype, m, m), definite(dtype, n, n), draw(dtype, m, n)
    x = sl.solve_sylvester(a, b, c, method=method)
    close(a @ x + x @ b, c, tol=1e-3)


@some
@given(dtypes, sizes, st.sampled_from([0, 1, 2]))
def test_scipy_solvers_agree(dtype: str, n: int, trans: int) -> None:
    a, b = definite(dtype, n, n), draw(dtype, n, 2)
    op = [a, a.T, a.T.conj()][trans]
    close(op @ sl.lu_solve(sl.lu_factor(a), b, trans=trans), b)
    close(a @ sl.cho_solve(sl.cho_factor(a), b[:, 0]), b[:, 0])
    close(a @ sl.solve(a, b, assume_a="pos"), b)


# ---- functions of matrices


@some
@given(dtypes, sizes, st.sampled_from([0.1, 1.0, 5.0]))
def test_expm_of_a_sum_of_commuting_matrices_is_the_product(dtype: str, n: int, size: float) -> None:
    a = draw(dtype, n, n) * size / n
    whole, half = sl.expm(a), sl.expm(a / 2)
    close(half @ half / jnp.abs(whole).max(), whole / jnp.abs(whole).max(), tol=1e-3)
    close(sl.expm(-a) @ whole, jnp.eye(n, dtype=dtype), tol=2e-2 if "64" in dtype and dtype != "float64" else 1e-2)


@some
@given(dtypes, sizes)
def test_the_square_of_sqrtm_is_the_matrix(dtype: str, n: int) -> None:
    a = definite(dtype, n, n)
    root = sl.sqrtm(a)
    close(root @ root, a.astype(root.dtype), tol=1e-3)


@some
@given(dtypes, sizes, sizes)
def test_polar_factors_multiply_back(dtype: str, m: int, n: int) -> None:
    a = draw(dtype, m, n)
    u, p = sl.polar(a, side="right", method="svd")
    close(u @ p, a)
    close(p, p.mT.conj())


# ---- failures and refusals


def test_a_failure_is_nan_for_that_matrix_alone() -> None:
    a = jnp.stack([jnp.eye(2), -jnp.eye(2)])
    lower = la.cholesky(a)
    assert (lower[0] == jnp.eye(2)).all() and jnp.isnan(jnp.tril(lower[1])[jnp.tril_indices(2)]).all()
    assert jnp.isnan(la.eig(jnp.full((2, 2), jnp.nan))[0]).all()
    assert jnp.isnan(la.eigh(jnp.full((2, 2), jnp.nan))[1]).all()
    assert jnp.isinf(jnp.linalg.inv(jnp.zeros((1, 1)))).all()


def test_a_singular_matrix_has_an_lu_all_the_same() -> None:
    packed, _, _ = la.lu(jnp.array([[1.0, 2.0], [2.0, 4.0]]))
    assert packed.tolist() == [[2, 4], [0.5, 0]]


@pytest.mark.parametrize("name", ["cholesky", "lu", "qr", "eigh", "eig", "svd", "schur", "hessenberg", "tridiagonal"])
def test_half_precision_is_refused(name: str) -> None:
    with pytest.raises(NotImplementedError, match=r"Unsupported dtype bfloat16\."):
        getattr(la, name)(jnp.eye(2, dtype="bfloat16"))


def test_shapes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(TypeError, match=r"Input 0 to lu must have rank at least 2, but got shape=\(3,\)"):
        la.lu(jnp.ones(3))
    with pytest.raises(ValueError, match=r"The input to eig must be a square matrix. Got shape \(2, 3\)"):
        la.eig(jnp.ones((2, 3)))
    with pytest.raises(ValueError, match=r"Incompatible shapes for arguments to triangular_solve: \(3, 3\) and \(2,"):
        la.triangular_solve(jnp.eye(3), jnp.ones((2, 3)), left_side=True)
    with pytest.raises(TypeError, match="must have a rank of exactly 2"):
        la.cholesky_update(jnp.ones((2, 3, 3)), jnp.ones((2, 3)))
    with pytest.raises(TypeError, match="svd does not accept dtype int64 at position 0"):
        la.svd(jnp.eye(2, dtype=int))
    with pytest.raises(NotImplementedError, match="Jacobi and Polar"):
        la.svd(jnp.eye(2), algorithm=la.SvdAlgorithm.JACOBI)
