"""The beta-binomial distribution: binomial, with a success probability drawn from a beta distribution."""

from typing import Any

import numpy as np

from ...jit import jit
from ...jnp.choosing import where
from ...lax.elementwise import exp, floor, log1p
from ..arguments import inexact
from ..special.gamma import betaln


@jit
def logpmf(k: Any, n: Any, a: Any, b: Any, loc: Any = 0) -> Any:
    """The logarithm of the probability of k."""
    k, n, a, b, loc = inexact("betabinom.logpmf", k, n, a, b, loc)
    y = floor(k) - loc
    ways = -(log1p(n) + betaln(n - y + 1, y + 1))
    log_probability = ways + (betaln(y + a, n - y + b) - betaln(a, b))
    log_probability = where((y == 0) & (n == 0), 0.0, log_probability)
    outside = (y < -loc) | (y > n) | (y + a <= 0)
    undefined = (n < 0) | (a <= 0) | (b <= 0)
    return where(undefined, np.nan, where(outside, -np.inf, log_probability))


def pmf(k: Any, n: Any, a: Any, b: Any, loc: Any = 0) -> Any:
    """The probability of k."""
    return exp(logpmf(k, n, a, b, loc))
