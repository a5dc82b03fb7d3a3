"""Linear algebra: results have their defining properties, agree with NumPy, and shapes are refused in JAX's words."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import minijax as jax
import minijax.numpy as jnp

linalg = jnp.linalg
some = settings(max_examples=15, deadline=None)
sizes = st.integers(1, 5)


def close(got: Any, want: Any, tol: float = 2e-4) -> None:
    np.testing.assert_allclose(np.asarray(got), np.asarray(want), rtol=tol, atol=tol)


def normal(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def regular(n: int, *batch: int, seed: int = 0) -> np.ndarray:
    """Matrices far from singular."""
    return normal(*batch, n, n, seed=seed) + 4 * np.eye(n, dtype=np.float32)


def positive(n: int, *batch: int, seed: int = 0) -> np.ndarray:
    a = normal(*batch, n, n, seed=seed)
    return a @ a.swapaxes(-1, -2) + np.eye(n, dtype=np.float32)


# ---- equations


@some
@given(sizes, sizes, st.integers(0, 99))
def test_a_solution_solves_its_equations(n: int, m: int, seed: int) -> None:
    a, b = regular(n, seed=seed), normal(n, m, seed=seed + 1)
    close(a @ linalg.solve(a, b), b)
    close(a @ linalg.solve(a, b[:, 0]), b[:, 0])
    close(a @ linalg.inv(a), np.eye(n))


def test_solve_broadcasts_batch_axes() -> None:
    a, b = regular(3, 4, 1), normal(5, 3, 2, seed=1)
    x = linalg.solve(a, b)
    assert x.shape == (4, 5, 3, 2)
    close(a @ x, np.broadcast_to(b, (4, 5, 3, 2)))
    assert linalg.solve(a, b[0, :, 0]).shape == (4, 1, 3)


def test_complex_equations_are_solved() -> None:
    a, b = regular(3) + 1j * normal(3, 3, seed=1), normal(3, seed=2) + 1j
    close(a @ linalg.solve(a, b), b)


@some
@given(sizes, sizes, st.integers(0, 99))
def test_the_pseudo_inverse_has_penroses_properties(m: int, n: int, seed: int) -> None:
    a = normal(m, n, seed=seed)
    p = linalg.pinv(a)
    close(a @ p @ a, a, 1e-3)
    close(p @ a @ p, p, 1e-3 * (1 + float(jnp.abs(p).max())))


def test_least_squares_leave_a_residual_orthogonal_to_the_columns() -> None:
    a, b = normal(6, 3), normal(6, 2, seed=1)
    x, residuals, rank, s = linalg.lstsq(a, b)
    close(a.T @ (np.asarray(a @ x) - b), np.zeros((3, 2)))
    close(residuals, ((a @ np.asarray(x) - b) ** 2).sum(0))
    assert rank == 3
    close(s, np.linalg.svd(a, compute_uv=False))


@pytest.mark.parametrize("n", range(-3, 8))
def test_powers_agree_with_numpy(n: int) -> None:
    a = regular(3) / 4
    close(linalg.matrix_power(a, n), np.linalg.matrix_power(a, n))


def test_tensor_equations() -> None:
    a, b = regular(6).reshape(2, 3, 6), normal(2, 3, seed=1)
    close(jnp.tensordot(a, linalg.tensorsolve(a, b), 1), b)
    close(jnp.tensordot(linalg.tensorinv(a), b, 2), linalg.tensorsolve(a, b))


# ---- factorizations


@some
@given(sizes, sizes, st.integers(0, 99))
def test_factors_multiply_back_to_the_matrix(m: int, n: int, seed: int) -> None:
    a = normal(2, m, n, seed=seed)
    for mode in ("reduced", "complete"):
        q, r = linalg.qr(a, mode=mode)
        close(q @ r, a)
        close(q.mT @ q, np.broadcast_to(np.eye(q.shape[-1]), (2, q.shape[-1], q.shape[-1])))
    u, s, vh = linalg.svd(a, full_matrices=False)
    close((u * s[..., None, :]) @ vh, a)
    assert bool((s[..., :-1] >= s[..., 1:]).all())


@some
@given(sizes, st.integers(0, 99))
def test_factors_of_symmetric_matrices(n: int, seed: int) -> None:
    a = positive(n, seed=seed)
    lower = linalg.cholesky(a)
    close(lower @ lower.T, a, 1e-3)
    close(linalg.cholesky(a, upper=True), lower.T)
    values, vectors = linalg.eigh(a)
    close(a @ vectors, np.asarray(vectors * values), 1e-3)
    close(linalg.eigvalsh(a), values, 1e-3)
    u, s, vh = linalg.svd(a - 2 * np.eye(n, dtype=np.float32), hermitian=True)
    close((u * s) @ vh, a - 2 * np.eye(n), 1e-3)


def test_eigenvectors_of_a_general_matrix() -> None:
    a = normal(4, 4)
    values, vectors = linalg.eig(a)
    close(a @ vectors, np.asarray(vectors * values))
    assert values.dtype == jnp.complex64
    close(sorted(np.abs(linalg.eigvals(a))), sorted(np.abs(np.linalg.eigvals(a))))


def test_a_matrix_that_is_not_positive_has_no_cholesky_factor() -> None:
    assert bool(jnp.isnan(linalg.cholesky(-jnp.eye(2))).any())


def test_results_have_names() -> None:
    a = positive(3)
    assert linalg.slogdet(a)._fields == ("sign", "logabsdet")
    assert linalg.eigh(a)._fields == linalg.eig(a)._fields == ("eigenvalues", "eigenvectors")
    assert (linalg.qr(a)._fields, linalg.svd(a)._fields) == (("Q", "R"), ("U", "S", "Vh"))


# ---- determinants and norms


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 6])
def test_determinants_agree_with_numpy_and_with_each_other(n: int) -> None:
    a = normal(3, n, n)
    close(linalg.det(a), np.linalg.det(a))
    for method in ("lu", "qr")[: 1 + bool(n)]:
        sign, log = linalg.slogdet(a, method=method)
        close(sign * jnp.exp(log), np.linalg.det(a))


def test_a_singular_matrix_has_determinant_0() -> None:
    sign, log = linalg.slogdet(jnp.zeros((3, 3)))
    assert (float(sign), float(log)) == (0.0, -np.inf)
    assert float(linalg.det(jnp.zeros((4, 4)))) == 0.0


@pytest.mark.parametrize("order", [None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf])
def test_matrix_norms_agree_with_numpy(order: Any) -> None:
    a = normal(2, 3, 4)
    close(linalg.norm(a, order, axis=(1, 2)), np.linalg.norm(a, order, axis=(1, 2)))
    close(linalg.norm(a, order, axis=(2, 0), keepdims=True), np.linalg.norm(a, order, axis=(2, 0), keepdims=True))


@pytest.mark.parametrize("order", [None, 0, 1, 2, 3, 0.5, -1, np.inf, -np.inf])
def test_vector_norms_agree_with_numpy(order: Any) -> None:
    a = normal(3, 4)
    close(linalg.norm(a, order, axis=0), np.linalg.norm(a, order, axis=0))
    close(linalg.vector_norm(a, ord=2 if order is None else order), np.linalg.norm(a.ravel(), order))


@pytest.mark.parametrize("p", [None, 1, -1, 2, -2, np.inf, -np.inf, "fro", "nuc"])
def test_condition_numbers_agree_with_numpy(p: Any) -> None:
    a = regular(3)
    close(linalg.cond(a, p), np.linalg.cond(a, p))


def test_the_rank_counts_what_is_not_rounding() -> None:
    a = normal(4, 2) @ normal(2, 5, seed=1)
    assert int(linalg.matrix_rank(a)) == 2
    assert int(linalg.matrix_rank(np.zeros((2, 2)))) == 0


def test_a_chain_of_matrices_agrees_with_the_product() -> None:
    a, b, c = normal(2, 3), normal(3, 4, seed=1), normal(4, seed=2)
    close(linalg.multi_dot([a, b, c]), a @ b @ c)


def test_the_functions_run_under_jit() -> None:
    a = positive(3)
    for fun in (linalg.inv, linalg.det, linalg.cholesky, linalg.norm, linalg.eigvalsh, linalg.pinv):
        close(jax.jit(fun)(a), fun(a))


REFUSALS = [
    (lambda: linalg.inv(jnp.ones((2, 3))), ValueError, "Argument to inv must have shape [..., n, n], got (2, 3)."),
    (lambda: linalg.solve(jnp.eye(2), jnp.ones(3)), ValueError, "inconsistent size for core dimension 'm': 3 vs 2"),
    (lambda: linalg.det(jnp.ones(3)), ValueError, "Argument to _det() must have shape [..., n, n], got (3,)"),
    (lambda: linalg.slogdet(jnp.eye(2), method="x"), ValueError, "Unknown slogdet method 'x'"),
    (lambda: linalg.norm(jnp.eye(2), "x"), ValueError, "Invalid order 'x' for matrix norm."),
    (lambda: linalg.norm(jnp.ones((1, 1, 1)), 2), ValueError, "Improper number of axes for norm: axis=(0, 1, 2)"),
    (lambda: linalg.qr(jnp.eye(2), mode="x"), ValueError, "Unsupported QR decomposition mode 'x'"),
    (lambda: linalg.eigh(jnp.eye(2), UPLO="x"), ValueError, "UPLO must be one of None, 'L', or 'U', got x"),
    (lambda: linalg.matrix_power(jnp.eye(2), 1.5), TypeError, "exponent must be an integer, got 1.5"),
    (lambda: linalg.pinv(jnp.eye(2), 0.1, rcond=0.1), ValueError, "only one of rtol and rcond"),
    (lambda: linalg.multi_dot([jnp.eye(2)]), ValueError, "multi_dot requires at least two arrays"),
    (lambda: linalg.cholesky([[1.0]]), TypeError, "jnp.linalg.cholesky requires ndarray or scalar arguments"),
]


@pytest.mark.parametrize("call, kind, words", REFUSALS)
def test_what_does_not_fit_is_refused_in_words(call: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind) as error:
        call()
    assert words in str(error.value)
