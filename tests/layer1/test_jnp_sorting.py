"""Sorting and searching agree with NumPy, and order NaN and equal elements as JAX does."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import minijax as jax
import minijax.numpy as jnp

some = settings(max_examples=60, deadline=None)
few = settings(max_examples=20, deadline=None)  # each example has a shape of its own, and is compiled
floats = st.sampled_from([-np.inf, -1.5, -0.0, 0.0, 1.0, 2.0, np.inf, np.nan])
values = arrays(np.float32, array_shapes(min_dims=1, max_dims=3, max_side=4), elements=floats)
vectors = arrays(np.float32, st.integers(1, 9), elements=floats)
integers = arrays(np.int32, array_shapes(min_dims=1, max_dims=2, max_side=6), elements=st.integers(-3, 3))


@some
@given(values, st.data())
def test_sort_agrees_with_numpy(x: np.ndarray, data: Any) -> None:
    axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1))
    assert np.array_equal(jnp.sort(x, axis), np.sort(x, axis), equal_nan=True)
    descending = jnp.sort(x, axis, descending=True)
    assert np.array_equal(descending, np.flip(np.sort(x, axis), -1 if axis is None else axis), equal_nan=True)


@some
@given(integers, st.booleans(), st.data())
def test_argsort_sorts_and_keeps_the_order_of_equals(x: np.ndarray, descending: bool, data: Any) -> None:
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    places = np.asarray(jnp.argsort(x, axis, descending=descending))
    assert np.array_equal(places, np.argsort(-x if descending else x, axis, kind="stable"))
    assert np.array_equal(jnp.take_along_axis(x, places, axis), jnp.sort(x, axis, descending=descending))


@some
@given(st.integers(1, 3), st.data())
def test_lexsort_agrees_with_numpy(n: int, data: Any) -> None:
    keys = data.draw(arrays(np.int32, (n, 5), elements=st.integers(0, 2)))
    assert np.array_equal(jnp.lexsort(tuple(keys)), np.lexsort(tuple(keys)))


@some
@given(vectors.filter(lambda x: not np.isnan(x).any()), st.data())
def test_partition_puts_one_element_in_its_place(x: np.ndarray, data: Any) -> None:
    kth = data.draw(st.integers(0, len(x) - 1))
    for out in (np.asarray(jnp.partition(x, kth)), x[np.asarray(jnp.argpartition(x, kth))]):
        assert out[kth] == np.sort(x)[kth] and (out[:kth] <= out[kth]).all() and (out[kth:] >= out[kth]).all()
        assert np.array_equal(np.sort(out), np.sort(x))


@few
@given(vectors, values, st.sampled_from(["left", "right"]), st.sampled_from(["scan", "sort", "compare_all"]))
def test_searchsorted_agrees_with_numpy(a: np.ndarray, v: np.ndarray, side: str, method: str) -> None:
    a = np.sort(a)
    expected = np.searchsorted(a, v, side)
    assert np.array_equal(jnp.searchsorted(a, v, side, method=method), expected)
    assert np.array_equal(jax.jit(lambda a, v: jnp.searchsorted(a, v, side, method=method))(a, v), expected)


def test_searchsorted_takes_places_that_sort() -> None:
    a = np.array([3.0, 1.0, 2.0], np.float32)
    assert np.array_equal(jnp.searchsorted(a, np.array([1.5, 9]), sorter=np.argsort(a)), [1, 3])
    assert np.array_equal(jnp.searchsorted(np.zeros(0), np.array([1.5])), [0])


def test_complex_numbers_go_by_real_then_imaginary_part() -> None:
    x = np.array([2 + 1j, 1 + 3j, 2 - 1j, 1 - 3j], np.complex64)
    assert np.array_equal(jnp.sort(x), np.sort(x))
    assert np.array_equal(jnp.sort_complex(x.real), np.sort_complex(x.real).astype(np.complex64))
    assert np.array_equal(jnp.searchsorted(np.sort(x), x), np.searchsorted(np.sort(x), x))


def test_places_are_int32_and_int64_under_x64() -> None:
    x = np.arange(3)
    assert jnp.argsort(x).dtype == np.int32 and jnp.argsort(x, dtype="int8").dtype == np.int8
    with jax.enable_x64(True):
        assert jnp.argsort(x).dtype == np.int64


@pytest.mark.parametrize(
    ("fun", "error", "words"),
    [
        (lambda x: jnp.sort(x, kind="stable"), TypeError, "'kind' argument to sort is not supported"),
        (lambda x: jnp.argsort(x, order="a"), TypeError, "'order' argument to argsort is not supported"),
        (lambda x: jnp.lexsort(()), TypeError, "need sequence of keys with len > 0 in lexsort"),
        (lambda x: jnp.partition(x * 1j, 1), NotImplementedError, "jnp.partition for complex dtype"),
        (lambda x: jnp.searchsorted(x, 1.0, side="up"), ValueError, "invalid argument side='up'"),
        (lambda x: jnp.searchsorted(x[None], 1.0), ValueError, "a should be 1-dimensional"),
        (lambda x: jnp.sort(x, axis=2), ValueError, "axis 2 is out of bounds for array of dimension 1"),
    ],
)
def test_refusals(fun: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        fun(jnp.arange(3.0))


@pytest.mark.parametrize(
    ("fun", "name"), [(jnp.sort, "sort"), (jnp.argsort, "argsort"), (jnp.sort_complex, "sort_complex")]
)
def test_they_are_one_equation(fun: Any, name: str) -> None:
    (eqn,) = jax.make_jaxpr(fun)(np.ones(3, np.float32)).eqns
    assert eqn.params["name"] == name
