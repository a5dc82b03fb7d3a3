"""Sets agree with NumPy where the values are known; with a size the result is the same, cut off or filled."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

import minijax as jax
import minijax.numpy as jnp

some = settings(max_examples=50, deadline=None)
few = settings(max_examples=20, deadline=None)  # each example has a shape of its own, and is compiled
sets = arrays(np.int32, st.integers(0, 7), elements=st.integers(-3, 3))
matrices = arrays(np.int32, st.tuples(st.integers(1, 4), st.integers(1, 3)), elements=st.integers(0, 1))
PAIRS = ["union1d", "intersect1d", "setdiff1d", "setxor1d"]


@some
@given(sets)
def test_unique_agrees_with_numpy(x: np.ndarray) -> None:
    got = jnp.unique(x, return_index=True, return_inverse=True, return_counts=True)
    expected = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    assert all(np.array_equal(g, e) for g, e in zip(got, expected, strict=True))


@some
@given(matrices, st.sampled_from([0, 1, -1, None]))
def test_unique_along_an_axis(x: np.ndarray, axis: int | None) -> None:
    values, inverse = jnp.unique(x, axis=axis, return_inverse=True)
    assert np.array_equal(values, np.unique(x, axis=axis))
    assert np.array_equal(values[inverse] if axis is None else jnp.take(values, inverse, axis), x)


@few
@given(sets.filter(len), st.integers(1, 9))
def test_unique_with_a_size_is_cut_off_or_filled(x: np.ndarray, size: int) -> None:
    expected = np.unique(x)[:size]
    missing = size - len(expected)
    least = jax.jit(lambda x: jnp.unique(x, size=size))(x)
    filled = jax.jit(lambda x: jnp.unique(x, size=size, fill_value=9))(x)
    assert np.array_equal(least, [*expected, *[x.min()] * missing])
    assert np.array_equal(filled, [*expected, *[9] * missing])


@some
@given(sets, sets, st.sampled_from(PAIRS))
def test_pairs_agree_with_numpy(a: np.ndarray, b: np.ndarray, name: str) -> None:
    assert np.array_equal(getattr(jnp, name)(a, b), getattr(np, name)(a, b))


@few
@given(sets.filter(len), sets.filter(len), st.sampled_from(PAIRS))
def test_pairs_with_a_size_begin_with_the_same(a: np.ndarray, b: np.ndarray, name: str) -> None:
    expected = getattr(np, name)(a, b)
    size = len(a) + len(b)
    got = jax.jit(lambda a, b: getattr(jnp, name)(a, b, size=size, fill_value=9))(a, b)
    assert np.array_equal(got, [*expected, *[9] * (size - len(expected))])


@some
@given(sets, sets)
def test_intersect1d_tells_the_places(a: np.ndarray, b: np.ndarray) -> None:
    got = jnp.intersect1d(a, b, return_indices=True)
    assert all(np.array_equal(g, e) for g, e in zip(got, np.intersect1d(a, b, return_indices=True), strict=True))


@some
@given(sets, sets, st.sampled_from(["auto", "sort", "compare_all", "binary_search"]), st.booleans())
def test_isin_agrees_with_numpy(a: np.ndarray, b: np.ndarray, method: str, invert: bool) -> None:
    assert np.array_equal(jnp.isin(a, b, invert=invert, method=method), np.isin(a, b, invert=invert))


def test_nan_is_one_element_unless_told_otherwise() -> None:
    x = np.array([np.nan, 1, np.nan], np.float32)
    assert jnp.unique(x).shape == (2,) and jnp.unique(x, equal_nan=False).shape == (3,)
    assert jnp.unique_values(x).shape == (3,)


def test_the_array_api_results_have_names() -> None:
    out = jnp.unique_all(np.array([3, 1, 1]))
    assert [np.asarray(x).tolist() for x in out] == [[1, 3], [1, 0], [1, 0, 0], [2, 1]]
    assert np.array_equal(out.inverse_indices, [1, 0, 0]) and np.array_equal(out.counts, [2, 1])


@pytest.mark.parametrize("name", ["unique", *PAIRS])
def test_traced_sets_need_a_size(name: str) -> None:
    fun: Any = jnp.unique if name == "unique" else lambda x: getattr(jnp, name)(x, x)
    with pytest.raises(jax.errors.ConcretizationTypeError):
        jax.jit(fun)(np.arange(3))


def test_an_empty_array_with_a_size_needs_a_fill_value() -> None:
    with pytest.raises(ValueError, match="fill_value must be specified"):
        jnp.unique(np.zeros(0), size=2)
    assert np.array_equal(jnp.unique(np.zeros(0), size=2, fill_value=1), [1, 1])
