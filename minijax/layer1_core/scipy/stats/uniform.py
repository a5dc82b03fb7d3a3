"""The uniform distribution on [loc, loc + scale]."""

from typing import Any

import numpy as np

from ...jnp.choosing import select, where
from ...jnp.numbers import isnan
from ...lax.elementwise import exp, log
from ..arguments import inexact


def logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of the density."""
    x, loc, scale = inexact("uniform.logpdf", x, loc, scale)
    log_density = -log(scale)
    return where((x > loc + scale) | (x < loc), -np.inf, log_density)


def pdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The density."""
    return exp(logpdf(x, loc, scale))


def cdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of at most x."""
    x, loc, scale = inexact("uniform.cdf", x, loc, scale)
    inside = (x >= loc) & (x <= loc + scale)
    return select([x < loc, x > loc + scale, inside], [0 * x, 0 * x + 1, (x - loc) / scale])


def ppf(q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The inverse of `cdf`."""
    q, loc, scale = inexact("uniform.ppf", q, loc, scale)
    return where(isnan(q) | (q < 0) | (q > 1), np.nan, loc + scale * q)
