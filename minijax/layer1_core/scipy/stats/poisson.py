"""The Poisson distribution: how many events happen where mu are expected."""

from typing import Any

import numpy as np

from ...jit import jit
from ...jnp.arguments import array_arguments
from ...jnp.array_creation import arange
from ...jnp.choosing import where
from ...jnp.mathematics import exp, log, sqrt
from ...jnp.numbers import ceil, floor, round
from ...jnp.promotion import promote_dtypes_inexact
from ...jnp.shaping import broadcast_shapes, broadcast_to
from ..arguments import inexact, to_array
from ..special.gamma import gammaincc, gammaln
from ..special.logarithms import entr, xlogy


def logpmf(k: Any, mu: Any, loc: Any = 0) -> Any:
    """The logarithm of the probability of k."""
    k, mu, loc = inexact("poisson.logpmf", k, mu, loc)
    x = k - loc
    log_probability = xlogy(x, mu) - gammaln(x + 1) - mu
    return where((x < 0) | (round(k) != k), -np.inf, log_probability)


def pmf(k: Any, mu: Any, loc: Any = 0) -> Any:
    """The probability of k."""
    return exp(logpmf(k, mu, loc))


def cdf(k: Any, mu: Any, loc: Any = 0) -> Any:
    """The probability of at most k."""
    k, mu, loc = inexact("poisson.logpmf", k, mu, loc)
    x = k - loc
    return where(x < 0, 0 * x, gammaincc(floor(1 + x), mu))


@jit
def entropy(mu: Any, loc: Any = 0) -> Any:
    """The mean of -log(pmf): summed up for mu below 100, and by an expansion above."""
    mu, loc = map(to_array, promote_dtypes_inexact(*array_arguments("poisson.entropy", mu, loc)))
    large = 0.5 * log(2 * np.pi * np.e * mu) - 1.0 / (12 * mu)
    medium, small = _summed(mu, 250, 10 * sqrt(mu) + 20), _summed(mu, 35, 20)
    out = where(mu == 0, 0 * mu, where(mu < 10, small, where(mu < 100, medium, large)))
    return broadcast_to(out, broadcast_shapes(mu.shape, loc.shape))


def _summed(mu: Any, count: int, reach: Any) -> Any:
    """The entropy's terms for k below `count` and below mu + reach."""
    k = arange(count, dtype=mu.dtype).reshape((count,) + (1,) * mu.ndim)
    return entr(where(k < ceil(mu + reach), pmf(k, mu), 0.0)).sum(axis=0)
