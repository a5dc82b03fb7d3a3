"""The multinomial distribution: how often each of several outcomes happens in n trials."""

from typing import Any

import numpy as np

from ... import dtypes
from ...jnp.choosing import where
from ...jnp.promotion import promote_args_numeric
from ...lax.elementwise import exp
from ..arguments import inexact, to_array
from ..special.gamma import gammaln
from ..special.logarithms import xlogy


def logpmf(x: Any, n: Any, p: Any) -> Any:
    """The logarithm of the probability of the counts x, for outcomes of probabilities p: both along the last axis."""
    (p,) = inexact("multinomial.logpmf", p)
    x, n = map(to_array, promote_args_numeric("multinomial.logpmf", x, n))
    if not dtypes.issubdtype(x.dtype, np.integer):
        raise ValueError(f"x and n must be of integer type; got x.dtype={x.dtype}, n.dtype={n.dtype}")
    x, n = x.astype(p.dtype), n.astype(p.dtype)
    log_probability = gammaln(n + 1) + (xlogy(x, p) - gammaln(x + 1)).sum(axis=-1)
    return where(x.sum() == n, log_probability, -np.inf)


def pmf(x: Any, n: Any, p: Any) -> Any:
    """The probability of the counts x."""
    return exp(logpmf(x, n, p))
