"""The logistic distribution."""

from typing import Any

from ...jnp.logarithms import logaddexp
from ...lax.elementwise import exp, log
from ..arguments import inexact
from ..special.logarithms import expit, logit


def logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of the density."""
    x, loc, scale = inexact("logistic.logpdf", x, loc, scale)
    half = (x - loc) / scale / 2
    return -2 * logaddexp(half, -half) - log(scale)


def pdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The density."""
    return exp(logpdf(x, loc, scale))


def cdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of at most x."""
    x, loc, scale = inexact("logistic.cdf", x, loc, scale)
    return expit((x - loc) / scale)


def sf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The probability of more than x."""
    x, loc, scale = inexact("logistic.sf", x, loc, scale)
    return expit(-((x - loc) / scale))


def ppf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The inverse of `cdf`."""
    x, loc, scale = inexact("logistic.ppf", x, loc, scale)
    return logit(x) * scale + loc


def isf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The inverse of `sf`."""
    x, loc, scale = inexact("logistic.isf", x, loc, scale)
    return -logit(x) * scale + loc
