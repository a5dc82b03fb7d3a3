"""What the elementwise primitives compute, in NumPy: one number out for one number (or two, or three) in.

Operands have equal ranks; an axis of size 1 is stretched, by NumPy's own rule. float16 and bfloat16 are
computed in float32 and rounded once at the end, as XLA does on the CPU.
"""

from collections.abc import Callable

import numpy as np

Rule = Callable[..., np.ndarray]


def ufunc(function: Callable) -> Rule:
    """The rule that applies `function` and drops the params that only say how to compute (accuracy, ...)."""

    def rule(*operands: np.ndarray, **_) -> np.ndarray:
        return np.asarray(function(*operands))

    return rule


def float_ufunc(function: Callable) -> Rule:
    """Like `ufunc`, for a function of floats: what is narrower than float32 goes through float32."""

    def rule(*operands: np.ndarray, **_) -> np.ndarray:
        dtype = operands[0].dtype
        if dtype.itemsize < 4:
            operands = tuple(x.astype(np.float32) for x in operands)
        return np.asarray(function(*operands), dtype)

    return rule


def unsigned(x: np.ndarray) -> np.ndarray:
    """The same bits read as unsigned integers."""
    return x.view(f"u{x.dtype.itemsize}")


# ---- one operand

neg = ufunc(np.negative)


def sign(x: np.ndarray) -> np.ndarray:
    """-1, 0 or 1; the zeros keep their sign and NaN stays. For a complex number: x / |x|, and 0 for 0."""
    if x.dtype.kind == "c":
        return np.asarray(np.sign(x))
    return np.where(x > 0, x.dtype.type(1), np.where(x < 0, -np.ones((), x.dtype), x))


square = ufunc(np.square)


def abs(x: np.ndarray) -> np.ndarray:
    """The size; NaN also where one part of a complex number is NaN and the other infinite, unlike NumPy's."""
    size = np.asarray(np.abs(x))
    return np.where(np.isnan(x), size.dtype.type(np.nan), size) if x.dtype.kind == "c" else size


floor = float_ufunc(np.floor)
ceil = float_ufunc(np.ceil)


def round(x: np.ndarray, *, rounding_method: int) -> np.ndarray:
    """The nearest whole number; a half goes away from zero (method 0) or to the even one (method 1)."""
    return round_away(x) if int(rounding_method) == 0 else round_to_even(x)


@float_ufunc
def round_away(x):
    whole = np.trunc(x)
    return whole + np.copysign(np.abs(x - whole) >= 0.5, x)  # floor(x + 0.5) would be wrong for 0.49999997


round_to_even = float_ufunc(np.rint)
is_finite = ufunc(np.isfinite)
not_ = ufunc(np.invert)


def population_count(x: np.ndarray) -> np.ndarray:
    """How many bits are 1."""
    return np.bitwise_count(unsigned(x)).astype(x.dtype)


def clz(x: np.ndarray) -> np.ndarray:
    """How many bits are 0 ahead of the first 1: the width less the ones, once every bit behind a 1 is 1 too."""
    bits, width = unsigned(x), 8 * x.dtype.itemsize
    for shift in (1, 2, 4, 8, 16, 32):
        if shift < width:
            bits = bits | bits >> bits.dtype.type(shift)
    return (width - np.bitwise_count(bits)).astype(x.dtype)


@float_ufunc
def exp(x):
    y = np.exp(x)
    return y if y.dtype.kind == "c" else np.where(y < np.finfo(y.dtype).tiny, 0, y)  # XLA has no denormal numbers


@ufunc
def exp2(x):
    return exp(x * x.dtype.type(np.log(2)))  # XLA has no exp2 either


log = float_ufunc(np.log)
log1p = float_ufunc(np.log1p)
expm1 = float_ufunc(np.expm1)
sin = float_ufunc(np.sin)
cos = float_ufunc(np.cos)
tan = float_ufunc(np.tan)
tanh = float_ufunc(np.tanh)


@ufunc
def logistic(x):
    return reciprocal(1 + np.exp(-x))  # each step rounded to x's own dtype, as XLA does


sqrt = float_ufunc(np.sqrt)


@float_ufunc
def rsqrt(x):
    return reciprocal(np.sqrt(x))


cbrt = float_ufunc(np.cbrt)
asin = float_ufunc(np.arcsin)
acos = float_ufunc(np.arccos)
atan = float_ufunc(np.arctan)
sinh = float_ufunc(np.sinh)
cosh = float_ufunc(np.cosh)
asinh = float_ufunc(np.arcsinh)
acosh = float_ufunc(np.arccosh)
atanh = float_ufunc(np.arctanh)


def real(x: np.ndarray) -> np.ndarray:
    return np.real(x)


def imag(x: np.ndarray) -> np.ndarray:
    return np.imag(x)


def conj(x: np.ndarray, *, input_dtype: np.dtype) -> np.ndarray:
    """The complex conjugate; complex also where x is real."""
    return np.conj(x).astype(np.result_type(x, np.complex64), copy=False)


def integer_pow(x: np.ndarray, *, y: int) -> np.ndarray:
    """x to the whole power y, by squaring: x**13 = x**8 * x**4 * x**1."""
    if y < 0:
        return reciprocal(integer_pow(x, y=-y))
    result = np.ones_like(x)
    while y:
        result = result * x if y & 1 else result
        y >>= 1
        x = x * x if y else x
    return np.asarray(result)


@ufunc
def reciprocal(x):
    return np.where(np.isinf(x), x.dtype.type(0) / np.real(x), 1 / x)  # NumPy's 1 / (inf + inf j) is NaN


# ---- two operands

add = ufunc(np.add)
sub = ufunc(np.subtract)


def mul(x: np.ndarray, y: np.ndarray, *, out_dtype: np.dtype | None = None) -> np.ndarray:
    """x * y, in `out_dtype` where one is given."""
    dtype = out_dtype or x.dtype
    return np.asarray(np.multiply(x.astype(dtype, copy=False), y.astype(dtype, copy=False)))


def mulhi(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The upper half of the bits of the product x * y, which is twice as wide as they are.

    Schoolbook multiplication with half-width digits: x = h 2**k + l, and only the carries of the lower half are kept.
    """
    k = x.dtype.type(4 * x.dtype.itemsize)
    low = x.dtype.type((1 << int(k)) - 1)
    xh, xl, yh, yl = x >> k, x & low, y >> k, y & low
    carry = shift_right_logical(np.asarray(xl * yl), np.asarray(k))
    middle = xh * yl + carry
    return np.asarray(xh * yh + (middle >> k) + ((xl * yh + (middle & low)) >> k))


def div(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """x / y; for integers the quotient without its fraction, with x / 0 = -1 (all bits 1)."""
    if x.dtype.kind == "c":
        return complex_quotient(x, y)
    if x.dtype.kind not in "iu":
        return np.asarray(np.divide(x, y))
    quotient = x // y
    quotient = quotient + ((quotient < 0) & (quotient * y != x)).astype(x.dtype)  # NumPy rounds down, we cut
    return np.where(y == 0, ~np.zeros((), x.dtype), quotient)


def complex_quotient(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """x / y: by the larger part of y, so that no square overflows (Smith, 1962); where both parts would be NaN, what
    annex G of the C standard says of zeros and infinities.
    """
    a, b, c, d = np.real(x), np.imag(x), np.real(y), np.imag(y)
    by_real = ~(np.abs(c) < np.abs(d))
    large, small = np.where(by_real, c, d), np.where(by_real, d, c)
    ratio = small / large
    whole = large + small * ratio
    found = (
        np.where(by_real, a + b * ratio, a * ratio + b) / whole,
        np.where(by_real, b - a * ratio, b * ratio - a) / whole,
    )
    lost = np.isnan(found[0]) & np.isnan(found[1])
    if lost.any():
        found = (np.where(lost, rest, z) for rest, z in zip(_quotient_at_the_ends(a, b, c, d), found, strict=True))
    return complex(*found)


def _quotient_at_the_ends(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The parts of (a + ib) / (c + id) where the divisor is zero, or one of the two is infinite; else NaN."""
    one, zero, inf = (a.dtype.type(x) for x in (1, 0, np.inf))
    unit = lambda part: np.copysign(np.where(np.isinf(part), one, zero), part)
    is_finite = [np.isfinite(p) & np.isfinite(q) for p, q in ((a, b), (c, d))]
    is_infinite = [np.isinf(p) | np.isinf(q) for p, q in ((a, b), (c, d))]
    found = np.full(np.broadcast_shapes(a.shape, c.shape), np.nan, a.dtype), a.dtype.type(np.nan)
    for where, size, (p, q, r, s) in (
        (is_infinite[1] & is_finite[0], zero, (a, b, unit(c), unit(d))),
        (is_infinite[0] & is_finite[1], inf, (unit(a), unit(b), c, d)),
    ):
        found = np.where(where, size * (p * r + q * s), found[0]), np.where(where, size * (q * r - p * s), found[1])
    nothing = (c == 0) & (d == 0)
    far = np.copysign(inf, c)
    return np.where(nothing, far * a, found[0]), np.where(nothing, far * b, found[1])


def rem(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """What division leaves over, with the sign of x; for integers, x where y is 0."""
    result = np.fmod(x, y)
    return np.where(y == 0, x, result) if x.dtype.kind in "iu" else np.asarray(result)


def max(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The larger one; NaN where one is NaN, and 0.0 is larger than -0.0 (where NumPy gives either)."""
    larger = np.maximum(x, y)
    return np.asarray(larger) if x.dtype.kind in "biu" else np.where((x == 0) & (y == 0), x + y, larger)


def min(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The smaller one; NaN where one is NaN, and -0.0 is smaller than 0.0."""
    return np.asarray(np.minimum(x, y)) if x.dtype.kind in "biu" else -max(-x, -y)


def atan2(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The angle of the point (y, x); for complex numbers -i log((y + ix) / sqrt(x**2 + y**2))."""
    if x.dtype.kind != "c":
        return float_ufunc(np.arctan2)(x, y)
    i = x.dtype.type(1j)
    return np.asarray(-i * np.log((y + i * x) / np.sqrt(x * x + y * y)))


nextafter = ufunc(np.nextafter)


def complex(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """x + iy, built part by part, for inf * 1j would put a NaN into the real part."""
    result = np.empty(np.broadcast_shapes(x.shape, y.shape), np.result_type(x, np.complex64))
    result.real, result.imag = x, y
    return result


and_ = ufunc(np.bitwise_and)
or_ = ufunc(np.bitwise_or)
xor = ufunc(np.bitwise_xor)


def shift_left(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """x << y; 0 where y is the width or more (a negative y counts as very many)."""
    inside = unsigned(y) < 8 * x.dtype.itemsize
    return np.where(inside, x << np.where(inside, y, 0), x.dtype.type(0))


def shift_right_arithmetic(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The bits of x moved right by y, copies of the first bit coming in, for unsigned x too."""
    signed = x.view(f"i{x.dtype.itemsize}")
    most = x.dtype.type(8 * x.dtype.itemsize - 1)
    y = np.minimum(unsigned(y), unsigned(most)).view(signed.dtype)
    return np.asarray(signed >> y).view(x.dtype)


def shift_right_logical(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The bits of x moved right by y, zeros coming in; 0 where y is the width or more."""
    inside = unsigned(y) < 8 * x.dtype.itemsize
    moved = unsigned(x) >> unsigned(np.where(inside, y, 0).astype(x.dtype))
    return np.where(inside, moved, 0).astype(x.dtype)


def pow(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """x to the power y in x's dtype, whatever y's."""
    return float_ufunc(np.power)(x, y.astype(x.dtype))


# ---- comparisons

eq = ufunc(np.equal)
ne = ufunc(np.not_equal)
lt = ufunc(np.less)
le = ufunc(np.less_equal)
gt = ufunc(np.greater)
ge = ufunc(np.greater_equal)

# ---- selection


def select_n(which: np.ndarray, *cases: np.ndarray) -> np.ndarray:
    """Element by element, case number `which`; a number out of range takes the nearest case."""
    result = cases[0]
    for i, case in enumerate(cases[1:], start=1):
        result = np.where(which >= i, case, result)
    return result


def clamp(low: np.ndarray, x: np.ndarray, high: np.ndarray) -> np.ndarray:
    """x, but at least `low` and at most `high`, which may be scalars."""
    return min(max(low, x), high)
