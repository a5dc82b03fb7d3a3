"""The gamma function and its kin: factorials, binomials, beta functions, polygamma, zeta."""

from typing import Any

import numpy as np

from ... import dtypes
from ...aval import typeof
from ...custom_derivative import custom_jvp
from ...jit import jit
from ...jnp.arguments import concrete, concrete_index
from ...jnp.array_creation import arange, array
from ...jnp.choosing import select, where
from ...jnp.numbers import isnan, signbit
from ...jnp.promotion import const
from ...jnp.shaping import expand_dims
from ...lax import special as lax
from ...lax.elementwise import div, exp, floor, log, mul, sub
from ...lax.shaping import full_like
from ...lazy import scipy_special
from ..arguments import inexact, real_inexact

# ---- gamma


def gammaln(x: Any) -> Any:
    """log |gamma(x)|."""
    (x,) = inexact("gammaln", x)
    return lax.lgamma(x)


@jit
def gammasgn(x: Any) -> Any:
    """The sign of gamma(x); NaN at the negative integers."""
    (x,) = real_inexact("gammasgn", x)
    below, is_negative = floor(x), x < 0
    undefined = (is_negative & (x == below)) | isnan(x)
    negative = (is_negative & (below % 2 != 0)) | ((x == 0) & signbit(x))
    one = x.dtype.type(1)
    return select([undefined, negative], [x.dtype.type(np.nan), -one], one)


def gamma(x: Any) -> Any:
    """The gamma function: gamma(n + 1) = n!."""
    (x,) = inexact("gamma", x)
    if x.dtype.kind == "c":
        return _complex_gamma(x)
    return gammasgn(x) * exp(lax.lgamma(x))


def loggamma(x: Any) -> Any:
    """The logarithm of gamma(x); NaN for real x below 0, where gamma may be negative."""
    (x,) = inexact("loggamma", x)
    if x.dtype.kind == "c":
        return _complex_loggamma(x)
    return where(x > 0, lax.lgamma(x), np.nan)


@custom_jvp
def _complex_gamma(z: Any) -> Any:
    return lax.special_function("gamma", z)


@custom_jvp
def _complex_loggamma(z: Any) -> Any:
    return lax.special_function("loggamma", z)


_complex_gamma.defjvps(lambda g, ans, z: g * ans * lax.special_function("digamma", z))
_complex_loggamma.defjvps(lambda g, ans, z: g * lax.special_function("digamma", z))


def multigammaln(a: Any, d: Any) -> Any:
    """The logarithm of the multivariate gamma function of dimension `d`, a Python integer."""
    d = int(concrete(d, "d argument of multigammaln"))
    a, size = inexact("multigammaln", a, d)
    constant = mul(mul(mul(const(a, 0.25), size), sub(size, const(a, 1))), log(const(a, np.pi)))
    shifts = div(arange(d, dtype=size.dtype), const(a, 2))
    terms = gammaln(expand_dims(a, axis=-1) - expand_dims(shifts, axis=tuple(range(a.ndim))))
    return terms.sum(axis=-1) + constant


def digamma(x: Any) -> Any:
    """The derivative of `gammaln`."""
    (x,) = inexact("digamma", x)
    return lax.digamma(x)


def polygamma(n: Any, x: Any) -> Any:
    """Derivative number `n`, of an integer type, of `digamma`."""
    if not dtypes.issubdtype(typeof(n).dtype, np.integer):
        raise ValueError(f"Argument `n` to polygamma must be of integer type. Got dtype {typeof(n).dtype}.")
    n, x = real_inexact("polygamma", n, x)
    return lax.polygamma(n, x)


def gammainc(a: Any, x: Any) -> Any:
    """The part of gamma(a)'s integral from 0 to x, as a fraction of the whole."""
    a, x = inexact("gammainc", a, x)
    return lax.igamma(a, x)


def gammaincc(a: Any, x: Any) -> Any:
    """1 - gammainc(a, x)."""
    a, x = inexact("gammaincc", a, x)
    return lax.igammac(a, x)


# ---- factorials and binomials


def factorial(n: Any, exact: bool = False) -> Any:
    """n! as a float; 0 for negative n."""
    if exact:
        raise NotImplementedError("factorial with exact=True")
    (n,) = inexact("factorial", n)
    return where(n < 0, 0, exp(lax.lgamma(n + 1)))


def comb(N: Any, k: Any, *, repetition: bool = False) -> Any:
    """In how many ways k of N things can be chosen, with or without repetition; as a float."""
    n, k = inexact("comb", N, k)
    if repetition:
        return where((k == 0) & (n >= 0), 1.0, comb(n + k - 1, k))
    possible = (k <= n) & (n >= 0) & (k >= 0)
    n, k = where(possible, n, 0.0), where(possible, k, 0.0)
    return where(possible, exp(gammaln(n + 1) - gammaln(k + 1) - gammaln(n + 1 - k)), 0.0)


@custom_jvp
def poch(z: Any, m: Any) -> Any:
    """gamma(z + m) / gamma(z) = z (z + 1) ... (z + m - 1)."""
    z, m = real_inexact("poch", z, m, message="jnp.{0} does not support complex-valued inputs.")
    return where(m == 0.0, array(1, dtype=z.dtype), gamma(z + m) / gamma(z))


poch.defjvps(
    lambda g, ans, z, m: g * (digamma(z + m) - digamma(z)) * ans,
    lambda g, ans, z, m: g * digamma(z + m) * ans,
)

# ---- beta


def betaln(a: Any, b: Any) -> Any:
    """log |beta(a, b)|."""
    a, b = inexact("betaln", a, b)
    return _betaln(a, b)


@custom_jvp
def _betaln(a: Any, b: Any) -> Any:
    return lax.special_function("betaln", a, b)  # a sum of gammaln would lose all digits for large a


_betaln.defjvps(
    lambda g, ans, a, b: g * (digamma(a) - digamma(a + b)),
    lambda g, ans, a, b: g * (digamma(b) - digamma(a + b)),
)


def beta(a: Any, b: Any) -> Any:
    """gamma(a) gamma(b) / gamma(a + b)."""
    a, b = real_inexact("beta", a, b)
    return gammasgn(a) * gammasgn(b) * gammasgn(a + b) * exp(betaln(a, b))


def betainc(a: Any, b: Any, x: Any) -> Any:
    """The part of beta(a, b)'s integral from 0 to x, as a fraction of the whole."""
    a, b, x = real_inexact("betainc", a, b, x)
    return lax.betainc(a, b, x)


# ---- zeta


@custom_jvp
def zeta(x: Any, q: Any = None) -> Any:
    """Hurwitz's zeta function: the sum of (q + n)**-x over n = 0, 1, 2, ..."""
    if q is None:
        raise NotImplementedError(
            "Riemann zeta function not implemented; pass q != None to compute the Hurwitz Zeta function."
        )
    return lax.zeta(*inexact("zeta", x, q))


def _along_x(g: Any, ans: Any, x: Any, q: Any) -> Any:
    if g.dtype == dtypes.float0:  # x is a whole number
        return full_like(ans, 0)
    return g * lax.special_function("zeta", *inexact("zeta", x, q), derivative=0)


zeta.defjvps(_along_x, lambda g, ans, x, q: g * -x * zeta(x + 1, q))


def bernoulli(n: int) -> Any:
    """The Bernoulli numbers B0 to Bn, with B1 = -1/2."""
    n = concrete_index(n, "Argument n of bernoulli")
    if n < 0:
        raise ValueError("n must be a non-negative integer.")
    return array(scipy_special.bernoulli(n)[: n + 1], dtype=float)
