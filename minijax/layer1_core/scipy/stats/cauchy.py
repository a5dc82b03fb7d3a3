"""The Cauchy distribution."""

from typing import Any

import numpy as np

from ...jnp.mathematics import arctan
from ...lax.elementwise import exp, log, log1p, tan
from ..arguments import inexact


def logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of the density."""
    x, loc, scale = inexact("cauchy.logpdf", x, loc, scale)
    y = (x - loc) / scale
    return -(log(np.pi * scale) + log1p(y * y))


def pdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The density."""
    return exp(logpdf(x, loc, scale))


def cdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of at most x."""
    x, loc, scale = inexact("cauchy.cdf", x, loc, scale)
    return 0.5 + 1 / np.pi * arctan((x - loc) / scale)


def logcdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of `cdf`."""
    return log(cdf(x, loc, scale))


def sf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of more than x."""
    x, loc, scale = inexact("cauchy.sf", x, loc, scale)
    return cdf(-x, -loc, scale)


def logsf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of `sf`."""
    x, loc, scale = inexact("cauchy.logsf", x, loc, scale)
    return logcdf(-x, -loc, scale)


def ppf(q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The inverse of `cdf`."""
    q, loc, scale = inexact("cauchy.ppf", q, loc, scale)
    return tan(np.pi * q - np.pi / 2) * scale + loc


def isf(q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The inverse of `sf`."""
    q, loc, scale = inexact("cauchy.isf", q, loc, scale)
    return tan(np.pi / 2 - np.pi * q) * scale + loc
