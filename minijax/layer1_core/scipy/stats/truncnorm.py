"""The normal distribution cut off outside of loc + a scale and loc + b scale."""

from typing import Any

import numpy as np

from ...jit import jit
from ...jnp.array_creation import array
from ...jnp.choosing import select, where
from ...jnp.shaping import broadcast_arrays
from ...lax.elementwise import exp, log1p
from ...nn.softmax import logsumexp
from ..arguments import inexact
from ..special.errors import log_ndtr, ndtr
from . import norm


def _log_difference(x: Any, y: Any) -> Any:
    """log(exp(x) - exp(y))."""
    return logsumexp(array([x, y]), b=array([x * 0 + 1, y * 0 - 1]), axis=0)


def _log_mass(a: Any, b: Any) -> Any:
    """The logarithm of the standard normal probability between a and b, taken from the nearer tail."""
    a, b = broadcast_arrays(a, b)
    right, central = a > 0, ~((b <= 0) | (a > 0))
    low, high = where(right, -b, a), where(right, -a, b)
    return where(central, log1p(-ndtr(a) - ndtr(-b)), _log_difference(log_ndtr(high), log_ndtr(low)))


@jit
def logpdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of the density."""
    x, a, b, loc, scale = inexact("truncnorm.logpdf", x, a, b, loc, scale)
    log_density, y = norm.logpdf(x, loc, scale) - _log_mass(a, b), (x - loc) / scale
    return where(a >= b, np.nan, where((y < a) | (y > b), -np.inf, log_density))


def pdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The density."""
    return exp(logpdf(x, a, b, loc, scale))


@jit
def logcdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of `cdf`; near 1 by way of the upper tail."""
    x, a, b, loc, scale = inexact("truncnorm.logcdf", x, a, b, loc, scale)
    x, a, b = broadcast_arrays(x, a, b)
    x, mass = (x - loc) / scale, _log_mass(a, b)
    lower, upper = _log_mass(a, x) - mass, _log_mass(x, b) - mass
    out = select([x >= b, x <= a, lower > -0.1, x > a], [0, -np.inf, log1p(-exp(upper)), lower])
    return where(a >= b, np.nan, out)


@jit
def cdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of at most x."""
    return exp(logcdf(x, a, b, loc, scale))


@jit
def logsf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of `sf`."""
    x, a, b, loc, scale = inexact("truncnorm.logsf", x, a, b, loc, scale)
    return logcdf(-x, -b, -a, -loc, scale)


@jit
def sf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of more than x."""
    return exp(logsf(x, a, b, loc, scale))
