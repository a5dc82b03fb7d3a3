"""The binomial distribution: how many of n trials succeed."""

from typing import Any

import numpy as np

from ...jnp.choosing import where
from ...lax.elementwise import exp
from ..arguments import inexact
from ..special.gamma import gammaln
from ..special.logarithms import xlog1py, xlogy


def logpmf(k: Any, n: Any, p: Any, loc: Any = 0) -> Any:
    """The logarithm of the probability of k."""
    k, n, p, loc = inexact("binom.logpmf", k, n, p, loc)
    y = k - loc
    ways = gammaln(n + 1) - (gammaln(y + 1) + gammaln(n - y + 1))
    linear = xlogy(y, p) + xlog1py(n - y, -p)
    log_probability = ways + linear
    certain = ((y == 0) & (n == 0)) | (linear == 0)
    log_probability = where(certain, 0.0, log_probability)
    return where((k >= loc) & (k < loc + n + 1), log_probability, -np.inf)


def pmf(k: Any, n: Any, p: Any, loc: Any = 0) -> Any:
    """The probability of k."""
    return exp(logpmf(k, n, p, loc))
