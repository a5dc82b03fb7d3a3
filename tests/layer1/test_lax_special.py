"""Special functions: identities between them, values at the edges, and their derivatives as differences."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.scipy import special

some = settings(max_examples=40, deadline=None)
positive = st.floats(0.125, 20, width=32)
moderate = st.floats(-3, 3, width=32)
fraction = st.floats(0.015625, 0.984375, width=32)


def close(got: Any, want: Any, rtol: float = 2e-5, atol: float = 2e-6) -> None:
    np.testing.assert_allclose(np.asarray(got, np.float64), np.asarray(want, np.float64), rtol=rtol, atol=atol)


# ---- identities


@some
@given(moderate)
def test_erf_and_erfc_add_up_to_one_and_erf_inv_undoes_erf(x: float) -> None:
    close(lax.erf(x) + lax.erfc(x), 1)
    close(lax.erf_inv(lax.erf(x)), x, rtol=1e-3, atol=1e-4)


@some
@given(positive)
def test_gamma_of_x_plus_one_is_x_times_gamma_of_x(x: float) -> None:
    close(lax.lgamma(x + 1), lax.lgamma(x) + np.log(x))
    close(lax.digamma(x + 1), lax.digamma(x) + 1 / x)
    close(lax.polygamma(1.0, x), lax.zeta(2.0, x))


@some
@given(positive, positive)
def test_the_incomplete_gamma_functions_add_up_to_one(a: float, x: float) -> None:
    close(lax.igamma(a, x) + lax.igammac(a, x), 1)


@some
@given(positive, positive, fraction)
def test_the_incomplete_beta_function_of_the_rest_is_the_rest(a: float, b: float, x: float) -> None:
    close(lax.betainc(a, b, x) + lax.betainc(b, a, 1 - x), 1, rtol=1e-4)


@some
@given(st.floats(0.5, 60, width=32), st.floats(0.25, 2.5, width=32))
def test_random_gamma_grad_is_how_the_quantile_moves(a: float, ratio: float) -> None:
    x = np.float32(a * ratio)
    h = np.float32(1e-2 * a)
    density = np.exp((a - 1) * np.log(x) - x - float(special.gammaln(a)))
    if density < 1e-3:
        return
    with jax.enable_x64(True):
        x, a, h = (np.float64(v) for v in (x, a, h))
        slope = (lax.igamma(a + h, x) - lax.igamma(a - h, x)) / (2 * h)
        close(lax.igamma_grad_a(a, x), slope, rtol=1e-2, atol=1e-4)
        close(lax.random_gamma_grad(a, x), -slope / density, rtol=1e-2, atol=1e-3)


@some
@given(st.floats(0.5, 30, width=32))
def test_the_tail_and_the_power_series_of_random_gamma_grad_meet(a: float) -> None:
    border = a + 4 * np.sqrt(a) + 12
    with jax.enable_x64(True):
        below, above = (lax.random_gamma_grad(np.float64(a), np.float64(x)) for x in (border * 0.9999, border * 1.0001))
        close(below, above, rtol=1e-3)


@some
@given(moderate)
def test_ndtr_is_undone_by_ndtri_and_log_ndtr_is_its_logarithm(x: float) -> None:
    p = special.ndtr(np.float32(x))
    close(special.ndtri(p), x, rtol=1e-3, atol=1e-3)
    close(special.log_ndtr(np.float32(x)), np.log(np.asarray(p, np.float64)), rtol=1e-4)


@some
@given(fraction)
def test_logit_undoes_expit(p: float) -> None:
    close(special.expit(special.logit(np.float32(p))), p)


def test_factorials_and_binomials_count() -> None:
    close(special.factorial(jnp.arange(6)), [1, 1, 2, 6, 24, 120])
    close(special.comb(5, jnp.arange(-1, 7)), [0, 1, 5, 10, 10, 5, 1, 0])
    close(special.bernoulli(4), [1, -1 / 2, 1 / 6, 0, -1 / 30])


# ---- edges


def test_poles_and_infinities() -> None:
    assert np.isinf(lax.lgamma(-2.0)) and np.isinf(lax.lgamma(-np.inf))
    assert np.isnan(lax.digamma(0.0)) and np.isnan(lax.digamma(-3.0))
    assert [float(lax.erf_inv(v)) for v in (-1.0, 0.0, 1.0)] == [-np.inf, 0, np.inf]
    assert np.isnan(lax.erf_inv(1.5)) and np.isnan(lax.polygamma(0.5, 2.0)) and np.isinf(lax.zeta(1.0, 2.0))


def test_products_with_a_logarithm_are_zero_where_the_factor_is() -> None:
    assert float(special.xlogy(0.0, 0.0)) == 0 and float(special.xlog1py(0.0, -1.0)) == 0
    assert np.isnan(special.xlogy(0.0, np.nan))
    assert special.entr(jnp.array([0.0, -1.0])).tolist() == [0, -np.inf]


def test_exp_has_no_denormal_results() -> None:
    assert jnp.exp(jnp.array([-88.0, -100.0])).tolist() == [0, 0]
    assert float(jnp.log(jnp.exp(-100.0))) == -np.inf


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision_is_computed_in_single_and_rounded_once(dtype: str) -> None:
    x = jnp.linspace(-2, 2, 21).astype(dtype)
    for f in (lax.erf, lax.erfc, lax.bessel_i0e, lax.tanh, lax.sin):
        assert (f(x) == f(x.astype("float32")).astype(dtype)).all()


def test_what_is_no_float_is_refused() -> None:
    with pytest.raises(TypeError, match=r"erf does not accept dtype int32\. Accepted dtypes are subtypes of floating"):
        lax.erf(jnp.arange(3))
    with pytest.raises(TypeError, match="requires arguments to have the same dtypes, got float32, float16"):
        lax.igamma(jnp.ones(2), jnp.ones(2, "float16"))
    with pytest.raises(ValueError, match="entr does not support complex-valued inputs"):
        special.entr(1j)
    with pytest.raises(TypeError, match="gammaln requires ndarray or scalar arguments"):
        special.gammaln([1.0])
    with pytest.raises(ValueError, match="must be of integer type"):
        special.polygamma(1.0, 2.0)


# ---- derivatives: each rule of scipy.special, called as the transformation of chapter 4 calls it

RULES: list[tuple[Callable[..., Any], tuple[float, ...]]] = [
    (special.logit, (0.3,)), (special.xlogy, (0.7, 1.2)), (special.xlog1py, (0.7, 1.2)), (special.zeta, (2.5, 1.5)),
    (special.poch, (1.5, 0.7)), (special.expi, (0.8,)), (special.hyp1f1, (0.5, 1.5, 0.3)),
    (special.hyp2f1, (0.5, 1.5, 2.5, 0.3)), (special.log_ndtr, (0.4,)),
]  # fmt: skip


@pytest.mark.parametrize(("function", "point"), RULES, ids=lambda v: getattr(v, "__name__", ""))
def test_derivative_rules_agree_with_differences(function: Any, point: tuple[float, ...]) -> None:
    with jax.enable_x64(True):
        for i in range(len(point)):
            primals = [jnp.asarray(np.float64(v)) for v in point]
            tangents = [jnp.asarray(np.float64(i == k)) for k in range(len(point))]
            static = [3] * len(function.nondiff_argnums)
            _, slope = function.jvp(*static, primals, tangents)
            near = [[v + s * 1e-5 * (i == k) for k, v in enumerate(point)] for s in (1, -1)]
            high, low = (function(*map(np.float64, p)) for p in near)
            close(slope, (high - low) / 2e-5, rtol=1e-5)
