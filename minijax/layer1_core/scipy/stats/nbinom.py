"""The negative binomial distribution: how many trials fail before n succeed."""

from typing import Any

import numpy as np

from ...jnp.choosing import where
from ...lax.elementwise import exp
from ..arguments import inexact
from ..special.gamma import gammaln
from ..special.logarithms import xlogy


def logpmf(k: Any, n: Any, p: Any, loc: Any = 0) -> Any:
    """The logarithm of the probability of k."""
    k, n, p, loc = inexact("nbinom.logpmf", k, n, p, loc)
    y = k - loc
    ways = gammaln(y + n) - gammaln(n) - gammaln(y + 1)
    log_probability = ways + (xlogy(n, p) + xlogy(y, 1 - p))
    return where(k < loc, -np.inf, log_probability)


def pmf(k: Any, n: Any, p: Any, loc: Any = 0) -> Any:
    """The probability of k."""
    return exp(logpmf(k, n, p, loc))
