"""The right-skewed Gumbel distribution: of the largest of many."""

from typing import Any

import numpy as np

from ...jnp.choosing import where
from ...lax.elementwise import exp, log
from ...nn.activations import log1mexp
from ..arguments import inexact
from ..special.logarithms import xlogy


def logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of the density."""
    x, loc, scale = inexact("gumbel_r.logpdf", x, loc, scale)
    z = (x - loc) / scale
    return where(scale > 0, xlogy(-1, scale) - (z + exp(-z)), np.nan)


def pdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The density."""
    return exp(logpdf(x, loc, scale))


def logcdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of `cdf`."""
    x, loc, scale = inexact("gumbel_r.logcdf", x, loc, scale)
    z = (x - loc) / scale
    return where(scale > 0, -exp(-z), np.nan)


def cdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of at most x."""
    return exp(logcdf(x, loc, scale))


def logsf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of `sf`."""
    x, loc, scale = inexact("gumbel_r.logsf", x, loc, scale)
    z = (x - loc) / scale
    return where(scale > 0, log1mexp(exp(-z)), np.nan)


def sf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of more than x."""
    x, loc, scale = inexact("gumbel_r.sf", x, loc, scale)
    return where(scale > 0, 1 - exp(-exp((loc - x) / scale)), np.nan)


def ppf(p: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The inverse of `cdf`."""
    p, loc, scale = inexact("gumbel_r.ppf", p, loc, scale)
    return where((p > 0) & (p < 1), loc - scale * log(xlogy(-1, p)), np.nan)
