"""The left-skewed Gumbel distribution: of the smallest of many."""

from typing import Any

import numpy as np

from ...jnp.choosing import where
from ...lax.elementwise import exp, expm1, log
from ..arguments import inexact
from ..special.logarithms import xlog1py, xlogy


def logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of the density."""
    x, loc, scale = inexact("gumbel_l.logpdf", x, loc, scale)
    z = (x - loc) / scale
    return where(scale > 0, xlogy(-1, scale) + (z - exp(z)), np.nan)


def pdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The density."""
    return exp(logpdf(x, loc, scale))


def logcdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of `cdf`."""
    x, loc, scale = inexact("gumbel_l.logcdf", x, loc, scale)
    z = (x - loc) / scale
    return where(scale > 0, log(-expm1(-exp(z))), np.nan)


def cdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of at most x."""
    return exp(logcdf(x, loc, scale))


def logsf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of `sf`."""
    x, loc, scale = inexact("gumbel_l.logsf", x, loc, scale)
    z = (x - loc) / scale
    return where(scale > 0, -exp(z), np.nan)


def sf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of more than x."""
    return exp(logsf(x, loc, scale))


def ppf(p: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The inverse of `cdf`."""
    p, loc, scale = inexact("gumbel_l.ppf", p, loc, scale)
    return where((p > 0) & (p < 1), loc + scale * log(xlog1py(-1, -p)), np.nan)
