"""The chi-squared distribution: the sum of df squared standard normal variables."""

from typing import Any

import numpy as np

from ...jnp.choosing import where
from ...jnp.promotion import const
from ...lax.elementwise import clamp, exp, log
from ...lax.special import lgamma
from ..arguments import inexact
from ..special.gamma import gammainc, gammaincc


def logpdf(x: Any, df: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of the density."""
    x, df, loc, scale = inexact("chi2.logpdf", x, df, loc, scale)
    y, half = (x - loc) / scale, df / 2
    kernel = (half - 1) * log(y) - y / 2
    normalizer = -(lgamma(half) + const(x, np.log(2)) * df / 2)
    log_density = normalizer - log(scale) + kernel
    return where(x < loc, -np.inf, log_density)


def pdf(x: Any, df: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The density."""
    return exp(logpdf(x, df, loc, scale))


def cdf(x: Any, df: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of at most x."""
    x, df, loc, scale = inexact("chi2.cdf", x, df, loc, scale)
    return gammainc(df / 2, _half_of_positive(x - loc, scale))


def logcdf(x: Any, df: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of `cdf`."""
    return log(cdf(x, df, loc, scale))


def sf(x: Any, df: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of more than x."""
    x, df, loc, scale = inexact("chi2.sf", x, df, loc, scale)
    return gammaincc(df / 2, _half_of_positive(x - loc, scale))


def logsf(x: Any, df: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of `sf`."""
    return log(sf(x, df, loc, scale))


def _half_of_positive(x: Any, scale: Any) -> Any:
    """x / (2 scale), and 0 below 0."""
    return clamp(const(x, 0), x / (scale * 2), const(x, np.inf))
