"""sort, top_k and argmax agree with Python's sort of keys that say the order, ties and NaN included."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import minijax.numpy as jnp
from minijax import lax

some = settings(max_examples=60, deadline=None)
floats = st.sampled_from([math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -1.0, 2.5])
small = st.integers(-3, 3)
dtypes = st.sampled_from(["float32", "float16", "bfloat16"])


def bits(x: Any) -> Any:
    return np.asarray(x).tobytes()


def nan_last(v: float) -> tuple[bool, float]:
    return (True, 0.0) if math.isnan(v) else (False, v)


@some
@given(st.lists(floats, min_size=1, max_size=12), dtypes)
def test_sort_puts_nan_last_and_keeps_the_order_of_equals(values: list[float], dtype: str) -> None:
    x = jnp.array(values, dtype)
    order = sorted(range(len(values)), key=lambda i: nan_last(values[i]))
    assert bits(lax.sort(x)) == bits(np.asarray(x)[order])
    got, places = lax.sort_key_val(x, jnp.arange(len(values)))
    assert places.tolist() == order and bits(got) == bits(lax.sort(x))


@some
@given(st.lists(st.tuples(small, floats, small), min_size=1, max_size=12), st.integers(1, 3))
def test_sort_of_several_arrays_goes_by_the_first_keys(rows: list[tuple[int, float, int]], num_keys: int) -> None:
    keys = [(a, nan_last(b), c) for a, b, c in rows]
    order = sorted(range(len(rows)), key=lambda i: keys[i][:num_keys])
    columns = [np.array(c, d) for c, d in zip(zip(*rows, strict=True), ("int32", "float32", "int8"), strict=True)]
    for column, got in zip(columns, lax.sort(columns, num_keys=num_keys), strict=True):
        assert bits(got) == bits(column[order])


@some
@given(st.lists(st.tuples(floats, floats), min_size=1, max_size=8))
def test_complex_numbers_go_by_their_real_part_first(values: list[tuple[float, float]]) -> None:
    x = np.array([complex(a, b) for a, b in values], np.complex64)
    order = sorted(range(len(values)), key=lambda i: (nan_last(values[i][0]), nan_last(values[i][1])))
    assert bits(lax.sort(x)) == bits(x[order])


@some
@given(st.lists(floats, min_size=1, max_size=10), dtypes, st.data())
def test_top_k_is_the_head_of_a_stable_descending_sort(values: list[float], dtype: str, data: st.DataObject) -> None:
    """Here -0.0 comes after 0.0, for top_k goes by the bits."""
    k = data.draw(st.integers(0, len(values)))
    key = lambda i: (nan_last(values[i]), math.copysign(1, values[i]))  # the order, as a key
    order = sorted(range(len(values)), key=key, reverse=True)
    order = sorted(order, key=lambda i: [j for j in range(len(values)) if key(j) == key(i)].index(i))
    order = sorted(order, key=key, reverse=True)[:k]
    got, places = lax.top_k(jnp.array(values, dtype), k)
    assert places.tolist() == order and places.dtype == np.int32
    assert bits(got) == bits(jnp.array(values, dtype)[places])


@some
@given(st.lists(floats, min_size=1, max_size=10), dtypes)
def test_argmax_and_argmin_take_the_first_nan_or_the_first_of_equals(values: list[float], dtype: str) -> None:
    x = jnp.array(values, dtype)
    nans = [i for i, v in enumerate(values) if math.isnan(v)]
    assert int(lax.argmax(x, 0, np.int32)) == (nans[0] if nans else values.index(max(values)))
    assert int(lax.argmin(x, 0, np.int32)) == (nans[0] if nans else values.index(min(values)))


@some
@given(st.integers(0, 10**6), st.integers(0, 2))
def test_every_axis_is_ordered_by_itself(seed: int, axis: int) -> None:
    x = np.random.default_rng(seed).integers(-9, 9, (3, 4, 2)).astype(np.int16)
    np.testing.assert_array_equal(np.asarray(lax.sort(x, dimension=axis)), np.sort(x, axis))
    values, places = lax.top_k(x, 2, axis=axis)
    np.testing.assert_array_equal(np.asarray(values), np.flip(np.sort(x, axis), axis).take([0, 1], axis))
    np.testing.assert_array_equal(np.take_along_axis(x, np.asarray(places), axis), np.asarray(values))
    np.testing.assert_array_equal(np.asarray(lax.argmax(x, axis, np.int8)), np.argmax(x, axis))


def test_the_approximate_search_is_exact() -> None:
    x = jnp.array([[3.0, 1.0, 2.0], [4.0, 6.0, 5.0]])
    assert [v.tolist() for v in lax.approx_max_k(x, 2)] == [[[3.0, 2.0], [6.0, 5.0]], [[0, 2], [1, 2]]]
    assert [v.tolist() for v in lax.approx_min_k(x, 1, reduction_dimension=0)] == [[[3.0, 1.0, 2.0]], [[0, 0, 0]]]


X = np.arange(6, dtype=np.float32)


@pytest.mark.parametrize(
    "error, words, call",
    [
        (TypeError, "Sort requires at least one operand", lambda: lax.sort(())),
        (ValueError, r"num_keys=3 must be between 1 and len\(operand\)=2", lambda: lax.sort((X, X), num_keys=3)),
        (ValueError, "num_keys=2 must equal 1 for a single operand", lambda: lax.sort(X, num_keys=2)),
        (TypeError, r"must have equal shapes, got: \(6,\) \(2,\)", lambda: lax.sort((X, X[:2]))),
        (ValueError, "k argument to top_k must be nonnegative, got -1", lambda: lax.top_k(X, -1)),
        (ValueError, "no larger than size along axis; got k=7", lambda: lax.top_k(X, 7)),
        (ValueError, "top_k is not compatible with complex", lambda: lax.top_k(X.astype(np.complex64), 1)),
        (ValueError, "Invalid axis -1 for operand shape", lambda: lax.argmax(X, -1, np.int32)),
        (ValueError, "require non-empty reduced dimension", lambda: lax.argmin(X[:0], 0, np.int32)),
        (TypeError, "index_dtype must be an integer type", lambda: lax.argmax(X, 0, np.float32)),
        (TypeError, "gt does not accept dtype complex64", lambda: lax.argmax(X.astype(np.complex64), 0, np.int32)),
        (ValueError, "k must be positive, got 0", lambda: lax.approx_max_k(X, 0)),
        (ValueError, "operand must be a floating type", lambda: lax.approx_max_k(X.astype(int), 1)),
        (NotImplementedError, "aggregate_to_topk", lambda: lax.approx_max_k(X, 1, aggregate_to_topk=False)),
    ],
)
def test_refusals_use_jaxs_words(error: type[Exception], words: str, call: Any) -> None:
    with pytest.raises(error, match=words):
        call()
