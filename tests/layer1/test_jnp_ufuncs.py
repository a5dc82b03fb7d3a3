"""Elementwise functions agree with NumPy, take the types that JAX gives them, and refuse what JAX refuses."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays, broadcastable_shapes, mutually_broadcastable_shapes

import minijax as jax
import minijax.numpy as jnp
from minijax.layer1_core.jnp import promotion
from minijax.layer1_core.jnp.ufunc_class import ufunc

some = settings(max_examples=25, deadline=None)
numbers = st.sampled_from([-np.inf, -2.5, -1.0, -0.0, 0.0, 0.25, 1.0, 3.0, np.inf, np.nan])
whole = st.integers(-9, 9)
pairs = mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3)

UNARY = [
    "abs", "absolute", "arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh", "cbrt", "ceil", "conj",
    "cos", "cosh", "deg2rad", "degrees", "exp", "exp2", "expm1", "fabs", "floor", "imag", "isfinite", "isinf",
    "isnan", "isneginf", "isposinf", "log", "log10", "log1p", "log2", "logical_not", "negative", "positive",
    "rad2deg", "radians", "real", "reciprocal", "rint", "sign", "signbit", "sin", "sinc", "sinh", "sqrt",
    "square", "tan", "tanh", "trunc", "nan_to_num",
]  # fmt: skip
BINARY = [
    "add", "arctan2", "copysign", "divide", "equal", "float_power", "floor_divide", "fmax", "fmin", "fmod",
    "greater", "greater_equal", "heaviside", "hypot", "less", "less_equal", "logaddexp", "logaddexp2",
    "logical_and", "logical_or", "logical_xor", "maximum", "minimum", "mod", "multiply", "nextafter",
    "not_equal", "remainder", "subtract", "true_divide",
]  # fmt: skip
WHOLE = [
    "add", "bitwise_and", "bitwise_or", "bitwise_xor", "floor_divide", "maximum", "minimum", "multiply",
    "remainder", "subtract", "gcd", "lcm",
]  # fmt: skip


def agree(mine: Any, theirs: Any, rtol: float = 2e-5) -> None:
    np.testing.assert_allclose(np.asarray(mine), theirs, rtol=rtol, atol=1e-6, equal_nan=True)


@pytest.mark.parametrize("name", UNARY)
def test_a_function_of_one_array_agrees_with_numpy(name: str) -> None:
    x = np.array([-np.inf, -2.5, -1.0, -0.0, 0.0, 0.25, 1.0, 3.0, np.inf, np.nan], np.float32)
    with np.errstate(all="ignore"):
        agree(getattr(jnp, name)(x), getattr(np, name)(x))


@pytest.mark.parametrize("name", BINARY)
@settings(max_examples=8, deadline=None)
@given(st.data())
def test_a_function_of_two_arrays_agrees_with_numpy_and_broadcasts(name: str, data: Any) -> None:
    shapes = data.draw(pairs).input_shapes
    x, y = (data.draw(arrays(np.float32, shape, elements=numbers)) for shape in shapes)
    with np.errstate(all="ignore"):
        theirs = getattr(np, name)(x, y)
    if name in ("floor_divide", "remainder", "mod", "fmod"):  # XLA's quotients and remainders by 0 and inf differ
        known = np.isfinite(x) & np.isfinite(y) & (y != 0)
        agree(np.where(known, getattr(jnp, name)(x, y), 0), np.where(known, theirs, 0))
    elif name != "nextafter":  # next to 0 there is a subnormal, too small for the tolerance here
        agree(getattr(jnp, name)(x, y), theirs)


@pytest.mark.parametrize("name", WHOLE)
@settings(max_examples=8, deadline=None)
@given(arrays(np.int32, 6, elements=whole), arrays(np.int32, 6, elements=whole.filter(bool)))
def test_a_function_of_two_whole_numbers_agrees_with_numpy(name: str, x: np.ndarray, y: np.ndarray) -> None:
    np.testing.assert_array_equal(np.asarray(getattr(jnp, name)(x, y)), getattr(np, name)(x, y))


@some
@given(arrays(np.int32, 5, elements=whole), arrays(np.int32, 5, elements=whole))
def test_quotient_and_remainder_make_up_the_dividend(x: np.ndarray, y: np.ndarray) -> None:
    quotient, rest = jnp.divmod(x, y)
    assert np.array_equal(np.where(y == 0, x, quotient * y + rest), x)
    assert np.all((rest == 0) | ((rest < 0) == (y < 0)) | (y == 0))


@some
@given(arrays(np.float32, 7, elements=st.floats(-(2.0**99), 2.0**99, width=32, allow_subnormal=False)))
def test_parts_put_together_give_the_number_back(x: np.ndarray) -> None:
    mantissa, exponent = jnp.frexp(x)
    assert np.array_equal(jnp.ldexp(mantissa, exponent), x)
    assert np.all((mantissa == 0) | ((abs(mantissa) >= 0.5) & (abs(mantissa) < 1)))
    fraction, integer = jnp.modf(x)
    assert np.array_equal(fraction + integer, x) and np.array_equal(integer, jnp.trunc(x))


@some
@given(arrays(np.int32, 4, elements=st.integers(-5, 5)), arrays(np.int32, 4, elements=st.integers(0, 9)))
def test_integer_powers_are_repeated_products(x: np.ndarray, n: np.ndarray) -> None:
    assert np.array_equal(jnp.power(x, n), x**n)
    assert np.array_equal(jnp.array(x) ** 3, x**3)


# ---- types


@pytest.mark.parametrize(
    "x, dtype, weak",
    [(2, "float32", True), (True, "float32", False), (np.int8(1), "float32", False), (np.float16(1), "float16", False),
     (1j, "complex64", True), (np.float64(1), "float32", False)],
)  # fmt: skip
def test_mathematics_is_done_in_floating_point_and_weak_types_stay(x: Any, dtype: str, weak: bool) -> None:
    out = jnp.exp(x)
    assert (out.dtype.name, out.weak_type) == (dtype, weak)


@pytest.mark.parametrize(
    "x, y, dtype, weak",
    [("int32", 1, "int32", False), ("int32", 1.5, "float32", True), ("bool", 1, "int32", True),
     ("uint8", 300, "uint8", False), ("float16", 2, "float16", False), ("bfloat16", "float16", "float32", False),
     ("int8", "uint8", "int16", False), ("int32", "bfloat16", "bfloat16", False), (1, 2.0, "float32", True)],
)  # fmt: skip
def test_two_types_meet_at_their_least_upper_bound(x: Any, y: Any, dtype: str, weak: bool) -> None:
    x, y = (jnp.ones(2, v) if isinstance(v, str) else v for v in (x, y))
    out = jnp.multiply(x, y)
    assert (out.dtype.name, out.weak_type) == (dtype, weak)


def test_joined_truth_values_are_never_weak() -> None:
    assert jnp.less(1.0, 2.0).weak_type
    assert not (jnp.less(1.0, 2.0) | jnp.less(2.0, 1.0)).weak_type


def test_the_quick_way_of_promotion_gives_what_the_full_way_gives() -> None:
    operands = [
        1,
        1.5,
        0.0,
        -0.0,
        np.float32(2),
        *(jnp.ones((2,), d) for d in ("int8", "int32", "float16", "float32", "bool")),
    ]
    operands += [jnp.ones((1, 2), "float32"), jnp.array(1.0), jnp.array(2)]
    full = lambda x, y, rule: promotion._promoted("add", (x, y), rule)
    for x in operands:
        for y in operands:
            for promote, rule in (
                (promotion.promote_args, None),
                (promotion.promote_args_inexact, promotion.dtypes.to_inexact_dtype),
                (promotion.promote_args_numeric, promotion.to_numeric_dtype),
            ):
                for a, b in zip(promote("add", x, y), full(x, y, rule), strict=True):
                    assert jax.typeof(a) == jax.typeof(b) and np.array_equal(a, b)
                    assert np.array_equal(np.signbit(a), np.signbit(b)) or jax.typeof(a).dtype.kind not in "f"


# ---- what is printed


def test_conversions_of_constants_leave_no_equation() -> None:
    assert str(jax.make_jaxpr(lambda x: 2 * x + True)(jnp.float16(1))).count("convert_element_type") == 0


@pytest.mark.parametrize(
    "name, inside", [("floor_divide", "_where"), ("hypot", "_where"), ("round", None), ("sinc", "custom_jvp_call")]
)
def test_functions_that_jax_jits_are_one_equation(name: str, inside: str | None) -> None:
    x = jnp.ones(2)
    function = getattr(jnp, name)
    jaxpr = jax.make_jaxpr(lambda x: function(x, x) if name in ("floor_divide", "hypot") else function(x))(x)
    (eqn,) = jaxpr.eqns
    assert eqn.primitive.name == "jit" and eqn.params["name"] == name
    assert inside is None or inside in str(jaxpr)


# ---- ufuncs


@pytest.mark.parametrize("name", ["add", "multiply", "subtract", "maximum", "minimum", "logaddexp"])
def test_reduce_and_accumulate_agree_with_numpy(name: str) -> None:
    x = np.array([[3.0, 1.0, 2.0], [0.5, -4.0, 2.5]], np.float32)
    mine, theirs = getattr(jnp, name), getattr(np, name)
    for axis in (0, 1):
        agree(mine.reduce(x, axis=axis), theirs.reduce(x, axis=axis))
        agree(mine.reduce(x, axis=axis, keepdims=True), theirs.reduce(x, axis=axis, keepdims=True))
        agree(mine.accumulate(x, axis=axis), theirs.accumulate(x, axis=axis))
    agree(mine.outer(x[0], x[1]), theirs.outer(x[0], x[1]))
    agree(mine.reduceat(x[0], jnp.array([0, 2, 1])), theirs.reduceat(x[0], [0, 2, 1]))


@pytest.mark.parametrize("name", ["add", "multiply", "subtract", "maximum"])
def test_at_counts_each_occurrence_of_an_index(name: str) -> None:
    x, places, values = (
        np.arange(1.0, 4.0, dtype=np.float32),
        np.array([0, 0, 2]),
        np.array([2.0, 3.0, 5.0], np.float32),
    )
    theirs = x.copy()
    getattr(np, name).at(theirs, places, values)
    agree(getattr(jnp, name).at(jnp.array(x), jnp.array(places), values, inplace=False), theirs)


def test_ufuncs_refuse_what_jax_refuses() -> None:
    assert isinstance(jnp.add, ufunc) and repr(jnp.add) == "<jnp.ufunc 'add'>"
    with pytest.raises(NotImplementedError, match=r"out argument of <jnp\.ufunc 'add'>"):
        jnp.add(1, 2, out=3)
    with pytest.raises(NotImplementedError, match="inplace=False"):
        jnp.add.at(jnp.zeros(2), 0, 1.0)
    with pytest.raises(ValueError, match="only supported for binary"):
        jnp.negative.reduce(jnp.zeros(2))
    with pytest.raises(ValueError, match="does not have an identity"):
        jnp.subtract.reduce(jnp.zeros(2), where=jnp.array([True, False]))


# ---- refusals


@pytest.mark.parametrize(
    "call, error, words",
    [
        (
            lambda: jnp.sin([1.0]),
            TypeError,
            "sin requires ndarray or scalar arguments, got <class 'list'> at position 0.",
        ),
        (
            lambda: jnp.add(1, [2]),
            TypeError,
            "add requires ndarray or scalar arguments, got <class 'list'> at position 1.",
        ),
        (lambda: jnp.sin("a"), TypeError, "Error interpreting argument to"),
        (lambda: jnp.exp(2**40), OverflowError, "whose argument path is x"),
        (lambda: jnp.arange(3) ** -1, TypeError, "Integers cannot be raised to negative powers"),
        (lambda: jnp.power(2, -1), TypeError, r"integer_pow\(~int32\[\], -1\)"),
        (lambda: jnp.add(jnp.ones((2, 3)), jnp.ones(2)), ValueError, "Incompatible shapes for broadcasting"),
        (lambda: jnp.add(jnp.ones(3), jnp.ones(2)), TypeError, "add got incompatible shapes for broadcasting"),
        (lambda: jnp.bitwise_and(1.0, 2), TypeError, "and does not accept dtype float32"),
        (lambda: -jnp.array(True), TypeError, "neg does not accept dtype bool"),
        (lambda: jnp.round(jnp.array([12]), -1), NotImplementedError, "decimals < 0"),
        (lambda: jnp.signbit(1j), ValueError, "not well defined for complex64"),
        (lambda: jnp.hypot(1j, 1.0), ValueError, "not well defined for complex-valued inputs"),
        (lambda: jnp.gcd(1.0, 2.0), ValueError, "Arguments to jax.numpy.gcd must be integers."),
        (lambda: jnp.ldexp(1.0, 2.0), ValueError, "ldexp not supported for input types"),
        (lambda: jnp.fabs(1j), TypeError, "ufunc 'fabs' does not support complex dtypes"),
    ],
)
def test_refusals_are_jaxs(call: Any, error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        call()


def test_rank_promotion_can_be_forbidden() -> None:
    with jax.numpy_rank_promotion("raise"), pytest.raises(ValueError, match="jax_numpy_rank_promotion='raise'"):
        jnp.add(jnp.ones((2, 3)), jnp.ones(3))


# ---- comparing


@some
@given(arrays(np.float32, broadcastable_shapes((2, 3), max_dims=2), elements=numbers))
def test_isclose_agrees_with_numpy(y: np.ndarray) -> None:
    x = np.array([[1.0, 3.0, np.nan], [np.inf, -2.5, 0.0]], np.float32)
    for equal_nan in (False, True):
        theirs = np.isclose(x, y, equal_nan=equal_nan)
        assert np.array_equal(jnp.isclose(x, y, equal_nan=equal_nan), theirs)
        assert bool(jnp.allclose(x, y, equal_nan=equal_nan)) == theirs.all()


def test_arrays_of_other_shapes_are_not_equal() -> None:
    assert not jnp.array_equal([1, 2], [1, 2, 3]) and jnp.array_equal([1, 2], (1.0, 2.0))
    assert jnp.array_equiv(jnp.ones((2, 3)), 1) and not jnp.array_equiv(jnp.ones((2, 3)), jnp.ones(2))
    assert not jnp.array_equal(math.nan, math.nan) and jnp.array_equal(math.nan, math.nan, equal_nan=True)
