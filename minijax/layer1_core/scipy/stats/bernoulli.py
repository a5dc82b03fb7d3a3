"""The Bernoulli distribution: 1 with probability p, else 0."""

from typing import Any

import numpy as np

from ...jnp.choosing import select, where
from ...jnp.mathematics import exp
from ...jnp.numbers import isnan
from ..arguments import inexact
from ..special.logarithms import xlog1py, xlogy


def logpmf(k: Any, p: Any, loc: Any = 0) -> Any:
    """The logarithm of the probability of k."""
    k, p, loc = inexact("bernoulli.logpmf", k, p, loc)
    x = k - loc
    log_probability = xlogy(x, p) + xlog1py(1 - x, -p)
    return where((x < 0) | (x > 1), -np.inf, log_probability)


def pmf(k: Any, p: Any, loc: Any = 0) -> Any:
    """The probability of k."""
    return exp(logpmf(k, p, loc))


def cdf(k: Any, p: Any) -> Any:
    """The probability of at most k."""
    k, p = inexact("bernoulli.cdf", k, p)
    undefined = isnan(k) | isnan(p) | (p < 0) | (p > 1)
    return select([undefined, k < 0, (k >= 0) & (k < 1), k >= 1], [np.nan, 0 * k, 1 - p, 0 * k + 1])


def ppf(q: Any, p: Any) -> Any:
    """The least k whose `cdf` is at least q."""
    q, p = inexact("bernoulli.ppf", q, p)
    undefined = isnan(q) | isnan(p) | (p < 0) | (p > 1) | (q < 0) | (q > 1)
    return where(undefined, np.nan, where(q <= 1 - p, 0 * q, 0 * q + 1))
