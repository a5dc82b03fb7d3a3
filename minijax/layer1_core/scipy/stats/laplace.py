"""The Laplace distribution."""

from typing import Any

from ...lax.elementwise import abs, exp, log, neg, select
from ..arguments import inexact


def logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of the density."""
    x, loc, scale = inexact("laplace.logpdf", x, loc, scale)
    return neg(abs(x - loc) / scale + log(2 * scale))


def pdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The density."""
    return exp(logpdf(x, loc, scale))


def cdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of at most x."""
    x, loc, scale = inexact("laplace.cdf", x, loc, scale)
    y = (x - loc) / scale
    return select(y <= 0, 0.5 * exp(y), 1 - 0.5 * exp(-y))
