"""Polynomials and interpolation: what one function does another undoes, and NumPy's values."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

import minijax as jax
import minijax.numpy as jnp

some = settings(max_examples=25, deadline=None)
coefficients = arrays(np.float32, st.integers(1, 6), elements=st.integers(-4, 4).map(float))


def close(got: Any, want: Any, tol: float = 1e-4) -> None:
    assert got.shape == np.shape(want)
    np.testing.assert_allclose(np.asarray(got), want, rtol=tol, atol=tol)


@some
@given(coefficients, coefficients)
def test_values_of_sums_and_products_are_sums_and_products_of_values(p: np.ndarray, q: np.ndarray) -> None:
    x = np.linspace(-1.5, 1.5, 5, dtype=np.float32)
    at = lambda r: np.asarray(jnp.polyval(r, x))
    close(at(p), np.polyval(p, x))
    close(at(jnp.polyadd(p, q)), at(p) + at(q))
    close(at(jnp.polysub(p, q)), at(p) - at(q))
    close(at(jnp.polymul(p, q)), at(p) * at(q), 1e-3)


@some
@given(coefficients, coefficients.filter(lambda q: q[0] != 0))
def test_quotient_times_divisor_plus_remainder_is_the_dividend(p: np.ndarray, q: np.ndarray) -> None:
    quotient, remainder = jnp.polydiv(p, q)
    x = np.linspace(-1, 1, 5, dtype=np.float32)
    at = lambda r: np.asarray(jnp.polyval(r, x), np.float64)
    scale = 1 + float(jnp.abs(quotient).max())
    np.testing.assert_allclose(at(quotient) * at(q) + at(remainder), at(p), atol=2e-4 * scale)


@some
@given(coefficients, st.integers(1, 3))
def test_the_derivative_undoes_the_integral(p: np.ndarray, m: int) -> None:
    close(jnp.polyder(jnp.polyint(p, m), m), p)
    close(jnp.polyint(p, m), np.polyint(p, m))


def test_roots_are_roots() -> None:
    wanted = np.array([1.0, 2.0, -3.0], np.float32)
    p = jnp.poly(wanted)
    close(p, np.poly(wanted))
    close(np.sort(np.asarray(jnp.roots(p)).real), np.sort(wanted), 1e-3)
    assert jnp.roots(jnp.array([0.0, 0.0, 1.0, -3.0])).shape == (1,)
    assert int(jnp.isnan(jax.jit(lambda p: jnp.roots(p, strip_zeros=False))(jnp.array([0.0, 1.0, -3.0]))).sum()) == 1


def test_a_fit_through_points_of_a_polynomial_finds_it() -> None:
    x = np.linspace(-1, 1, 9, dtype=np.float32)
    p = np.array([2.0, -1.0, 0.5], np.float32)
    close(jnp.polyfit(x, np.polyval(p, x), 2), p, 1e-3)
    y = np.polyval(p, x) + np.sin(9 * x)
    close(jnp.polyfit(x, y, 1, w=np.arange(9.0, dtype=np.float32)), np.polyfit(x, y, 1, w=np.arange(9.0)), 1e-3)
    got, want = jnp.polyfit(x, y, 1, cov=True), np.polyfit(x, y, 1, cov=True)
    close(got[1], want[1], 1e-3)


# ---- differences and interpolation


@some
@given(st.integers(1, 3), st.integers(0, 3), st.integers(0, 1))
def test_differences_agree_with_numpy(rows: int, n: int, axis: int) -> None:
    a = np.random.default_rng(0).integers(0, 9, (rows, 4))
    close(jnp.diff(a, n, axis), np.diff(a, n, axis))
    close(jnp.diff(a, max(n, 1), axis, prepend=1, append=a), np.diff(a, max(n, 1), axis, prepend=1, append=a))
    close(jnp.ediff1d(a, to_begin=np.array([7, 8])), np.ediff1d(a, to_begin=np.array([7, 8])))


@pytest.mark.parametrize("spacing", [(), (2.0,), (np.array([0.0, 1.0, 3.0, 4.0], np.float32),)])
def test_slopes_agree_with_numpy(spacing: Any) -> None:
    y = np.array([1.0, 4.0, 9.0, 20.0], np.float32)
    close(jnp.gradient(y, *spacing), np.gradient(y, *spacing))
    both = np.outer(y, y)
    for got, want in zip(jnp.gradient(both, *spacing), np.gradient(both, *spacing, *spacing), strict=True):
        close(got, want, 1e-3)


def test_the_area_agrees_with_numpy() -> None:
    y = np.array([[1.0, 4.0, 9.0], [2.0, 3.0, 1.0]], np.float32)
    x = np.array([0.0, 1.0, 3.0], np.float32)
    for kwargs in ({}, {"dx": 0.5}, {"x": x}, {"axis": 0}, {"x": y * 2}):
        close(jnp.trapezoid(y, **kwargs), np.trapezoid(y, **kwargs))


@some
@given(arrays(np.float32, 6, elements=st.floats(-2, 5, width=32)), st.data())
def test_interpolation_agrees_with_numpy(x: np.ndarray, data: st.DataObject) -> None:
    xp, fp = np.array([0.0, 1.0, 1.5, 3.0], np.float32), np.array([0.0, 10.0, -5.0, 2.0], np.float32)
    kwargs = data.draw(st.sampled_from([{}, {"left": -1.0}, {"right": 7.0}, {"period": 4.0}]))
    close(jnp.interp(x, xp, fp, **kwargs), np.interp(x, xp, fp, **kwargs), 1e-3)


def test_interpolation_may_go_on_outside() -> None:
    xp, fp = np.array([0.0, 1.0], np.float32), np.array([0.0, 2.0], np.float32)
    close(jnp.interp(np.array([-1.0, 2.0]), xp, fp, left="extrapolate", right="extrapolate"), [-2.0, 4.0])


def test_unwrapped_angles_jump_by_at_most_half_a_turn() -> None:
    angles = np.array([0.0, 2.0, 4.0, 0.5, 5.0, 2.0], np.float32)
    close(jnp.unwrap(angles), np.unwrap(angles))
    close(jnp.unwrap(np.array([0, 1, 8, 2]), period=6), np.unwrap(np.array([0, 1, 8, 2]), period=6))


REFUSALS = [
    (lambda: jnp.diff(jnp.ones(3), n=-1), ValueError, "order must be non-negative but got -1"),
    (lambda: jnp.diff([1, 2]), TypeError, "diff requires ndarray or scalar arguments, got <class 'list'>"),
    (lambda: jnp.gradient(jnp.ones(1)), ValueError, "Shape of array too small to calculate a numerical gradient"),
    (lambda: jnp.gradient(jnp.ones(3), edge_order=2), NotImplementedError, "The 'edge_order' argument"),
    (lambda: jnp.interp(1.0, jnp.ones(2), jnp.ones(3)), ValueError, "one-dimensional arrays of equal size"),
    (lambda: jnp.interp(1.0, jnp.ones(2), jnp.ones(2), left="x"), ValueError, "the only valid string value of `left`"),
    (lambda: jnp.roots(jnp.ones((2, 2))), ValueError, "Input must be a rank-1 array."),
    (lambda: jax.jit(jnp.roots)(jnp.ones(3)), jax.errors.ConcretizationTypeError, "pass strip_zeros=False"),
    (lambda: jnp.polyder(jnp.ones(3), -1), ValueError, "Order of derivative must be positive"),
    (lambda: jnp.polyfit(jnp.ones(2), jnp.ones(3), 1), TypeError, "expected x and y to have same length"),
]


@pytest.mark.parametrize("call, kind, words", REFUSALS)
def test_what_does_not_fit_is_refused_in_words(call: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind) as error:
        call()
    assert words in str(error.value)
