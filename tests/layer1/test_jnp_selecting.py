"""Choosing, taking, putting and editing agree with NumPy; traced code must say how many there are."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import minijax as jax
import minijax.numpy as jnp

some = settings(max_examples=60, deadline=None)
few = settings(max_examples=20, deadline=None)  # each example has a shape of its own, and is compiled
masks = arrays(bool, array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4))
M = np.arange(6, dtype=np.float32).reshape(2, 3)
I = np.array([0, 2, 1, -1])


def same(got: Any, expected: Any) -> None:
    got, expected = jax.tree.leaves(got), jax.tree.leaves(expected)
    assert [(x.shape, x.dtype) for x in got] == [(y.shape, y.dtype) for y in expected]
    assert all(np.array_equal(x, y, equal_nan=x.dtype.kind == "f") for x, y in zip(got, expected, strict=True))


CASES = [
    lambda xp, x: xp.where(x > 2, x, x[0]),
    lambda xp, x: xp.where(x > 2, x, np.float32(0)),
    lambda xp, x: xp.select([x > 3, x > 1], [x, -x], np.float32(7)),
    lambda xp, x: xp.clip(x, 1, 4),
    lambda xp, x: xp.clip(x, x[0], None),
    lambda xp, x: xp.clip(x, None, x[:, :1]),
    lambda xp, x: xp.choose(np.array([0, 4, -1]), [x, -x], mode="wrap"),
    lambda xp, x: xp.choose(np.array([0, 4, -1]), [x, -x], mode="clip"),
    lambda xp, x: xp.piecewise(x, [x < 2, x > 3], [lambda v: -v, lambda v: v * 2, 7]),
    lambda xp, x: xp.piecewise(x, [x < 2, x < 4], [1, 2]),
    lambda xp, x: xp.take(x, I),
    lambda xp, x: xp.take(x, I, axis=1),
    lambda xp, x: xp.take(x, I.reshape(2, 2), axis=1),
    lambda xp, x: xp.take(x, I + 2, axis=1, mode="wrap"),
    lambda xp, x: xp.take(x, np.array([9, 0]), axis=1, mode="clip"),
    lambda xp, x: xp.take_along_axis(x, np.array([[0, 2], [1, 1]]), 1),
    lambda xp, x: xp.take_along_axis(x, np.array([[2]]), 1),
    lambda xp, x: xp.take_along_axis(x, np.array([[0, 1, 0]]), 0),
    lambda xp, x: xp.take_along_axis(x, I, None),
    lambda xp, x: xp.delete(x, 1, axis=1),
    lambda xp, x: xp.delete(x, -1),
    lambda xp, x: xp.delete(x, slice(0, 4, 2)),
    lambda xp, x: xp.delete(x, np.array([0, 2]), axis=1),
    lambda xp, x: xp.delete(x, np.array([True, False]), axis=0),
    lambda xp, x: xp.insert(x, 1, np.float32(9)),
    lambda xp, x: xp.insert(x, 1, np.float32(9), axis=0),
    lambda xp, x: xp.insert(x, np.array([0, 3]), np.float32(9), axis=1),
    lambda xp, x: xp.insert(x, np.array([1, 1]), x[:, :2], axis=1),
    lambda xp, x: xp.insert(x, slice(0, 2), np.float32(9), axis=1),
]


@pytest.mark.parametrize("fun", CASES)
def test_agrees_with_numpy(fun: Any) -> None:
    same(fun(jnp, M), fun(np, M))
    same(jax.jit(lambda x: fun(jnp, x))(M), fun(np, M))


# A NumPy array is traced too where a function makes an array of it: then these need a known mask, or a mode or a size.
EAGER = [
    lambda xp, x: xp.choose(np.array([[0, 1, 0]]), [x, -x]),
    lambda xp, x: xp.compress(np.array([True, False, True]), x, axis=1),
    lambda xp, x: xp.compress(np.array([True, False, True]), x),
    lambda xp, x: xp.extract(np.arange(6).reshape(2, 3) % 2 == 0, x),
]


@pytest.mark.parametrize("fun", EAGER)
def test_agrees_with_numpy_where_all_is_known(fun: Any) -> None:
    same(fun(jnp, M), fun(np, M))
    with pytest.raises(jax.errors.ConcretizationTypeError):
        jax.jit(lambda x: fun(jnp, x))(M)


def in_place(name: str, *args: Any, **options: Any) -> np.ndarray:
    out = M.copy()
    getattr(np, name)(out, *args, **options)
    return out


@pytest.mark.parametrize(
    ("name", "args", "options"),
    [
        ("put", (np.array([0, 4]), np.array([7.0, 8.0])), {}),
        ("put", (np.array([0, 9]), 7.0), dict(mode="clip")),
        ("put", (np.array([0, 9, -1]), np.array([7.0, 8.0])), dict(mode="wrap")),
        ("place", (M > 1, np.array([7.0, 8.0], np.float32)), {}),
        ("fill_diagonal", (9.0,), {}),
        ("put_along_axis", (np.array([[1], [2]]), 9.0, 1), {}),
        ("put_along_axis", (np.array([1, 5]), np.array([7.0, 8.0]), None), {}),
    ],
)
def test_functions_that_write_in_place_return_an_array(name: str, args: tuple[Any, ...], options: Any) -> None:
    same(getattr(jnp, name)(M, *args, inplace=False, **options), in_place(name, *args, **options))
    with pytest.raises((ValueError, NotImplementedError), match="immutable"):
        getattr(jnp, name)(M, *args, **options)


# ---- where


@some
@given(masks)
def test_nonzero_agrees_with_numpy(mask: np.ndarray) -> None:
    expected = np.nonzero(mask)
    for got in (jnp.nonzero(mask), jnp.where(mask), jnp.argwhere(mask).T):
        assert all(np.array_equal(g, e) for g, e in zip(got, expected, strict=True))


@few
@given(masks.filter(lambda m: m.size > 0), st.integers(1, 9))
def test_nonzero_with_a_size_is_cut_off_or_filled(mask: np.ndarray, size: int) -> None:
    got = jax.jit(lambda m: jnp.nonzero(m, size=size, fill_value=-1))(mask)
    for g, e in zip(got, np.nonzero(mask), strict=True):
        assert np.array_equal(g, [*e, *[-1] * size][:size])


@some
@given(st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple), st.data())
def test_raveling_and_unraveling_places(shape: tuple[int, ...], data: Any) -> None:
    flat = np.array(data.draw(st.lists(st.integers(0, int(np.prod(shape)) - 1), min_size=1, max_size=5)))
    places = jnp.unravel_index(flat, shape)
    assert all(np.array_equal(g, e) for g, e in zip(places, np.unravel_index(flat, shape), strict=True))
    assert np.array_equal(jnp.ravel_multi_index(places, shape), flat)
    off = [p + data.draw(st.integers(-9, 9)) for p in places]
    for mode in ("wrap", "clip"):
        for order in "CF":
            expected = np.ravel_multi_index([np.asarray(p) for p in off], shape, mode=mode, order=order)  # type: ignore[call-overload]
            assert np.array_equal(jnp.ravel_multi_index(off, shape, mode=mode, order=order), expected)


def test_trim_zeros() -> None:
    x = np.array([0, 0, 1, 0, 2, 0])
    for trim in ("fb", "f", "b"):
        assert np.array_equal(jnp.trim_zeros(x, trim), np.trim_zeros(x, trim))
    assert jnp.trim_zeros(np.zeros(3)).shape == (0,)
    assert np.array_equal(jnp.trim_zeros(np.array([[0, 0], [0, 1]])), [[1]])


# ---- types


def test_where_promotes_and_weak_stays_weak() -> None:
    assert jnp.where(True, 1, 2).weak_type and jnp.where(True, 1, 2.5).dtype == np.float32
    assert jnp.where(M > 1, np.int8(1), 2).dtype == np.int8
    assert jnp.clip(np.int8([5]), -300.0, 3).dtype == np.float32


def test_where_and_clip_are_one_equation() -> None:
    for fun, name in [(lambda x: jnp.where(x > 0, x, 0), "_where"), (lambda x: jnp.clip(x, 0), "clip")]:
        assert jax.make_jaxpr(fun)(M).eqns[-1].params["name"] == name


# ---- refusals


@pytest.mark.parametrize(
    ("fun", "error", "words"),
    [
        (lambda: jnp.where(M > 1, M), TypeError, "where requires ndarray or scalar arguments, got <class 'NoneType'>"),
        (lambda: jnp.where(M > 1, M, 1, size=3), ValueError, "size and fill_value arguments cannot be used"),
        (lambda: jnp.nonzero(3), ValueError, "Calling nonzero on 0d arrays is not allowed"),
        (lambda: jnp.select([], []), ValueError, "condlist must be non-empty"),
        (lambda: jnp.clip(M, 1j), ValueError, "Clip received a complex value"),
        (lambda: jnp.choose(np.array([2]), [1, 2]), ValueError, "invalid entry in choice array"),
        (lambda: jnp.take(M, I, mode="x"), ValueError, "Invalid mode 'x' for np.take"),
        (
            lambda: jnp.take(np.zeros((0, 2)), I, axis=0),
            IndexError,
            r"Cannot do a non-empty jnp.take\(\) from an empty axis",
        ),
        (lambda: jnp.take_along_axis(M, I, 1), ValueError, "must have the same number of dimensions; 1 vs. 2"),
        (lambda: jnp.take_along_axis(M, M, 1), TypeError, "take_along_axis indices must be of integer type"),
        (lambda: jnp.compress(np.ones(9, bool), M), ValueError, "condition contains entries that are out of bounds"),
        (lambda: jnp.delete(M, 6), ValueError, "axis 6 is out of bounds for array of dimension 6"),
        (
            lambda: jnp.insert(M, np.array([[0]]), 1),
            ValueError,
            "obj must be a slice, a one-dimensional array, or a scalar",
        ),
        (lambda: jnp.ravel_multi_index((I,), (3,)), ValueError, "invalid entry in coordinates array"),
    ],
)
def test_refusals(fun: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        fun()


@pytest.mark.parametrize(
    "fun",
    [jnp.nonzero, jnp.argwhere, jnp.flatnonzero, jnp.trim_zeros, lambda x: jnp.compress(x > 1, x),
     lambda x: jnp.delete(x, x.astype(int)), lambda x: jnp.choose(x.astype(int), [x])],
)  # fmt: skip
def test_traced_values_cannot_decide_a_shape(fun: Any) -> None:
    with pytest.raises(jax.errors.ConcretizationTypeError):
        jax.jit(fun)(np.arange(3.0, dtype=np.float32))
