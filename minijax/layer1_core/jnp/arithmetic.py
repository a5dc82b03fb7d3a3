"""Arithmetic, powers, comparisons, logic and bits."""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import dtypes
from ..aval import typeof
from ..jit import jit
from ..lax import elementwise as lax
from ..lax.converting import convert
from ..lax.shaping import full_like
from ..trace import Tracer, pure
from . import reductions
from .arguments import array_arguments
from .cumulative import cumprod, cumsum
from .numbers import absolute, is_bool, is_complex, is_inexact, is_unsigned, isnan
from .promotion import (
    check_argument,
    const,
    ensure_arraylike,
    of_types,
    promote_args_inexact,
    promote_args_numeric,
    promote_dtypes_numeric,
    promote_shapes,
    strong_const,
)
from .selecting import _where
from .ufunc_class import alias, binary, ufunc, unary


def _ufunc(name: str, function: Callable[..., Any], doc: str, **methods: Any) -> ufunc:
    """The binary function `name` as a ufunc."""
    call = binary(name, function, doc)
    return ufunc(call, 2, 1, name=name, **methods)


# ---- arithmetic: on truth values, + is or, * is and


Method = Callable[..., Any]


def _updates(name: str) -> Method:
    """How `at` updates many places at once: with the method `name` of `a.at[indices]`. Truth values are counted."""

    def at(a: Any, indices: Any, b: Any) -> Any:
        a = pure(a)
        if a.dtype != np.bool_:
            return getattr(a.at[indices], name)(b)
        count = np.dtype(np.int32)
        b = convert(convert(b, np.dtype(bool)), count)
        return convert(getattr(convert(a, count).at[indices], name)(b), np.dtype(bool))

    return at


add = _ufunc(
    "add", lambda x, y: lax.bitwise_or(x, y) if is_bool(x) else lax.add(x, y), "x + y.",
    identity=0, reduce=reductions.sum, accumulate=cumsum, at=_updates("add"),
)  # fmt: skip
multiply = _ufunc(
    "multiply", lambda x, y: lax.bitwise_and(x, y) if is_bool(x) else lax.mul(x, y), "x * y.",
    identity=1, reduce=reductions.prod, accumulate=cumprod, at=_updates("mul"),
)  # fmt: skip
subtract = _ufunc("subtract", lax.sub, "x - y.", at=lambda a, indices, b: pure(a).at[indices].subtract(b))
maximum = _ufunc("maximum", lax.max, "The larger of x and y; NaN where one is.", reduce=reductions.reduce_max)
minimum = _ufunc("minimum", lax.min, "The smaller of x and y; NaN where one is.", reduce=reductions.reduce_min)
_negative = unary("negative", lax.neg, "-x.")
negative = ufunc(_negative, 1, 1, name="negative")
positive = unary("positive", lambda x: x, "x.")
true_divide = binary("true_divide", lax.div, "x / y, in floating point.", promote_args_inexact, ("x1", "x2"))
divide = alias("divide", true_divide)


@jit
def fmax(x1: Any, x2: Any) -> Any:
    """The larger of x1 and x2; the other one where one is NaN."""
    return _where(bitwise_or(greater(x1, x2), isnan(x2)), x1, x2)


@jit
def fmin(x1: Any, x2: Any) -> Any:
    """The smaller of x1 and x2; the other one where one is NaN."""
    return _where(bitwise_or(less(x1, x2), isnan(x2)), x1, x2)


# ---- division with a whole quotient, rounded down


@jit
def floor_divide(x1: Any, x2: Any, /) -> Any:
    """The largest whole number below or at x1 / x2. XLA's quotients of integers are rounded towards 0: one less."""
    x1, x2 = promote_args_numeric("floor_divide", x1, x2)
    if is_complex(x1):
        raise TypeError("floor_divide does not support complex-valued inputs")
    if is_inexact(x1):
        return _float_divmod(x1, x2)[0]
    quotient = lax.div(x1, x2)
    if is_unsigned(x1):
        return quotient
    down = logical_and(lax.sign(x1) != lax.sign(x2), lax.rem(x1, x2) != 0)
    return _where(down, quotient - 1, quotient)


def _float_divmod(x1: Any, x2: Any) -> tuple[Any, Any]:
    """Quotient, rounded down, and remainder, with the sign of x2."""
    rest = lax.rem(x1, x2)
    whole = _where(x2 == 0, x1, lax.sub(x1, rest))
    quotient = lax.div(whole, x2)
    down = lax.bitwise_and(rest != 0, lax.sign(x2) != lax.sign(rest))
    rest = lax.select(down, rest + x2, rest)
    quotient = lax.select(down, quotient - 1.0, quotient)
    return lax.round(quotient), rest


@jit
def divmod(x1: Any, x2: Any, /) -> tuple[Any, Any]:
    """(x1 // x2, x1 % x2)."""
    x1, x2 = promote_args_numeric("divmod", x1, x2)
    return _float_divmod(x1, x2) if is_inexact(x1) else (floor_divide(x1, x2), remainder(x1, x2))


@jit
def remainder(x1: Any, x2: Any, /) -> Any:
    """What x1 // x2 leaves over: it has the sign of x2. For integers, 0 where x2 is 0."""
    x1, x2 = promote_args_numeric("remainder", x1, x2)
    zero = strong_const(x1, 0)
    x2 = x2 if is_inexact(x2) else _one_for_zero(x2)
    rest = lax.rem(x1, x2)
    not_zero = lax.ne(rest, zero)
    wrong_sign = lax.bitwise_and(lax.ne(lax.lt(rest, zero), lax.lt(x2, zero)), not_zero)
    return lax.select(wrong_sign, lax.add(rest, x2), rest)


def _one_for_zero(x: Any) -> Any:
    return _where(equal(x, 0), full_like(x, 1), x)


mod = alias("mod", remainder)


@jit
def fmod(x1: Any, x2: Any, /) -> Any:
    """What x1 / x2, rounded towards 0, leaves over: it has the sign of x1."""
    x1, x2 = array_arguments("fmod", x1, x2)
    joined = dtypes.join(*[(a.dtype, a.weak_type) for a in map(typeof, (x1, x2))])[0]
    x2 = _one_for_zero(x2) if dtypes.issubdtype(joined, np.integer) else x2
    return lax.rem(*promote_args_numeric("fmod", x1, x2))


# ---- powers


def power(x1: Any, x2: Any, /) -> Any:
    """x1 ** x2. A whole number known now as x2 becomes repeated multiplication.

    Raises TypeError for an integer x1 and such a negative x2.
    """
    x1, x2 = ensure_arraylike("power", x1, x2)
    exponent = None if isinstance(x2, Tracer) else _known_integer(x2)
    if exponent is not None:
        return lax.integer_pow(promote_dtypes_numeric(x1)[0], exponent)
    check_argument(power, x1, "x1")
    check_argument(power, x2, "x2")
    try:
        return _power(x1, x2)
    except TypeError as error:
        raise of_types(error, _power, x1, x2) from None


def _known_integer(x: Any) -> int | None:
    try:
        return operator.index(x)
    except TypeError:
        return None


def _power(x1: Any, x2: Any) -> Any:
    x1, x2 = promote_shapes("power", x1, x2)
    base, exponent = promote_args_numeric("power", x1, x2)
    if not is_inexact(base):
        return _integer_power(base, exponent)
    if is_inexact(x1) and dtypes.issubdtype(typeof(x2).dtype, np.integer):
        return lax.pow(x1, x2)  # exact for large whole exponents, which a float would round
    return lax.pow(base, exponent)


def _integer_power(x: Any, n: Any) -> Any:
    """x ** n by squaring, for n below 64: its bits say which of x, x**2, x**4, ... are multiplied. 0 ** n is 0."""
    zero, one = strong_const(n, 0), strong_const(n, 1)
    product = _where(lax.bitwise_and(lax.eq(x, zero), lax.ne(n, zero)), zero, one)
    for _ in range(6):
        product = _where(lax.bitwise_and(n, one), lax.mul(product, x), product)
        x, n = lax.mul(x, x), lax.shift_right_logical(n, one)
    return product


pow = alias("pow", power)
float_power = binary("float_power", lax.pow, "x ** y, in floating point.", promote_args_inexact)
square = unary("square", lax.square, "x * x.", promote_args_numeric)
reciprocal = unary("reciprocal", lax.reciprocal, "1 / x, in floating point.", promote_args_inexact)

# ---- comparisons: complex numbers are compared by their real parts, and by the imaginary ones where these are equal


def _ordering(name: str, function: Callable[[Any, Any], Any], doc: str) -> Callable[[Any, Any], Any]:
    def compare(x: Any, y: Any) -> Any:
        if not is_complex(x):
            return function(x, y)
        same = lax.eq(lax.real(x), lax.real(y))
        by_imaginary = function(lax.imag(x), lax.imag(y))
        return lax.select(same, by_imaginary, function(lax.real(x), lax.real(y)))

    return binary(name, compare, doc)


equal = binary("equal", lax.eq, "x == y.")
not_equal = binary("not_equal", lax.ne, "x != y.")
less = _ordering("less", lax.lt, "x < y.")
less_equal = _ordering("less_equal", lax.le, "x <= y.")
greater = _ordering("greater", lax.gt, "x > y.")
greater_equal = _ordering("greater_equal", lax.ge, "x >= y.")

# ---- logic: whatever is not 0 is true


def _truth(x: Any) -> Any:
    return x if is_bool(x) else lax.ne(x, const(x, 0))


def _logical(name: str, function: Callable[[Any, Any], Any], doc: str, identity: bool, reduce: Any) -> ufunc:
    return _ufunc(name, lambda x, y: function(_truth(x), _truth(y)), doc, identity=identity, reduce=reduce)


logical_and = _logical("logical_and", lax.bitwise_and, "Whether both are true.", True, reductions.reduce_logical_and)
logical_or = _logical("logical_or", lax.bitwise_or, "Whether one is true.", False, reductions.reduce_logical_or)
logical_xor = _logical(
    "logical_xor", lax.bitwise_xor, "Whether just one is true.", False, reductions.reduce_logical_xor
)
logical_not = unary("logical_not", lambda x: lax.bitwise_not(_truth(x)), "Whether x is 0.")

# ---- bits

bitwise_and = _ufunc("bitwise_and", lax.bitwise_and, "x & y.", identity=-1, reduce=reductions.reduce_bitwise_and)
bitwise_or = _ufunc("bitwise_or", lax.bitwise_or, "x | y.", identity=0, reduce=reductions.reduce_bitwise_or)
bitwise_xor = _ufunc("bitwise_xor", lax.bitwise_xor, "x ^ y.", identity=0, reduce=reductions.reduce_bitwise_xor)
invert = unary("invert", lax.bitwise_not, "~x.")
bitwise_not = unary("bitwise_not", lax.bitwise_not, "~x.")
bitwise_invert = unary("bitwise_invert", lax.bitwise_not, "~x.")


def _shift_right(x: Any, y: Any) -> Any:
    """Zeros come in from the left for an unsigned x, copies of its sign otherwise."""
    return (lax.shift_right_logical if is_unsigned(x) else lax.shift_right_arithmetic)(x, y)


left_shift = binary("left_shift", lax.shift_left, "x << y.", promote_args_numeric)
bitwise_left_shift = binary("bitwise_left_shift", lax.shift_left, "x << y.", promote_args_numeric)
right_shift = binary("right_shift", _shift_right, "x >> y.", promote_args_numeric, ("x1", "x2"))
bitwise_right_shift = alias("bitwise_right_shift", right_shift)


@jit
def bitwise_count(x: Any, /) -> Any:
    """The number of one bits of |x|, as a uint8."""
    (x,) = promote_args_numeric("bitwise_count", x)
    return convert(lax.population_count(absolute(x)), np.dtype(np.uint8))
