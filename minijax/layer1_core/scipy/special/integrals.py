"""Exponential, sine and cosine integrals, the dilogarithm, and hypergeometric functions."""

from functools import partial
from typing import Any

import numpy as np

from ...custom_derivative import custom_jvp
from ...jit import jit
from ...jnp.choosing import where
from ...lax.elementwise import cos, exp, log, sin
from ...lax.special import special_function
from ..arguments import check_single_or_double, inexact, real_inexact

# ---- exponential integrals


@custom_jvp
@jit
def expi(x: Any) -> Any:
    """The principal value of the integral of exp(t) / t from -inf to x."""
    (x,) = real_inexact("expi", x)
    return special_function("expi", x)


expi.defjvps(lambda g, ans, x: g * exp(x) / x)


def exp1(x: Any) -> Any:
    """The integral of exp(-t) / t from x to inf."""
    (x,) = real_inexact("exp1", x)
    return expn(1, x)


@partial(custom_jvp, nondiff_argnums=(0,))
@jit
def expn(n: Any, x: Any) -> Any:
    """The integral of exp(-x t) / t**n from 1 to inf."""
    n, x = real_inexact("expn", n, x)
    return where(x < 0, np.nan, special_function("expn", n, x))


@expn.defjvp
def _expn_jvp(n: Any, primals: Any, tangents: Any) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    return expn(n, x), -t * expn(n - 1, x)


# ---- sine and cosine integrals


def sici(x: Any) -> tuple[Any, Any]:
    """(Si, Ci): the integral of sin(t) / t from 0 to x, and that of cos(t) / t from inf to |x|."""
    (x,) = inexact("sici", x)
    if x.dtype.kind == "c":
        raise ValueError(f"Argument `x` to sici must be real-valued. Got dtype {x.dtype}.")
    return _si(x), _ci(x)


@custom_jvp
def _si(x: Any) -> Any:
    return special_function("sici", x, part=0)


@custom_jvp
def _ci(x: Any) -> Any:
    return special_function("sici", abs(x), part=1)


_si.defjvps(lambda g, ans, x: g * where(x == 0, 1, sin(x) / x))
_ci.defjvps(lambda g, ans, x: g * cos(x) / x)

# ---- the dilogarithm


def spence(x: Any) -> Any:
    """The integral of log(t) / (1 - t) from 1 to x. For float32 and float64 only."""
    return _spence(check_single_or_double(x, "x.dtype={0} is not supported, see docstring for supported types."))


@custom_jvp
def _spence(x: Any) -> Any:
    return special_function("spence", x)


_spence.defjvps(lambda g, ans, x: g * where(x == 1, -1, log(x) / (1 - x)))

# ---- hypergeometric functions


@custom_jvp
@jit
def hyp1f1(a: Any, b: Any, x: Any) -> Any:
    """Kummer's function: the sum of (a)_n / (b)_n x**n / n!, with (a)_n = a (a + 1) ... (a + n - 1)."""
    a, b, x = real_inexact("hyp1f1", a, b, x)
    return special_function("hyp1f1", a, b, x)


hyp1f1.defjvps(
    lambda g, ans, *args: g * special_function("hyp1f1", *args, derivative=0),
    lambda g, ans, *args: g * special_function("hyp1f1", *args, derivative=1),
    lambda g, ans, a, b, x: g * (a / b) * hyp1f1(a + 1, b + 1, x),
)


@custom_jvp
@jit
def hyp2f1(a: Any, b: Any, c: Any, x: Any) -> Any:
    """Gauss's function: the sum of (a)_n (b)_n / (c)_n x**n / n!."""
    a, b, c, x = inexact("hyp2f1", a, b, c, x)
    return special_function("hyp2f1", a, b, c, x)


hyp2f1.defjvps(
    lambda g, ans, *args: g * special_function("hyp2f1", *args, derivative=0),
    lambda g, ans, *args: g * special_function("hyp2f1", *args, derivative=1),
    lambda g, ans, *args: g * special_function("hyp2f1", *args, derivative=2),
    lambda g, ans, a, b, c, x: g * (a * b / c) * hyp2f1(a + 1, b + 1, c + 1, x),
)
