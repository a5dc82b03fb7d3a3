"""Elementwise primitives: one operand, two operands, comparisons, selection."""

import enum
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import dtypes
from ..aval import ShapedArray, shaped, typeof
from ..pretty import without
from ..primitive import Primitive
from .families import (
    accepts,
    all_weak,
    any_,
    binary,
    binder,
    boolean,
    broadcast_shape,
    check_dtype_at,
    check_same_dtypes,
    comparison,
    complex_,
    described,
    floating,
    inexact,
    integer,
    number,
    ordered,
    primitive,
    unary,
)

_signed_numbers = (np.integer, np.complexfloating, np.floating)  # in the order of JAX's messages
_bits = integer + boolean

# ---- one operand


def _accurate(name: str, accepted: tuple[type, ...]) -> Primitive:
    """A transcendental function: it has a parameter `accuracy`, which is printed only where it is set."""
    p = unary(name, accepted)
    p.pretty = without(accuracy=None)
    return p


neg_p = unary("neg", _signed_numbers)
sign_p = unary("sign", _signed_numbers)
square_p = unary("square", _signed_numbers)
abs_p = unary("abs", (np.floating, np.complexfloating, np.signedinteger), dtypes.real_dtype)
floor_p = unary("floor", floating)
ceil_p = unary("ceil", floating)
round_p = unary("round", floating)
is_finite_p = unary("is_finite", floating, lambda dtype: np.dtype("bool"))
not_p = unary("not", _bits)
population_count_p = unary("population_count", integer)
clz_p = unary("clz", integer)

exp_p, exp2_p, log_p, log1p_p, expm1_p, sin_p, cos_p, tan_p, tanh_p, logistic_p, sqrt_p, rsqrt_p = (
    _accurate(name, inexact)
    for name in ["exp", "exp2", "log", "log1p", "expm1", "sin", "cos", "tan", "tanh", "logistic", "sqrt", "rsqrt"]
)
cbrt_p = _accurate("cbrt", floating)
asin_p, acos_p, atan_p, sinh_p, cosh_p, asinh_p, acosh_p, atanh_p = (
    unary(name, inexact) for name in ["asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh"]
)

real_p = unary("real", complex_, dtypes.real_dtype)
imag_p = unary("imag", complex_, dtypes.real_dtype)
conj_p = unary("conj", (np.float32, np.complexfloating, np.float64), dtypes.complex_dtype)


def _integer_pow_rule(x: ShapedArray, *, y: int) -> ShapedArray:
    if not accepts(x.dtype, number):
        families = "integer, complexfloating, floating"
        raise TypeError(
            f"integer_pow does not accept dtype {x.dtype.name}. Accepted dtypes are subtypes of {families}."
        )
    if y < 0 and accepts(x.dtype, integer):
        raise TypeError(f"Integers cannot be raised to negative powers, got integer_pow({x}, {y})")
    return x


integer_pow_p = primitive("integer_pow", _integer_pow_rule)

# ---- two operands

add_p = binary("add", _signed_numbers)
sub_p = binary("sub", _signed_numbers)
mul_p = binary("mul", _signed_numbers)
mul_p.pretty = without(out_dtype=None)
div_p = binary("div", _signed_numbers)
rem_p = binary("rem", integer + floating)
max_p = binary("max", any_)
min_p = binary("min", any_)
atan2_p = binary("atan2", inexact)
nextafter_p = binary("nextafter", floating)
mulhi_p = binary("mulhi", integer)
complex_p = binary("complex", (np.float32, np.float64), dtype_rule=lambda re, im: dtypes.complex_dtype(re))
and_p, or_p, xor_p = (binary(name, _bits) for name in ("and", "or", "xor"))
shift_left_p, shift_right_arithmetic_p, shift_right_logical_p = (
    binary(name, integer) for name in ("shift_left", "shift_right_arithmetic", "shift_right_logical")
)


def _pow_rule(x: ShapedArray, y: ShapedArray) -> ShapedArray:
    if not accepts(x.dtype, inexact):
        raise TypeError(
            f"pow does not accept dtype {x.dtype.name} at position 0. "
            "Accepted dtypes at position 0 are subtypes of floating, complexfloating."
        )
    if x.dtype != y.dtype and not accepts(y.dtype, integer):
        raise TypeError(
            "the first argument to pow must have an inexact dtype (float or complex), and the second argument must "
            "have an inexact or integer dtype, and two inexact dtypes must match, "
            f"but got {x.dtype.name} and {y.dtype.name} respectively."
        )
    return shaped(broadcast_shape("pow", [x.shape, y.shape]), x.dtype, all_weak((x, y)))


pow_p = primitive("pow", _pow_rule)

# ---- comparisons

eq_p, ne_p = comparison("eq"), comparison("ne")
lt_p, le_p, gt_p, ge_p = (comparison(name, ordered) for name in ("lt", "le", "gt", "ge"))

# ---- selection


def _select_n_rule(which: ShapedArray, *cases: ShapedArray) -> ShapedArray:
    if len(cases) < 1:
        raise ValueError("select_n() must have at least one case")
    if any(case.shape != cases[0].shape for case in cases):
        raise TypeError(f"select cases must have the same shapes, got [{', '.join(str(c.shape) for c in cases)}].")
    if which.shape and which.shape != cases[0].shape:
        raise TypeError(
            "select `which` must be scalar or have the same shape as cases, "
            f"got `which` shape {which.shape} but case shape {cases[0].shape}."
        )
    if not accepts(which.dtype, integer + boolean):
        raise TypeError(f"select `which` must be boolean or integer type, got {which.dtype.name}.")
    if which.dtype == np.bool_ and len(cases) > 2:
        raise TypeError("select with boolean `which` cannot have > 2 cases.")
    check_same_dtypes("select", cases)
    first = cases[0]
    return shaped(first.shape, first.dtype, all_weak(cases))


select_n_p = primitive("select_n", _select_n_rule)


_clamped = (*integer, *boolean, *complex_, *floating)  # in the order of JAX's message


def _clamp_rule(low: ShapedArray, x: ShapedArray, high: ShapedArray) -> ShapedArray:
    check_dtype_at("clamp", (low, x, high), (_clamped,) * 3)
    check_same_dtypes("clamp", (low, x, high))
    for name, bound in (("min", low), ("max", high)):
        if bound.shape and bound.shape != x.shape:
            raise TypeError(
                f"clamp requires {name}.shape == operand.shape or {name}.shape == (), "
                f"got {name}.shape={bound.shape}, operand.shape={x.shape}."
            )
    return shaped(x.shape, x.dtype, all_weak((low, x, high)))


clamp_p = primitive("clamp", _clamp_rule)

# ---- the functions


def _accurate_binder(p: Primitive, doc: str) -> Callable[..., Any]:
    """The function of a transcendental primitive. On a CPU `accuracy` changes nothing."""

    @described(p.name, doc)
    def apply(x: Any, accuracy: Any = None) -> Any:
        return p.bind(x, accuracy=accuracy)

    return apply


neg = binder(neg_p, "-x.")
sign = binder(sign_p, "-1, 0 or 1 by the sign of x; for complex x, x / |x|.")
square = binder(square_p, "x * x.")
abs = binder(abs_p, "|x|; for complex x the modulus, which is real.")
floor = binder(floor_p, "The largest integer below or at x.")
ceil = binder(ceil_p, "The smallest integer above or at x.")
is_finite = binder(is_finite_p, "Whether x is neither infinite nor NaN.")
bitwise_not = binder(not_p, "~x.", "bitwise_not")
population_count = binder(population_count_p, "The number of one bits in x.")
clz = binder(clz_p, "The number of leading zero bits of x.")

exp = _accurate_binder(exp_p, "e ** x.")
exp2 = _accurate_binder(exp2_p, "2 ** x.")
log = _accurate_binder(log_p, "The natural logarithm.")
log1p = _accurate_binder(log1p_p, "log(1 + x), accurate near 0.")
expm1 = _accurate_binder(expm1_p, "exp(x) - 1, accurate near 0.")
sin = _accurate_binder(sin_p, "The sine of x radians.")
cos = _accurate_binder(cos_p, "The cosine of x radians.")
tan = _accurate_binder(tan_p, "The tangent of x radians.")
tanh = _accurate_binder(tanh_p, "The hyperbolic tangent.")
logistic = _accurate_binder(logistic_p, "1 / (1 + exp(-x)).")
sqrt = _accurate_binder(sqrt_p, "The square root; NaN below 0.")
rsqrt = _accurate_binder(rsqrt_p, "1 / sqrt(x).")
cbrt = _accurate_binder(cbrt_p, "The real cube root.")
asin = binder(asin_p, "The inverse sine, in radians.")
acos = binder(acos_p, "The inverse cosine, in radians.")
atan = binder(atan_p, "The inverse tangent, in radians.")
sinh = binder(sinh_p, "The hyperbolic sine.")
cosh = binder(cosh_p, "The hyperbolic cosine.")
asinh = binder(asinh_p, "The inverse hyperbolic sine.")
acosh = binder(acosh_p, "The inverse hyperbolic cosine.")
atanh = binder(atanh_p, "The inverse hyperbolic tangent.")

real = binder(real_p, "The real part of a complex x.")
imag = binder(imag_p, "The imaginary part of a complex x.")

add = binder(add_p, "x + y.")
sub = binder(sub_p, "x - y.")
div = binder(div_p, "x / y; of integers the quotient rounded towards 0.")
rem = binder(rem_p, "The remainder of x / y rounded towards 0: it has the sign of x.")
max = binder(max_p, "The larger of x and y; NaN where one is.")
min = binder(min_p, "The smaller of x and y; NaN where one is.")
pow = binder(pow_p, "x ** y for a floating x.")
atan2 = binder(atan2_p, "The angle of the point (y, x), in radians.")
mulhi = binder(mulhi_p, "The upper half of the bits of x * y.")
nextafter = binder(nextafter_p, "The float next to x in the direction of y.")
complex = binder(complex_p, "x + iy.")
bitwise_and = binder(and_p, "x & y.", "bitwise_and")
bitwise_or = binder(or_p, "x | y.", "bitwise_or")
bitwise_xor = binder(xor_p, "x ^ y.", "bitwise_xor")
shift_left = binder(shift_left_p, "x << y; 0 where y is the width or more.")
shift_right_arithmetic = binder(shift_right_arithmetic_p, "x >> y, filled with copies of the sign bit.")
shift_right_logical = binder(shift_right_logical_p, "x >> y, filled with zeros.")
eq = binder(eq_p, "x == y.")
ne = binder(ne_p, "x != y.")
lt = binder(lt_p, "x < y.")
le = binder(le_p, "x <= y.")
gt = binder(gt_p, "x > y.")
ge = binder(ge_p, "x >= y.")


def mul(x: Any, y: Any) -> Any:
    """x * y."""
    return mul_p.bind(x, y, out_dtype=None)


def conj(x: Any) -> Any:
    """The complex conjugate; of a real x, x as a complex number."""
    return conj_p.bind(x, input_dtype=typeof(x).dtype)


class RoundingMethod(enum.IntEnum):
    """Where a number half-way between two integers goes."""

    AWAY_FROM_ZERO = 0
    TO_NEAREST_EVEN = 1


def round(x: Any, rounding_method: int = RoundingMethod.AWAY_FROM_ZERO) -> Any:
    """The nearest integer, halves as `rounding_method` says. Raises ValueError for what is no RoundingMethod."""
    return round_p.bind(x, rounding_method=RoundingMethod(rounding_method))


def integer_pow(x: Any, y: int) -> Any:
    """x ** y for a Python int y. Raises TypeError for integers to a negative power."""
    return integer_pow_p.bind(x, y=y)


def reciprocal(x: Any) -> Any:
    """1 / x."""
    return integer_pow(x, -1)


def clamp(min: Any, x: Any, max: Any) -> Any:
    """x, or `min` where it is below, or `max` where it is above. The bounds are scalars or of x's shape."""
    return clamp_p.bind(min, x, max)


def select_n(which: Any, *cases: Any) -> Any:
    """cases[which] elementwise; a boolean `which` takes cases[1] where it is true."""
    return select_n_p.bind(which, *cases)


def select(pred: Any, on_true: Any, on_false: Any) -> Any:
    """on_true where pred, else on_false."""
    return select_n_p.bind(pred, on_false, on_true)
