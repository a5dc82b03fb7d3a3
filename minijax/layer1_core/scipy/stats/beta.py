"""The beta distribution, on (0, 1)."""

from typing import Any

import numpy as np

from ...jnp.choosing import where
from ...jnp.promotion import const
from ...lax.elementwise import clamp, exp, log
from ..arguments import inexact
from ..special.gamma import betainc, betaln
from ..special.logarithms import xlog1py, xlogy


def logpdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of the density."""
    x, a, b, loc, scale = inexact("beta.logpdf", x, a, b, loc, scale)
    y = (x - loc) / scale
    log_density = -betaln(a, b) + (xlogy(a - 1, y) + xlog1py(b - 1, -y)) - log(scale)
    outside, undefined = (x > loc + scale) | (x < loc), (a <= 0) | (b <= 0) | (scale <= 0)
    return where(undefined, np.nan, where(outside, -np.inf, log_density))


def pdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The density."""
    return exp(logpdf(x, a, b, loc, scale))


def cdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of at most x."""
    x, a, b, loc, scale = inexact("beta.cdf", x, a, b, loc, scale)
    return betainc(a, b, _in_unit_interval((x - loc) / scale))


def logcdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of `cdf`."""
    return log(cdf(x, a, b, loc, scale))


def sf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of more than x."""
    x, a, b, loc, scale = inexact("beta.sf", x, a, b, loc, scale)
    return betainc(b, a, 1 - _in_unit_interval((x - loc) / scale))


def logsf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of `sf`."""
    return log(sf(x, a, b, loc, scale))


def _in_unit_interval(y: Any) -> Any:
    return clamp(const(y, 0), y, const(y, 1))
