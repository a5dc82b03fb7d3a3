"""Samplers: eager is jitted is mapped; each draw has its distribution; kernels compute a draw where it is read."""

import numpy as np
import pytest
import scipy.stats

import minijax as jax
import minijax.numpy as jnp
from minijax.extend.core import check_jaxpr

R, KEY = jax.random, jax.random.key(1)
N = 4000

# name -> (draw of a key and a shape, the distribution)
CONTINUOUS = {
    "uniform": (R.uniform, scipy.stats.uniform()),
    "uniform between": (lambda k, s: R.uniform(k, s, minval=-2, maxval=3), scipy.stats.uniform(-2, 5)),
    "normal": (R.normal, scipy.stats.norm()),
    "truncated_normal": (lambda k, s: R.truncated_normal(k, -1, 2, s), scipy.stats.truncnorm(-1, 2)),
    "exponential": (R.exponential, scipy.stats.expon()),
    "laplace": (R.laplace, scipy.stats.laplace()),
    "cauchy": (R.cauchy, scipy.stats.cauchy()),
    "logistic": (R.logistic, scipy.stats.logistic()),
    "gumbel": (R.gumbel, scipy.stats.gumbel_r()),
    "gumbel high": (lambda k, s: R.gumbel(k, s, mode="high"), scipy.stats.gumbel_r()),
    "gumbel highest": (lambda k, s: R.gumbel(k, s, mode="highest"), scipy.stats.gumbel_r()),
    "gamma": (lambda k, s: R.gamma(k, 2.5, s), scipy.stats.gamma(2.5)),
    "small gamma": (lambda k, s: R.gamma(k, 0.3, s), scipy.stats.gamma(0.3)),
    "loggamma": (lambda k, s: R.loggamma(k, 0.3, s), scipy.stats.loggamma(0.3)),
    "beta": (lambda k, s: R.beta(k, 2.0, 0.7, s), scipy.stats.beta(2, 0.7)),
    "chisquare": (lambda k, s: R.chisquare(k, 3.0, s), scipy.stats.chi2(3)),
    "f": (lambda k, s: R.f(k, 4.0, 6.0, s), scipy.stats.f(4, 6)),
    "t": (lambda k, s: R.t(k, 4.0, s), scipy.stats.t(4)),
    "pareto": (lambda k, s: R.pareto(k, 3.0, s), scipy.stats.pareto(3)),
    "rayleigh": (lambda k, s: R.rayleigh(k, jnp.float32(2), s), scipy.stats.rayleigh(scale=2)),
    "weibull_min": (lambda k, s: R.weibull_min(k, 2.0, 1.5, s), scipy.stats.weibull_min(1.5, scale=2)),
    "triangular": (lambda k, s: R.triangular(k, 0.0, 1.0, 4.0, s), scipy.stats.triang(0.25, 0, 4)),
    "lognormal": (lambda k, s: R.lognormal(k, 0.5, s), scipy.stats.lognorm(0.5)),
    "maxwell": (R.maxwell, scipy.stats.maxwell()),
    "wald": (lambda k, s: R.wald(k, jnp.float32(2), s), scipy.stats.invgauss(2.0)),
    "generalized_normal": (lambda k, s: R.generalized_normal(k, 1.5, s), scipy.stats.gennorm(1.5)),
}
COUNTS = {
    "randint": (lambda k, s: R.randint(k, s, 3, 10), scipy.stats.randint(3, 10)),
    "bernoulli": (lambda k, s: R.bernoulli(k, 0.3, s), scipy.stats.bernoulli(0.3)),
    "rademacher": (lambda k, s: R.rademacher(k, s) == 1, scipy.stats.bernoulli(0.5)),
    "categorical": (lambda k, s: R.categorical(k, jnp.zeros(4), shape=s), scipy.stats.randint(0, 4)),
    "choice": (lambda k, s: R.choice(k, 3, s, p=jnp.array([0.25, 0.5, 0.25])), scipy.stats.binom(2, 0.5)),
    "poisson": (lambda k, s: R.poisson(k, 3.0, s), scipy.stats.poisson(3)),
    "many poisson": (lambda k, s: R.poisson(k, 25.0, s), scipy.stats.poisson(25)),
    "geometric": (lambda k, s: R.geometric(k, 0.4, s), scipy.stats.geom(0.4)),
    "binomial": (lambda k, s: R.binomial(k, 8, 0.3, s), scipy.stats.binom(8, 0.3)),
    "many binomial": (lambda k, s: R.binomial(k, 100, 0.6, s), scipy.stats.binom(100, 0.6)),
}
ALL = {name: draw for name, (draw, _) in (CONTINUOUS | COUNTS).items()}


@pytest.mark.parametrize("name", CONTINUOUS)
def test_a_draw_has_its_distribution(name):
    """By Kolmogorov and Smirnov's test, at a fixed key: it would fail by chance once in a thousand keys."""
    draw, distribution = CONTINUOUS[name]
    x = np.asarray(draw(KEY, (N,)), np.float64)
    assert scipy.stats.kstest(x, distribution.cdf).pvalue > 1e-3


@pytest.mark.parametrize("name", COUNTS)
def test_counts_have_their_distribution(name):
    draw, distribution = COUNTS[name]
    x = np.asarray(draw(KEY, (N,))).astype(int)
    lowest, highest = int(distribution.ppf(0.002)), int(distribution.ppf(0.998))
    bins = np.arange(lowest, highest + 1)
    found = [np.sum(np.clip(x, lowest, highest) == b) for b in bins]
    expected = N * distribution.pmf(bins)
    expected[0], expected[-1] = N * distribution.cdf(lowest), N * distribution.sf(highest - 1)
    assert scipy.stats.chisquare(found, expected * N / expected.sum()).pvalue > 1e-3


@pytest.mark.parametrize("name", ALL)
def test_a_jitted_draw_is_the_draw(name):
    draw = lambda k: ALL[name](k, (2, 3))
    x, y = (np.asarray(f(KEY)) for f in (draw, jax.jit(draw)))
    assert (x.dtype, x.shape) == (y.dtype, y.shape)
    np.testing.assert_allclose(x, y, rtol=1e-6)


@pytest.mark.parametrize("name", ["uniform between", "normal", "truncated_normal", "gumbel", "logistic", "exponential"])
def test_what_is_interpreted_has_the_digits_of_what_is_compiled(name):
    draw = CONTINUOUS[name][0]
    np.testing.assert_array_equal(draw(KEY, (500,)), jax.jit(lambda k: draw(k, (500,)))(KEY))


@pytest.mark.parametrize("name", ALL)
def test_a_mapped_draw_is_that_of_each_key(name):
    draw, keys = ALL[name], R.split(KEY, 3)
    want = np.stack([np.asarray(draw(k, (4,))) for k in keys])
    np.testing.assert_allclose(jax.vmap(lambda k: draw(k, (4,)))(keys), want, rtol=1e-5)


@pytest.mark.parametrize("name", ALL)
def test_the_program_of_a_draw_is_well_typed(name):
    check_jaxpr(jax.make_jaxpr(lambda k: ALL[name](k, (3,)))(KEY))


def test_a_draw_and_what_reads_it_are_one_kernel():
    for f in (
        lambda k: R.uniform(k, (1000,)) * 3,
        lambda k: R.normal(k, (100, 10)).sum(1),
        lambda k, x: x * (R.uniform(k, (1000,)) < 0.9),
    ):
        args = (KEY, jnp.ones(1000))[: f.__code__.co_argcount]
        assert jax.jit(f).lower(*args).as_text().count("@kernel") == 1


@pytest.mark.parametrize("reduction", [jnp.sum, jnp.max, lambda x: x.sum() + (x * x).sum()])
@pytest.mark.parametrize("draw", [R.normal, R.uniform, R.exponential])
def test_a_draw_of_which_only_totals_are_wanted_is_not_stored(draw, reduction):
    n = 2**18
    f = lambda k: reduction(draw(k, (n,)))
    assert f"empty(({n},)" not in jax.jit(f).lower(KEY).as_text()
    np.testing.assert_allclose(jax.jit(f)(KEY), reduction(draw(KEY, (n,))), rtol=1e-5, atol=1e-2)


def test_a_permutation_has_each_element_once():
    for n in (0, 1, 2, 100, 5000):
        np.testing.assert_array_equal(np.sort(R.permutation(KEY, n)), np.arange(n))
    x = jnp.arange(12).reshape(3, 4)
    whole, each = R.permutation(KEY, x, axis=1), R.permutation(KEY, x, axis=1, independent=True)
    assert {tuple(c) for c in np.asarray(whole).T.tolist()} == {tuple(c) for c in np.asarray(x).T.tolist()}
    np.testing.assert_array_equal(np.sort(each, 1), x)


def test_a_sample_without_replacement_has_no_element_twice():
    for p in (None, jnp.arange(1.0, 51) / jnp.arange(1.0, 51).sum()):
        assert len(set(np.asarray(R.choice(KEY, 50, (20,), replace=False, p=p)).tolist())) == 20


def test_integers_reach_all_of_their_range():
    for dtype in ("int8", "uint8"):
        info = jnp.iinfo(dtype)
        x = np.asarray(R.randint(KEY, (8000,), int(info.min), int(info.max) + 1, dtype))
        assert set(x.tolist()) == set(range(int(info.min), int(info.max) + 1))
    np.testing.assert_array_equal(R.randint(KEY, (5,), 3, 3), 3)
    low = jnp.arange(5)
    x = R.randint(KEY, (200, 5), low, low + 2)
    assert bool(((x == low) | (x == low + 1)).all())


def test_vectors_have_their_covariance():
    mean, cov = jnp.array([1.0, -2.0]), jnp.array([[2.0, 0.6], [0.6, 0.5]])
    for method in ("cholesky", "eigh", "svd"):
        x = np.asarray(R.multivariate_normal(KEY, mean, cov, (20000,), method=method))
        np.testing.assert_allclose(x.mean(0), mean, atol=0.05)
        np.testing.assert_allclose(np.cov(x.T), cov, atol=0.07)


def test_orthogonal_matrices_are():
    q = np.asarray(R.orthogonal(KEY, 4, (3,)))
    np.testing.assert_allclose(q @ q.swapaxes(1, 2), np.broadcast_to(np.eye(4), (3, 4, 4)), atol=1e-5)
    u = np.asarray(R.orthogonal(KEY, 3, dtype=jnp.complex64))
    np.testing.assert_allclose(u @ u.conj().T, np.eye(3), atol=1e-5)
    assert R.orthogonal(KEY, 3, m=2).shape == (3, 2)


def test_parts_add_up():
    d = R.dirichlet(KEY, jnp.array([0.5, 1.0, 3.0]), (500,))
    np.testing.assert_allclose(d.sum(-1), 1, rtol=1e-5)
    np.testing.assert_allclose(d.mean(0), np.array([0.5, 1, 3]) / 4.5, atol=0.03)
    m = R.multinomial(KEY, 50.0, jnp.array([0.2, 0.3, 0.5]), shape=(200, 3))
    np.testing.assert_array_equal(m.sum(-1), 50)
    b = np.asarray(R.ball(KEY, 3, shape=(2000,)))
    radius = np.linalg.norm(b, axis=-1)
    assert scipy.stats.kstest(radius**3, scipy.stats.uniform().cdf).pvalue > 1e-3


def test_derivatives_of_gamma_numbers_are_one_compiled_loop():
    slope = jax.grad(lambda a: R.gamma(KEY, a).sum())
    a = jnp.linspace(0.3, 9.0, 100)
    text = jax.jit(slope).lower(a).as_text()
    assert "random_gamma_grad_float32" in text
    assert "call(" not in text
    np.testing.assert_allclose(slope(a)[:20], slope(a[:20]), rtol=1e-5)  # of a few, it is interpreted
    np.testing.assert_allclose(slope(a), jax.jit(slope)(a), rtol=1e-5)


def test_the_derivative_of_a_gamma_number_is_that_of_its_quantile():
    a = 2.5
    x = float(R.gamma(KEY, a))
    p, h = scipy.stats.gamma(a).cdf(x), 1e-4
    want = (scipy.stats.gamma(a + h).ppf(p) - scipy.stats.gamma(a - h).ppf(p)) / (2 * h)
    np.testing.assert_allclose(jax.grad(lambda a: R.gamma(KEY, a))(a), want, rtol=1e-3)
    in_log = jax.grad(lambda a: R.loggamma(KEY, a))(a)
    np.testing.assert_allclose(in_log, want / x, rtol=1e-3)


def test_a_wide_draw_is_compiled_and_the_same():
    whole = np.asarray(R.normal(KEY, (20000,)))
    np.testing.assert_array_equal(R.normal(KEY, (300,)), whole[:300])
    with jax.enable_x64(True):
        whole = np.asarray(R.normal(KEY, (5000,), np.float64))
        np.testing.assert_array_equal(R.normal(KEY, (300,), np.float64), whole[:300])
