"""The error function, the normal distribution, and integrals of exp(-t**2) and its kin."""

from functools import partial
from typing import Any

import numpy as np

from ...custom_derivative import custom_jvp
from ...jnp.promotion import const
from ...lax import special as lax
from ...lax.elementwise import abs, complex, cos, exp, gt, imag, lt, mul, real, select, sin, square, sub
from ..arguments import check_single_or_double, inexact, real_inexact

# ---- the error function


def erf(x: Any) -> Any:
    """2 / sqrt(pi) times the integral of exp(-t**2) from 0 to x."""
    return lax.erf(*inexact("erf", x))


def erfc(x: Any) -> Any:
    """1 - erf(x)."""
    return lax.erfc(*inexact("erfc", x))


def erfinv(x: Any) -> Any:
    """The inverse of `erf`, on (-1, 1)."""
    return lax.erf_inv(*inexact("erfinv", x))


def erfcx(x: Any) -> Any:
    """exp(x**2) erfc(x)."""
    (x,) = inexact("erfcx", x)
    return _wofz(complex(-imag(x), real(x))) if x.dtype.kind == "c" else _erfcx(x)


@custom_jvp
def _erfcx(x: Any) -> Any:
    return lax.special_function("erfcx", x)


_erfcx.defjvps(lambda g, ans, x: g * (2 * x * ans - const(x, 2 / np.sqrt(np.pi))))


def wofz(z: Any) -> Any:
    """The Faddeeva function exp(-z**2) erfc(-iz)."""
    (z,) = inexact("wofz", z)
    return _wofz(z if z.dtype.kind == "c" else complex(z, z * 0))


@custom_jvp
def _wofz(z: Any) -> Any:
    return lax.special_function("wofz", z)


_wofz.defjvps(lambda g, ans, z: g * (const(z, 2j / np.sqrt(np.pi)) - 2 * z * ans))


def dawsn(x: Any) -> Any:
    """Dawson's integral: exp(-x**2) times the integral of exp(t**2) from 0 to x."""
    return _dawsn(*real_inexact("dawsn", x))


@custom_jvp
def _dawsn(x: Any) -> Any:
    return lax.special_function("dawsn", x)


_dawsn.defjvps(lambda g, ans, x: g * (1 - 2 * x * ans))


def fresnel(x: Any) -> tuple[Any, Any]:
    """(S, C): the integrals of sin(pi t**2 / 2) and of cos(pi t**2 / 2) from 0 to x."""
    (x,) = inexact("fresnel", x)
    if x.dtype.kind == "c":
        raise NotImplementedError("Support for complex-valued inputs is not implemented yet.")
    return _fresnel_s(x), _fresnel_c(x)


@custom_jvp
def _fresnel_s(x: Any) -> Any:
    return lax.special_function("fresnel", x, part=0)


@custom_jvp
def _fresnel_c(x: Any) -> Any:
    return lax.special_function("fresnel", x, part=1)


_fresnel_s.defjvps(lambda g, ans, x: g * sin(const(x, np.pi / 2) * square(x)))
_fresnel_c.defjvps(lambda g, ans, x: g * cos(const(x, np.pi / 2) * square(x)))

# ---- the normal distribution

_UNSUPPORTED = "x.dtype={0} is not supported, see docstring for supported types."


def ndtr(x: Any) -> Any:
    """The part of the standard normal distribution that lies below x. For float32 and float64 only."""
    return _ndtr(check_single_or_double(x, _UNSUPPORTED))


def _ndtr(x: Any) -> Any:
    """(1 + erf(x / sqrt 2)) / 2, through erfc where the sum would lose digits."""
    half_sqrt_2 = x.dtype.type(np.sqrt(2) / 2)
    w = x * half_sqrt_2
    z = abs(w)
    near, middle = lt(z, const(z, half_sqrt_2)), const(w, 1) + lax.erf(w)
    outside = select(gt(w, const(w, 0)), const(w, 2) - lax.erfc(z), lax.erfc(z))
    return const(w, 0.5) * select(near, middle, outside)


@partial(custom_jvp, nondiff_argnums=(1,))
def log_ndtr(x: Any, series_order: int = 3) -> Any:
    """log(ndtr(x)), good far below 0 too. `series_order` is JAX's: here every value is exact."""
    if not isinstance(series_order, int):
        raise TypeError("series_order must be a Python integer.")
    if not 0 <= series_order <= 30:
        raise ValueError(f"series_order must be {'non-negative' if series_order < 0 else '<= 30'}.")
    return lax.special_function("log_ndtr", check_single_or_double(x, "x.dtype={0} is not supported."))


@log_ndtr.defjvp
def _log_ndtr_jvp(series_order: int, primals: Any, tangents: Any) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    out = log_ndtr(x, series_order=series_order)
    return out, mul(t, exp(sub(_log_density(x), out)))


def _log_density(x: Any) -> Any:
    return sub(mul(const(x, -0.5), square(x)), const(x, np.log(2 * np.pi) / 2))


def ndtri(p: Any) -> Any:
    """The inverse of `ndtr`: the x below which the part p of the standard normal distribution lies."""
    return _ndtri(check_single_or_double(p, _UNSUPPORTED))


@custom_jvp
def _ndtri(p: Any) -> Any:
    return lax.special_function("ndtri", p)


_ndtri.defjvps(lambda g, ans, p: g * exp(-_log_density(ans)))


def owens_t(h: Any, a: Any) -> Any:
    """Owen's T: the probability of X > h and 0 < Y < a X for two independent standard normal variables."""
    return _owens_t(*inexact("owens_t", h, a))


@custom_jvp
def _owens_t(h: Any, a: Any) -> Any:
    return lax.special_function("owens_t", h, a)


@_owens_t.defjvp
def _owens_t_jvp(primals: Any, tangents: Any) -> tuple[Any, Any]:
    (h, a), (dh, da) = primals, tangents
    by_h = -exp(-0.5 * square(h)) * lax.erf(a * h / const(h, np.sqrt(2))) / const(h, 2 * np.sqrt(2 * np.pi))
    by_a = exp(-0.5 * (1 + square(a)) * square(h)) / (2 * np.pi * (1 + square(a)))
    out = _owens_t(h, a)
    return out, (by_h * dh + by_a * da).astype(out.dtype)
