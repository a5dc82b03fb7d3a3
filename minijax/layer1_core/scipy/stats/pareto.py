"""The Pareto distribution."""

from typing import Any

import numpy as np

from ...jnp.choosing import where
from ...jnp.numbers import isnan
from ...lax.elementwise import exp, log, log1p, pow
from ..arguments import inexact


def logpdf(x: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of the density."""
    x, b, loc, scale = inexact("pareto.logpdf", x, b, loc, scale)
    log_density = -(log(scale / b) + (b + 1) * log((x - loc) / scale))
    return where(x < loc + scale, -np.inf, log_density)


def pdf(x: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The density."""
    return exp(logpdf(x, b, loc, scale))


def cdf(x: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of at most x."""
    x, b, loc, scale = inexact("pareto.cdf", x, b, loc, scale)
    return where(x < loc + scale, 0 * x, 1 - pow((x - loc) / scale, -b))


def logcdf(x: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of `cdf`."""
    x, b, loc, scale = inexact("pareto.logcdf", x, b, loc, scale)
    return where(x < loc + scale, -np.inf, log1p(-pow((x - loc) / scale, -b)))


def logsf(x: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of `sf`."""
    x, b, loc, scale = inexact("pareto.logsf", x, b, loc, scale)
    return where(x < loc + scale, 0 * x, -(b * log((x - loc) / scale)))


def sf(x: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of more than x."""
    return exp(logsf(x, b, loc, scale))


def ppf(q: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The inverse of `cdf`."""
    q, b, loc, scale = inexact("pareto.ppf", q, b, loc, scale)
    return where(isnan(q) | (q < 0) | (q > 1), np.nan, loc + scale * pow(1 - q, -(1 / b)))
