"""The generalized normal distribution."""

from typing import Any

from ...lax.elementwise import abs, exp, log, sign
from ...lax.special import igamma, lgamma
from ..arguments import inexact


def logpdf(x: Any, beta: Any) -> Any:
    """The logarithm of the density, which is proportional to exp(-|x|**beta)."""
    x, beta = inexact("gennorm.logpdf", x, beta)
    return log(0.5 * beta) - lgamma(1 / beta) - abs(x) ** beta


def pdf(x: Any, beta: Any) -> Any:
    """The density."""
    return exp(logpdf(x, beta))


def cdf(x: Any, beta: Any) -> Any:
    """The probability of at most x."""
    x, beta = inexact("gennorm.cdf", x, beta)
    return 0.5 * (1 + sign(x) * igamma(1 / beta, abs(x) ** beta))
