"""Mathematical functions of jax.numpy: exponentials, trigonometry, roots, lengths, sinc."""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import dtypes
from ..aval import typeof
from ..custom_derivative import custom_jvp
from ..jit import jit
from ..lax import elementwise as lax
from ..lax.converting import convert
from ..lax.shaping import full_like
from ..lax.special import bessel_i0e, bessel_i1e
from .arguments import array_argument
from .numbers import imag, is_complex, is_inexact, isposinf, real
from .promotion import const, promote_args_inexact, promote_dtypes_inexact
from .selecting import _where
from .ufunc_class import alias, binary, unary

# ---- functions that lax has: of floats, so integers are converted


def _inexact(name: str, function: Callable[[Any], Any], doc: str) -> Callable[[Any], Any]:
    return unary(name, function, doc, promote_args_inexact)


exp = _inexact("exp", lax.exp, "e ** x.")
exp2 = _inexact("exp2", lax.exp2, "2 ** x.")
expm1 = _inexact("expm1", lax.expm1, "exp(x) - 1, accurate near 0.")
log = _inexact("log", lax.log, "The natural logarithm.")
log1p = _inexact("log1p", lax.log1p, "log(1 + x), accurate near 0.")
sqrt = _inexact("sqrt", lax.sqrt, "The square root; NaN below 0.")
cbrt = _inexact("cbrt", lax.cbrt, "The real cube root.")
sin = _inexact("sin", lax.sin, "The sine of x radians.")
cos = _inexact("cos", lax.cos, "The cosine of x radians.")
tan = _inexact("tan", lax.tan, "The tangent of x radians.")
arcsin = _inexact("arcsin", lax.asin, "The inverse sine, in radians.")
arccos = _inexact("arccos", lax.acos, "The inverse cosine, in radians.")
arctan = _inexact("arctan", lax.atan, "The inverse tangent, in radians.")
sinh = _inexact("sinh", lax.sinh, "The hyperbolic sine.")
cosh = _inexact("cosh", lax.cosh, "The hyperbolic cosine.")
tanh = _inexact("tanh", lax.tanh, "The hyperbolic tangent.")
arcsinh = _inexact("arcsinh", lax.asinh, "The inverse hyperbolic sine.")
arctanh = _inexact("arctanh", lax.atanh, "The inverse hyperbolic tangent.")
asin = _inexact("asin", lax.asin, "The inverse sine, in radians.")
acos = _inexact("acos", lax.acos, "The inverse cosine, in radians.")
atan = _inexact("atan", lax.atan, "The inverse tangent, in radians.")
asinh = _inexact("asinh", lax.asinh, "The inverse hyperbolic sine.")
atanh = _inexact("atanh", lax.atanh, "The inverse hyperbolic tangent.")
arctan2 = binary(
    "arctan2", lax.atan2, "The angle of the point (x2, x1), in radians.", promote_args_inexact, ("x1", "x2")
)
atan2 = binary("atan2", arctan2, "The angle of the point (x2, x1), in radians.", args=("x1", "x2"))


@jit
def arccosh(x: Any, /) -> Any:
    """The inverse hyperbolic cosine; of a complex x the one with a real part that is not negative."""
    result = lax.acosh(*promote_args_inexact("arccosh", x))
    if not is_complex(result):
        return result
    return _where(lax.real(result) < 0, lax.neg(result), result)


acosh = alias("acosh", arccosh)

# ---- angles

deg2rad = _inexact("deg2rad", lambda x: lax.mul(x, const(x, math.pi / 180)), "x degrees, in radians.")
rad2deg = _inexact("rad2deg", lambda x: lax.mul(x, const(x, 180 / math.pi)), "x radians, in degrees.")
radians, degrees = alias("radians", deg2rad), alias("degrees", rad2deg)


@functools.partial(jit, static_argnames=("deg",))
def angle(z: Any, deg: bool = False) -> Any:
    """The angle of the complex number z, in radians (or degrees): 0 or pi for a real one."""
    z = array_argument("angle", z)
    re, im = real(z), imag(z)
    aval = typeof(z)
    if not is_inexact(z) or (dtypes.issubdtype(aval.dtype, np.floating) and not aval.ndim):
        dtype = dtypes.canonicalize_dtype(dtypes.float_)
        re, im = convert(re, dtype), convert(im, dtype)
    result = lax.atan2(im, re)
    return degrees(result) if deg else result


# ---- without overflow on the way


@jit
def hypot(x1: Any, x2: Any, /) -> Any:
    """sqrt(x1**2 + x2**2): the larger one times sqrt(1 + (smaller / larger)**2), which does not overflow."""
    x1, x2 = promote_args_inexact("hypot", x1, x2)
    if is_complex(x1):
        raise ValueError(
            "jnp.hypot is not well defined for complex-valued inputs. "
            "Please convert to real values first, such as by using abs(x)"
        )
    x1, x2 = lax.abs(x1), lax.abs(x2)
    infinite = lax.bitwise_or(isposinf(x1), isposinf(x2))
    large, small = lax.max(x1, x2), lax.min(x1, x2)
    zero = large == 0
    ratio = lax.div(small, _where(large == 0, full_like(large, 1), large))
    length = _where(zero, large, large * lax.sqrt(1 + lax.square(ratio)))
    return _where(infinite, const(length, math.inf), length)


# ---- with a hole filled, and a Bessel function


@jit
def sinc(x: Any, /) -> Any:
    """sin(pi x) / (pi x), and 1 at 0."""
    (x,) = promote_dtypes_inexact(array_argument("sinc", x))
    at_zero = lax.eq(x, const(x, 0))
    pi_x = lax.mul(const(x, math.pi), x)
    safe = _where(at_zero, const(x, 1), pi_x)
    near_zero = _sinc_maclaurin(0, pi_x)
    return _where(at_zero, near_zero, lax.div(lax.sin(safe), safe))


@functools.partial(custom_jvp, nondiff_argnums=(0,))
def _sinc_maclaurin(k: int, x: Any) -> Any:
    """The k-th derivative of sin(x) / x at 0, as a function of x: 0 for odd k, else +-1 / (k + 1)."""
    zero = lax.mul(x, const(x, 0))
    return zero if k % 2 else lax.add(zero, const(x, (-1) ** (k // 2) / (k + 1)))


@_sinc_maclaurin.defjvp
def _sinc_maclaurin_jvp(k: int, primals: Any, tangents: Any) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    return _sinc_maclaurin(k, x), lax.mul(_sinc_maclaurin(k + 1, x), t)


@jit
def i0(x: Any) -> Any:
    """The modified Bessel function of the first kind, of order 0."""
    (x,) = promote_args_inexact("i0", x)
    if is_complex(x):
        raise ValueError(f"Unsupported input type to jax.numpy.i0: {typeof(x).dtype}")
    return _i0(x)


@custom_jvp
def _i0(x: Any) -> Any:
    size = lax.abs(x)
    return lax.mul(lax.exp(size), bessel_i0e(size))


@_i0.defjvp
def _i0_jvp(primals: Any, tangents: Any) -> tuple[Any, Any]:
    """d I0 / dx = I1, which is odd; the absolute value in I0 would make it NaN or 1 at 0."""
    (x,), (t,) = primals, tangents
    return _i0(x), lax.mul(t, lax.mul(lax.exp(lax.abs(x)), bessel_i1e(x)))
