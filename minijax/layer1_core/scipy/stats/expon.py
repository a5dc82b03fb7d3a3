"""The exponential distribution."""

from typing import Any

import numpy as np

from ...jnp.array_creation import zeros_like
from ...jnp.choosing import where
from ...jnp.numbers import isnan
from ...lax.elementwise import exp, expm1, log, log1p
from ..arguments import inexact


def logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of the density."""
    x, loc, scale = inexact("expon.logpdf", x, loc, scale)
    log_scale = log(scale)
    log_density = -((x - loc) / scale + log_scale)
    return where(x < loc, -np.inf, log_density)


def pdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The density."""
    return exp(logpdf(x, loc, scale))


def cdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of at most x."""
    x, loc, scale = inexact("expon.cdf", x, loc, scale)
    y = (loc - x) / scale
    return where(x < loc, zeros_like(y), -expm1(y))


def logcdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of `cdf`."""
    return log1p(-sf(x, loc, scale))


def logsf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of `sf`."""
    x, loc, scale = inexact("expon.sf", x, loc, scale)
    y = (loc - x) / scale
    return where(x < loc, zeros_like(y), y)


def sf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of more than x."""
    return exp(logsf(x, loc, scale))


def ppf(q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The inverse of `cdf`."""
    q, loc, scale = inexact("expon.ppf", q, loc, scale)
    return where(isnan(q) | (q < 0) | (q > 1), np.nan, loc - scale * log1p(-q))
