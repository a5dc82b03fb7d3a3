"""The gamma distribution."""

from typing import Any

import numpy as np

from ...jnp.choosing import where
from ...jnp.promotion import const
from ...lax.elementwise import clamp, exp, log
from ..arguments import inexact
from ..special.gamma import gammainc, gammaincc, gammaln
from ..special.logarithms import xlogy


def logpdf(x: Any, a: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of the density."""
    x, a, loc, scale = inexact("gamma.logpdf", x, a, loc, scale)
    inside = x >= loc
    y = where(inside, (x - loc) / scale, const(x, 1))
    log_density = xlogy(a - 1, y) - y - (gammaln(a) + log(scale))
    return where(inside, log_density, -np.inf)


def pdf(x: Any, a: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The density."""
    return exp(logpdf(x, a, loc, scale))


def cdf(x: Any, a: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of at most x."""
    x, a, loc, scale = inexact("gamma.cdf", x, a, loc, scale)
    return gammainc(a, clamp(const(x, 0), (x - loc) / scale, const(x, np.inf)))


def logcdf(x: Any, a: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of `cdf`."""
    return log(cdf(x, a, loc, scale))


def sf(x: Any, a: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of more than x."""
    x, a, loc, scale = inexact("gamma.sf", x, a, loc, scale)
    y = (x - loc) / scale
    return where(y < 0, 1, gammaincc(a, y))


def logsf(x: Any, a: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of `sf`."""
    return log(sf(x, a, loc, scale))
