"""Reductions agree with NumPy along every axis, in the dtypes that JAX gives them, and refuse what JAX refuses."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import minijax as jax
import minijax.numpy as jnp

some = settings(max_examples=12, deadline=None)
values = arrays(
    np.float32, array_shapes(min_dims=1, max_dims=3, max_side=4), elements=st.sampled_from([-2.0, -0.5, 0.0, 1.0, 3.0])
)
holes = arrays(
    np.float32, array_shapes(min_dims=1, max_dims=3, max_side=4), elements=st.sampled_from([-2.0, 1.0, np.nan])
)

FOLDS = ["sum", "prod", "max", "min", "amax", "amin", "all", "any", "mean", "var", "std", "ptp", "count_nonzero"]
NAN_FOLDS = ["nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd"]
SCANS = ["cumsum", "cumprod", "nancumsum", "nancumprod"]


def agree(mine: Any, theirs: Any) -> None:
    np.testing.assert_allclose(np.asarray(mine), theirs, rtol=1e-5, atol=1e-6, equal_nan=True)


def some_axes(data: Any, ndim: int) -> Any:
    axes = st.lists(st.integers(-ndim, ndim - 1), unique_by=lambda d: d % ndim).map(tuple)
    return data.draw(st.none() | st.integers(-ndim, ndim - 1) | axes)


@pytest.mark.parametrize("name", FOLDS)
@some
@given(values, st.booleans(), st.data())
def test_a_fold_agrees_with_numpy(name: str, x: np.ndarray, keepdims: bool, data: Any) -> None:
    axis = some_axes(data, x.ndim)
    if axis == () and name in ("ptp", "count_nonzero"):  # NumPy takes no empty tuple there
        return
    agree(getattr(jnp, name)(x, axis=axis, keepdims=keepdims), getattr(np, name)(x, axis=axis, keepdims=keepdims))


@pytest.mark.parametrize("name", NAN_FOLDS)
@some
@given(holes, st.booleans(), st.data())
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_fold_without_nan_agrees_with_numpy(name: str, x: np.ndarray, keepdims: bool, data: Any) -> None:
    axis = some_axes(data, x.ndim)
    if axis == ():
        return
    agree(getattr(jnp, name)(x, axis=axis, keepdims=keepdims), getattr(np, name)(x, axis=axis, keepdims=keepdims))


@pytest.mark.parametrize("name", SCANS)
@some
@given(holes, st.data())
def test_a_scan_agrees_with_numpy(name: str, x: np.ndarray, data: Any) -> None:
    axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1))
    agree(getattr(jnp, name)(x, axis=axis), getattr(np, name)(x, axis=axis))


@some
@given(values, st.data())
def test_a_cumulative_sum_ends_at_the_sum_and_may_start_at_nothing(x: np.ndarray, data: Any) -> None:
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    steps = jnp.cumulative_sum(x, axis=axis, include_initial=True)
    assert steps.shape[axis] == x.shape[axis] + 1 and not jnp.take(steps, 0, axis=axis).any()
    agree(jnp.take(steps, -1, axis=axis), x.sum(axis))
    agree(jnp.take(jnp.cumulative_prod(x, axis=axis), -1, axis=axis), x.prod(axis))


@some
@given(values, st.data())
def test_a_mask_and_an_initial_value_agree_with_numpy(x: np.ndarray, data: Any) -> None:
    where = data.draw(arrays(np.bool_, x.shape))
    axis = data.draw(st.none() | st.integers(0, x.ndim - 1))
    for name in ("sum", "prod", "max", "min"):
        mine = getattr(jnp, name)(x, axis=axis, where=where, initial=1.0)
        agree(mine, getattr(np, name)(x, axis=axis, where=where, initial=1.0))
    agree(jnp.all(x, axis=axis, where=where), np.all(x, axis=axis, where=where))


@pytest.mark.parametrize("name", ["argmax", "argmin", "nanargmax", "nanargmin"])
@some
@given(values, st.booleans(), st.data())
def test_the_place_of_an_extreme_agrees_with_numpy(name: str, x: np.ndarray, keepdims: bool, data: Any) -> None:
    axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1))
    theirs = getattr(np, name)(x, axis=axis, keepdims=keepdims)
    assert np.array_equal(getattr(jnp, name)(x, axis=axis, keepdims=keepdims), theirs)


def test_the_first_nan_is_the_extreme_and_a_line_of_nan_has_no_place() -> None:
    x = jnp.array([[1.0, jnp.nan, 3.0], [jnp.nan, jnp.nan, jnp.nan]])
    assert jnp.argmax(x, axis=1).tolist() == jnp.argmin(x, axis=1).tolist() == [1, 0]
    assert jnp.nanargmax(x, axis=1).tolist() == [2, -1] and jnp.nanargmin(x, axis=1).tolist() == [0, -1]


@some
@given(values, st.data())
def test_a_weighted_average_is_a_sum_of_products(x: np.ndarray, data: Any) -> None:
    axis = data.draw(st.integers(0, x.ndim - 1))
    weights = np.arange(1, x.shape[axis] + 1, dtype=np.float32)
    mine, total = jnp.average(x, axis=axis, weights=weights, returned=True)
    agree(mine, np.average(x, axis=axis, weights=weights))
    agree(total, np.full_like(mine, weights.sum()))


# ---- dtypes


@pytest.mark.parametrize(
    "name, of, dtype",
    [("sum", "int8", "int32"), ("sum", "uint8", "uint32"), ("sum", "bool", "int32"), ("prod", "int16", "int32"),
     ("sum", "bfloat16", "bfloat16"), ("mean", "int32", "float32"), ("mean", "float16", "float16"),
     ("cumsum", "int8", "int8"), ("cumsum", "bool", "int32"), ("all", "float32", "bool"), ("max", "int8", "int8"),
     ("var", "int32", "float32"),
     ("var", "complex64", "float32"), ("argmax", "float32", "int32"), ("count_nonzero", "int8", "int32")],
)  # fmt: skip
def test_the_dtype_of_a_result_is_jaxs(name: str, of: str, dtype: str) -> None:
    assert getattr(jnp, name)(jnp.ones(3, of)).dtype.name == dtype
    assert not getattr(jnp, name)(jnp.ones(3, of)).weak_type


def test_narrow_floats_are_added_up_in_float32() -> None:
    assert float(jnp.sum(jnp.ones(300, jnp.bfloat16))) == 300
    assert float(jnp.mean(jnp.full(2, 60000, jnp.float16))) == 60000
    assert jnp.sum(jnp.ones(3, jnp.int8), promote_integers=False).dtype == jnp.int8
    assert jnp.sum(jnp.array([2, 0]), dtype=bool).tolist() is True


# ---- nothing to fold


def test_folding_nothing_gives_the_neutral_element_or_is_refused() -> None:
    nothing = jnp.zeros((0, 3))
    assert jnp.sum(nothing) == 0 and jnp.prod(nothing) == 1 and jnp.all(nothing) and not jnp.any(nothing)
    assert jnp.max(nothing, axis=1).shape == (0,) and jnp.max(nothing, initial=-1.0) == -1
    for name in ("max", "min"):
        with pytest.raises(ValueError, match=f"zero-size array to reduction operation {name} which has no identity"):
            getattr(jnp, name)(nothing, axis=0)
    with pytest.raises(ValueError, match="attempt to get argmax of an empty sequence"):
        jnp.argmax(nothing)
    assert np.isnan(jnp.mean(nothing)) and np.isnan(jnp.var(jnp.ones(1), ddof=1))


# ---- refusals

x = np.ones((2, 3), np.float32)


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: jnp.sum(x, axis=2), ValueError, "axis 2 is out of bounds for array of dimension 2"),
        (lambda: jnp.sum(x, axis=(0, 0)), ValueError, r"duplicate value in 'axis': \(0, 0\)"),
        (lambda: jnp.sum(x, axis=1.0), TypeError, "'float' object is not iterable"),
        (lambda: jnp.sum([1, 2]), TypeError, "sum requires ndarray or scalar arguments"),
        (lambda: jnp.sum(x, out=x), NotImplementedError, "The 'out' argument to jnp.sum is not supported."),
        (lambda: jnp.sum(x, where=x), ValueError, "where must be None or a boolean array"),
        (lambda: jnp.max(x, where=x > 0), ValueError, "to use a where mask one has to specify 'initial'"),
        (lambda: jnp.sum(x, initial=jnp.ones(2)), ValueError, "initial value must be a scalar"),
        (lambda: jax.jit(lambda axis: jnp.sum(x, axis=axis))(0), TypeError, "concrete value is expected"),
        (lambda: jnp.var(x, ddof=1, correction=1), ValueError, "can't be provided simultaneously"),
        (lambda: jnp.std(x, dtype=int), ValueError, "dtype argument to jnp.std must be inexact; got int32"),
        (lambda: jnp.average(x, weights=np.ones(3)), ValueError, "Axis must be specified"),
        (lambda: jnp.average(x, axis=0, weights=np.ones(3)), ValueError, "Shape of weights must be consistent"),
        (lambda: jnp.cumsum(x, axis=1.0), TypeError, "cannot be interpreted as an integer"),
        (lambda: jnp.cumulative_sum(x), ValueError, "axis was not set to an explicit value"),
        (lambda: jnp.cumulative_prod(1.0), ValueError, "must be non-scalar to take a cumulative product"),
    ],
)
def test_refusals_are_jaxs(call: Any, error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        call()


def test_plain_reductions_are_bare_equations_and_variance_is_jitted() -> None:
    names = lambda f: [eqn.primitive.name for eqn in jax.make_jaxpr(f)(x).eqns]
    assert names(jnp.sum) == ["reduce_sum"] and names(jnp.mean) == ["reduce_sum", "div"]
    assert jax.make_jaxpr(jnp.var)(x).eqns[0].params["name"] == "_var"


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_zeros_have_their_sign_in_whatever_order_they_come(dtype: str) -> None:
    zeros = jnp.array([[-0.0, 0.0, -0.0], [0.0, -0.0, -0.0], [-1.0, 0.0, jnp.nan]], dtype)
    assert jnp.signbit(zeros.max(1)).tolist()[:2] == jnp.signbit(zeros[:, :2].max(0)).tolist() == [False, False]
    assert jnp.signbit(zeros[:2].min(1)).tolist() == [True, True]
    assert jnp.signbit(zeros[:2].max(0)).tolist() == [False, False, True]
    assert jnp.isnan(zeros.max(1)[2]) and jnp.isnan(zeros.min())
