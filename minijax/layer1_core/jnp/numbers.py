"""What a number is made of: sign and size, whole part and fraction, mantissa and exponent, real and imaginary part."""

import math
from typing import Any

import numpy as np

from .. import dtypes
from ..aval import typeof
from ..custom_derivative import custom_jvp
from ..jit import jit
from ..lax import elementwise as lax
from ..lax.converting import bitcast_convert_type, convert
from ..lax.shaping import full_like
from .arguments import array_argument, array_arguments, concrete_index
from .promotion import (
    INEXACT,
    const,
    promote_args,
    promote_args_inexact,
    promote_dtypes_inexact,
    strong_const,
)
from .selecting import _where
from .ufunc_class import alias, binary, unary

# ---- which family a value's dtype belongs to

_COMPLEX = frozenset(map(np.dtype, "FD"))
_UNSIGNED = frozenset(map(np.dtype, "BHILQ"))


def is_inexact(x: Any) -> bool:
    return typeof(x).dtype in INEXACT


def is_complex(x: Any) -> bool:
    return typeof(x).dtype in _COMPLEX


def is_bool(x: Any) -> bool:
    return typeof(x).dtype == dtypes.bool_


def is_unsigned(x: Any) -> bool:
    return typeof(x).dtype in _UNSIGNED


# ---- sign and size


def _fabs(x: Any) -> Any:
    if is_complex(x):
        raise TypeError("ufunc 'fabs' does not support complex dtypes")
    return lax.abs(x)


absolute = unary("absolute", lambda x: x if is_bool(x) or is_unsigned(x) else lax.abs(x), "|x|.")
abs = alias("abs", absolute)
fabs = unary("fabs", _fabs, "|x| in floating point, for a real x.", promote_args_inexact)
sign = unary("sign", lax.sign, "-1, 0 or 1 by the sign of x; x / |x| for a complex x.")


@jit
def signbit(x: Any, /) -> Any:
    """Whether x is negative; -0.0 is. Raises ValueError for complex numbers."""
    (x,) = promote_args("signbit", x)
    dtype = typeof(x).dtype
    if dtype == np.bool_:
        return full_like(x, False, np.bool_)
    if dtypes.issubdtype(dtype, np.integer):
        return lax.lt(x, strong_const(x, 0))
    if not dtypes.issubdtype(dtype, np.floating):
        raise ValueError(f"jax.numpy.signbit is not well defined for {dtype}")
    bits = bitcast_convert_type(x, _bits_dtype(dtype))
    return convert(lax.shift_right_arithmetic(bits, const(bits, 8 * dtype.itemsize - 1)), np.dtype(bool))


@jit
def copysign(x1: Any, x2: Any, /) -> Any:
    """|x1| with the sign of x2."""
    x1, x2 = promote_args_inexact("copysign", x1, x2)
    if is_complex(x1):
        raise TypeError("copysign does not support complex-valued inputs")
    return _where(signbit(x2), lax.neg(lax.abs(x1)), lax.abs(x1))


@jit
def heaviside(x1: Any, x2: Any, /) -> Any:
    """0 where x1 < 0, 1 where x1 > 0, x2 where x1 is 0."""
    x1, x2 = promote_dtypes_inexact(*array_arguments("heaviside", x1, x2))
    zero = const(x1, 0)
    below, above = lax.lt(x1, zero), lax.gt(x1, zero)
    at_zero = _where(lax.ne(x1, x1), x1, x2)  # or NaN
    return _where(below, zero, _where(above, const(x1, 1), at_zero))


# ---- whole part and fraction

floor = unary("floor", lambda x: lax.floor(x) if is_inexact(x) else x, "The largest whole number below or at x.")
ceil = unary("ceil", lambda x: lax.ceil(x) if is_inexact(x) else x, "The smallest whole number above or at x.")


def _to_nearest_even(x: Any) -> Any:
    return lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN)


@jit
def rint(x: Any, /) -> Any:
    """The nearest whole number, halves to the even one, in floating point."""
    x = array_argument("rint", x)
    if is_complex(x):
        return lax.complex(rint(lax.real(x)), rint(lax.imag(x)))
    return _to_nearest_even(x) if is_inexact(x) else convert(x, dtypes.canonicalize_dtype(dtypes.float_))


@jit
def trunc(x: Any) -> Any:
    """x without its fraction."""
    x = array_argument("trunc", x)
    return _where(lax.lt(x, const(x, 0)), ceil(x), floor(x)) if is_inexact(x) else x


@jit
def modf(x: Any, /, out: None = None) -> tuple[Any, Any]:
    """The fraction of x and its whole part, both with the sign of x."""
    (x,) = promote_dtypes_inexact(array_argument("modf", x))
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.modf is not supported.")
    whole = _where(lax.ge(x, const(x, 0)), floor(x), ceil(x))
    return lax.sub(x, whole), whole


def _round(a: Any, decimals: int = 0, out: None = None) -> Any:
    """a rounded to so many decimals, halves to even. Raises NotImplementedError for integers and decimals < 0."""
    a = array_argument("round", a)
    decimals = concrete_index(decimals, "'decimals' argument of jnp.round")
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.round is not supported.")
    dtype = typeof(a).dtype
    if dtypes.issubdtype(dtype, np.integer):
        if decimals < 0:
            raise NotImplementedError("integer np.round not implemented for decimals < 0")
        return a
    if dtype == np.bool_:
        raise ValueError("data type dtype('bool') not compatible with finfo")
    if decimals > math.log10(dtypes.finfo(dtypes.real_dtype(dtype)).max):
        return a  # it has no digits there
    if is_complex(a):
        return lax.complex(_round_float(lax.real(a), decimals), _round_float(lax.imag(a), decimals))
    return _round_float(a, decimals)


def _round_float(x: Any, decimals: int) -> Any:
    """Scaled so that the digits wanted are whole, rounded, scaled back. In float16 10 ** 5 is inf: float32 does it."""
    if decimals == 0:
        return _to_nearest_even(x)
    dtype = typeof(x).dtype
    x = convert(x, np.dtype(np.float32)) if dtype == np.float16 else x
    factor = const(x, 10**decimals)
    out = lax.div(_to_nearest_even(lax.mul(x, factor)), factor)
    return convert(out, dtype) if dtype == np.float16 else out


def _rounding(name: str, function: Any) -> Any:
    """`function` under the name that its jaxpr shows."""

    def rounded(a: Any, decimals: int = 0, out: None = None) -> Any:
        return function(a, decimals, out)

    rounded.__name__ = rounded.__qualname__ = name
    rounded.__doc__ = _round.__doc__
    return jit(rounded, static_argnames=("decimals",))


round = _rounding("round", _round)
around = _rounding("around", round)

# ---- mantissa and exponent


def _bits_dtype(dtype: Any) -> np.dtype:
    """The integers as wide as this floating dtype."""
    return np.dtype(f"int{8 * dtype.itemsize}")


@jit
def frexp(x: Any, /) -> tuple[Any, Any]:
    """(m, e) with x = m * 2 ** e and 0.5 <= |m| < 1, the exponent as an int32; m = x and e = 0 for 0, inf and NaN."""
    (x,) = promote_dtypes_inexact(array_argument("frexp", x))
    if is_complex(x):
        raise TypeError("frexp does not support complex-valued inputs")
    return _frexp(x)


@custom_jvp
def _frexp(x: Any) -> tuple[Any, Any]:
    """The exponent's bits are read, and then set to those of the interval [0.5, 1)."""
    info = dtypes.finfo(typeof(x).dtype)
    mask, bias = (1 << info.nexp) - 1, 1 - info.minexp
    bits, exponent = _normal_bits(x, info)
    stored = lax.bitwise_and(lax.shift_right_arithmetic(bits, const(bits, info.nmant)), const(bits, mask))
    exponent = lax.add(exponent, lax.add(lax.sub(stored, const(bits, bias)), const(bits, 1)))
    bits = lax.bitwise_and(bits, const(bits, ~(mask << info.nmant)))
    bits = lax.bitwise_or(bits, const(bits, (bias - 1) << info.nmant))
    mantissa = bitcast_convert_type(bits, info.dtype)
    special = isinf(x) | isnan(x) | (x == 0)
    exponent = _where(special, full_like(exponent, 0), exponent)
    return _where(special, x, mantissa), convert(exponent, np.dtype(np.int32))


@_frexp.defjvp
def _frexp_jvp(primals: Any, tangents: Any) -> Any:
    """The mantissa is x / 2 ** e; the exponent, an integer, has no derivative."""
    (x,), (t,) = primals, tangents
    m, e = _frexp(x)
    slope = lax.exp2(convert(lax.neg(e), typeof(t).dtype))
    return (m, e), (lax.mul(t, slope), np.zeros(typeof(e).shape, dtypes.float0))


def _normal_bits(x: Any, info: Any) -> tuple[Any, Any]:
    """The bits of x and 0; a subnormal x is scaled to a normal number first, and the exponent of the scale given."""
    dtype = _bits_dtype(typeof(x).dtype)
    small = lax.abs(x) < info.tiny
    scaled = _where(small, lax.mul(x, const(x, 1 << info.nmant)), x)
    exponent = _where(small, dtype.type(-info.nmant), dtype.type(0))
    return bitcast_convert_type(scaled, dtype), exponent


@jit
def ldexp(x1: Any, x2: Any, /) -> Any:
    """x1 * 2 ** x2."""
    x1, x2 = array_arguments("ldexp", x1, x2)
    if is_complex(x1) or is_inexact(x2):
        raise ValueError(f"ldexp not supported for input types {(typeof(x1).dtype, typeof(x2).dtype)}")
    (x1,) = promote_args_inexact("ldexp", x1)
    dtype = typeof(x1).dtype
    x2 = convert(x2, dtype)
    m, e = frexp(x1)
    e = convert(e, dtype) + x2
    m = _where(e > 0, m * 2, m)  # 2 ** e may overflow where 2 ** (e - 1) does not
    e = _where(e > 0, e - 1, e)
    product = m * 2**e
    return _where(isinf(x1) | (x1 == 0), x1, product)


def _spacing(x: Any) -> Any:
    if is_complex(x):
        raise ValueError("jnp.spacing is not defined for complex inputs.")
    dtype = typeof(x).dtype
    if dtype == np.float16:
        return lax.sub(lax.nextafter(x, const(x, math.inf)), x)
    gap = lax.sub(lax.nextafter(x, copysign(const(x, math.inf), x)), x)
    smallest = dtypes.finfo(dtype).smallest_subnormal
    return _where(lax.eq(gap, const(gap, 0)), copysign(smallest, x), gap)


spacing = unary("spacing", _spacing, "The distance from x to the next float away from 0.", promote_args_inexact)
nextafter = binary("nextafter", lax.nextafter, "The float next to x in the direction of y.", promote_args_inexact)

# ---- real and imaginary part

real = unary("real", lambda x: lax.real(x) if is_complex(x) else x, "The real part of x.", arg="val")
imag = unary("imag", lambda x: lax.imag(x) if is_complex(x) else full_like(x, 0), "The imaginary part of x.", arg="val")
conjugate = unary("conjugate", lambda x: lax.conj(x) if is_complex(x) else x, "The complex conjugate of x.")
conj = alias("conj", conjugate)


@jit
def iscomplex(x: Any) -> Any:
    """Where x has an imaginary part other than 0."""
    part = imag(x)
    return lax.ne(part, const(part, 0))


@jit
def isreal(x: Any) -> Any:
    """Where x has no imaginary part."""
    part = imag(x)
    return lax.eq(part, const(part, 0))


def iscomplexobj(x: Any) -> bool:
    """Whether x is of a complex dtype, whatever its values."""
    if x is None or isinstance(x, (bool, int, float, str)):
        return False
    dtype = x.dtype if hasattr(x, "dtype") else np.asarray(x).dtype
    return dtypes.issubdtype(dtype, np.complexfloating)


def isrealobj(x: Any) -> bool:
    """Whether x is not of a complex dtype."""
    return not iscomplexobj(x)


# ---- the numbers that are none


def _isfinite(x: Any) -> Any:
    if is_complex(x):
        return lax.bitwise_and(lax.is_finite(lax.real(x)), lax.is_finite(lax.imag(x)))
    return lax.is_finite(x) if is_inexact(x) else full_like(x, True, np.bool_)


isfinite = unary("isfinite", _isfinite, "Where x is neither infinite nor NaN.")
isnan = unary("isnan", lambda x: lax.ne(x, x), "Where x is NaN: the one value that differs from itself.")


@jit
def isinf(x: Any, /) -> Any:
    """Where x is infinite."""
    x = array_argument("isinf", x)
    if is_complex(x):
        re, im = lax.real(x), lax.imag(x)
        inf = strong_const(re, math.inf)
        return lax.bitwise_or(lax.eq(lax.abs(re), inf), lax.eq(lax.abs(im), inf))
    return lax.eq(lax.abs(x), strong_const(x, math.inf)) if is_inexact(x) else full_like(x, False, np.bool_)


def _is_infinity(name: str, x: Any, out: Any, value: float) -> Any:
    x = array_argument(name, x)
    if out is not None:
        raise NotImplementedError("The 'out' argument to isneginf/isposinf is not supported.")
    if is_complex(x):
        raise ValueError("isposinf/isneginf are not well defined for complex types")
    return lax.eq(x, strong_const(x, value)) if is_inexact(x) else full_like(x, False, np.bool_)


def isposinf(x: Any, /, out: None = None) -> Any:
    """Where x is +inf. Raises ValueError for complex numbers."""
    return _is_infinity("isposinf", x, out, math.inf)


def isneginf(x: Any, /, out: None = None) -> Any:
    """Where x is -inf. Raises ValueError for complex numbers."""
    return _is_infinity("isneginf", x, out, -math.inf)


@jit
def nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """x with finite numbers for NaN, inf and -inf: by default 0, the largest and the smallest of the dtype."""
    x = array_argument("nan_to_num", x)
    if not is_inexact(x):
        return x
    if is_complex(x):
        parts = [nan_to_num(part, nan=nan, posinf=posinf, neginf=neginf) for part in (lax.real(x), lax.imag(x))]
        return lax.complex(*parts)
    dtype, info = typeof(x).dtype, dtypes.finfo(typeof(x).dtype)
    posinf = float(info.max) if posinf is None else posinf
    neginf = float(info.min) if neginf is None else neginf
    out = _where(isnan(x), convert(nan, dtype), x)
    out = _where(isposinf(out), convert(posinf, dtype), out)
    return _where(isneginf(out), convert(neginf, dtype), out)
