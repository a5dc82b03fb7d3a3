"""Quantiles, covariances and histograms agree with NumPy, and refuse what JAX refuses."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import minijax as jax
import minijax.numpy as jnp

some = settings(max_examples=20, deadline=None)
numbers = st.sampled_from([-2.5, -1.0, 0.0, 0.25, 1.0, 3.0, 8.0])
values = arrays(np.float32, array_shapes(min_dims=1, max_dims=3, max_side=5), elements=numbers)
holes = arrays(np.float32, array_shapes(min_dims=1, max_dims=2, max_side=5), elements=numbers | st.just(np.nan))
METHODS = ["linear", "lower", "higher", "midpoint", "nearest"]
Q = np.array([0.0, 0.2, 0.5, 0.7, 1.0], np.float32)


def agree(mine: Any, theirs: Any) -> None:
    np.testing.assert_allclose(np.asarray(mine), theirs, rtol=2e-5, atol=2e-6, equal_nan=True)


def some_axes(data: Any, ndim: int) -> Any:
    axes = st.lists(st.integers(-ndim, ndim - 1), min_size=1, unique_by=lambda d: d % ndim).map(tuple)
    return data.draw(st.none() | st.integers(-ndim, ndim - 1) | axes)


# ---- quantiles


@pytest.mark.parametrize("method", METHODS)
@some
@given(values, st.booleans(), st.data())
def test_a_quantile_agrees_with_numpy(method: str, x: np.ndarray, keepdims: bool, data: Any) -> None:
    axis, n = some_axes(data, x.ndim), x.shape
    count = x.size if axis is None else int(np.prod([n[d] for d in np.atleast_1d(axis)]))
    if method != "linear" and count > 1:  # away from where rounding of q (n - 1) decides
        q = np.float32((data.draw(st.integers(0, count - 2)) + 0.3) / (count - 1))
    else:
        q = Q
    mine = jnp.quantile(x, q, axis=axis, method=method, keepdims=keepdims)
    agree(mine, np.quantile(x, q, axis=axis, method=method, keepdims=keepdims))


@some
@given(holes, st.booleans(), st.data())
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_quantiles_leave_nan_out_or_give_it(x: np.ndarray, keepdims: bool, data: Any) -> None:
    axis = some_axes(data, x.ndim)
    options: Any = {"axis": axis, "keepdims": keepdims}
    agree(jnp.nanquantile(x, Q, **options), np.nanquantile(x, Q, **options))
    agree(jnp.nanmedian(x, **options), np.nanmedian(x, **options))
    agree(jnp.median(x, **options), np.median(x, **options))
    agree(jnp.nanpercentile(x, 30, **options), np.nanpercentile(x, 30, **options))


@some
@given(arrays(np.float32, st.integers(1, 6), elements=numbers), st.data())
def test_a_weight_counts_as_that_many_copies(x: np.ndarray, data: Any) -> None:
    weights = data.draw(arrays(np.int32, x.shape, elements=st.integers(1, 4)))
    q = np.float32(data.draw(st.sampled_from([0.13, 0.37, 0.61, 0.89])))
    mine = jnp.quantile(x, q, weights=weights, method="inverted_cdf")
    agree(mine, np.quantile(np.repeat(x, weights), q, method="inverted_cdf"))
    agree(mine, jnp.quantile(x[None], q, weights=weights, axis=1, method="inverted_cdf")[0])


def test_a_quantile_has_the_dtype_of_the_numbers() -> None:
    assert jnp.quantile(jnp.arange(4), 0.5).dtype == jnp.float32
    assert jnp.quantile(jnp.ones(3, jnp.bfloat16), 0.5).dtype == jnp.bfloat16
    assert np.isnan(jnp.median(jnp.array([1.0, jnp.nan])))


# ---- covariance


@some
@given(arrays(np.float32, (3, 5), elements=numbers), st.booleans(), st.booleans(), st.sampled_from([None, 0, 1]))
def test_a_covariance_agrees_with_numpy(x: np.ndarray, rowvar: bool, bias: bool, ddof: int | None) -> None:
    options: Any = {"rowvar": rowvar, "bias": bias, "ddof": ddof}
    agree(jnp.cov(x, **options), np.cov(x, **options))
    n = x.shape[1 if rowvar else 0]
    options |= {"fweights": np.arange(1, n + 1), "aweights": np.linspace(1, 2, n, dtype=np.float32)}
    agree(jnp.cov(x, **options), np.cov(x, **options))


def test_correlations_are_those_of_numpy_and_at_most_one() -> None:
    x = np.array([[1.0, 2.0, 4.0], [3.0, 3.0, 8.0], [2.0, 0.0, -5.0]], np.float32)
    mine = jnp.corrcoef(x)
    agree(mine, np.corrcoef(x))
    assert np.all(np.abs(mine) <= 1) and jnp.corrcoef(x[0]).shape == ()
    agree(jnp.cov(x[0], x[1]), np.cov(x[0], x[1]))
    assert jnp.cov(jnp.ones((0, 2))).shape == (0, 0) and np.isnan(jnp.cov(jnp.ones((2, 0)))).all()


# ---- histograms


@some
@given(arrays(np.float32, st.integers(1, 9), elements=numbers), st.sampled_from([1, 2, 4]), st.booleans())
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_histogram_agrees_with_numpy(x: np.ndarray, bins: int, density: bool) -> None:
    edges = np.array([-3.0, -1.0, 0.5, 8.0], np.float32)
    for how, span in ((bins, (-4.0, 8.0)), (edges, None)):
        mine, theirs = (f(x, how, span, density=density) for f in (jnp.histogram, np.histogram))
        for a, b in zip(mine, theirs, strict=True):
            agree(a, b)
    agree(jnp.histogram(x, edges, weights=x)[0], np.histogram(x, edges, weights=x)[0])
    assert float(jnp.histogram(x, bins)[0].sum()) == x.size


def test_histograms_of_points_agree_with_numpy() -> None:
    points = np.array([[0.1, 0.4], [0.6, 0.2], [0.6, 0.9], [1.0, 1.0], [0.0, 0.3]], np.float32)
    for density in (False, True):
        mine, edges = jnp.histogramdd(points, [2, 3], density=density)
        theirs, their_edges = np.histogramdd(points, [2, 3], density=density)
        agree(mine, theirs)
        for a, b in zip(edges, their_edges, strict=True):
            agree(a, b)
    agree(jnp.histogram2d(*points.T, bins=2)[0], np.histogram2d(*points.T, bins=2)[0])


@some
@given(arrays(np.float32, 6, elements=numbers), st.booleans(), st.booleans())
def test_digitize_agrees_with_numpy(x: np.ndarray, right: bool, falling: bool) -> None:
    edges = np.array([-1.0, 0.0, 1.0, 3.0], np.float32)[:: -1 if falling else 1]
    assert np.array_equal(jnp.digitize(x, edges, right=right), np.digitize(x, edges, right=right))


@some
@given(arrays(np.int32, st.integers(0, 8), elements=st.integers(0, 6)), st.integers(0, 9))
def test_bincount_agrees_with_numpy(x: np.ndarray, least: int) -> None:
    assert np.array_equal(jnp.bincount(x, minlength=least), np.bincount(x, minlength=least))
    weights = np.arange(x.size, dtype=np.float32)
    agree(jnp.bincount(x, weights), np.bincount(x, weights))
    counted = jax.jit(lambda x: jnp.bincount(x, length=4))(x)
    assert np.array_equal(counted, np.bincount(x, minlength=4)[:4])


# ---- refusals

x = np.ones((2, 3), np.float32)


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: jnp.quantile(x, x), ValueError, r"q must be have rank <= 1, got shape \(2, 3\)"),
        (lambda: jnp.quantile(x, 0.5, method="foo"), ValueError, "method can only be 'linear'"),
        (lambda: jnp.quantile(1j * x, 0.5), ValueError, "quantile does not support complex input"),
        (lambda: jnp.quantile(x, 0.5, overwrite_input=True), ValueError, "does not support overwrite_input=True"),
        (lambda: jnp.quantile(x, 0.5, axis=(0, 0)), ValueError, "repeated axis"),
        (lambda: jnp.quantile(x, 0.5, weights=x), NotImplementedError, "linear doesn't support weights"),
        (lambda: jnp.quantile(x, [0.5]), TypeError, "quantile requires ndarray or scalar arguments"),
        (lambda: jnp.cov(np.ones((1, 1, 1))), ValueError, "m has more than 2 dimensions"),
        (lambda: jnp.cov(x, fweights=np.ones(3)), TypeError, "fweights must be integer."),
        (lambda: jnp.cov(x, aweights=np.ones(2)), RuntimeError, "incompatible numbers of samples and aweights"),
        (lambda: jnp.cov(x, dtype=int), ValueError, "dtype must be a subclass of float or complex"),
        (lambda: jnp.histogram(x, weights=np.ones(3)), ValueError, "weights should have the same shape as a."),
        (lambda: jnp.histogram_bin_edges(x, "auto"), NotImplementedError, "string values for `bins`"),
        (lambda: jnp.histogramdd(x, [2, 2]), ValueError, "should be a bin for each dimension."),
        (lambda: jnp.digitize(x, x), ValueError, "bins must be a 1-dimensional array"),
        (lambda: jnp.bincount(x[0]), TypeError, "must have an integer type; got float32"),
        (lambda: jax.jit(jnp.bincount)(np.arange(3)), jax.errors.ConcretizationTypeError, "pass a static `length`"),
    ],
)
def test_refusals_are_jaxs(call: Any, error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        call()
