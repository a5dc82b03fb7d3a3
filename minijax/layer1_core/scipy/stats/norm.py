"""The normal distribution."""

from typing import Any

import numpy as np

from ...jnp.array_creation import asarray
from ...jnp.promotion import const
from ...lax.elementwise import div, exp, log, mul, square, sub
from ..arguments import inexact
from ..special.errors import log_ndtr, ndtr, ndtri


def logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of the density: -(log(2 pi scale**2) + ((x - loc) / scale)**2) / 2."""
    x, loc, scale = inexact("norm.logpdf", x, loc, scale)
    variance = square(scale)
    normalizer = log(mul(const(x, 2 * np.pi), variance))
    return div(normalizer + div(square(sub(x, loc)), variance), const(x, -2))


def pdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The density."""
    return exp(logpdf(x, loc, scale))


def cdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of at most x."""
    x, loc, scale = inexact("norm.cdf", x, loc, scale)
    return ndtr(div(sub(x, loc), scale))


def logcdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of `cdf`, good far out in the tail too."""
    x, loc, scale = inexact("norm.logcdf", x, loc, scale)
    return log_ndtr(div(sub(x, loc), scale))


def sf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of more than x."""
    x, loc, scale = inexact("norm.sf", x, loc, scale)
    return cdf(-x, -loc, scale)


def logsf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of `sf`."""
    x, loc, scale = inexact("norm.logsf", x, loc, scale)
    return logcdf(-x, -loc, scale)


def ppf(q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The inverse of `cdf`."""
    return asarray(ndtri(q) * scale + loc, float)


def isf(q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The inverse of `sf`."""
    return ppf(1 - asarray(q), loc, scale)
