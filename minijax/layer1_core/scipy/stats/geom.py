"""The geometric distribution: which trial is the first to succeed."""

from typing import Any

import numpy as np

from ...jnp.choosing import where
from ...jnp.mathematics import exp
from ...lax.elementwise import log
from ..arguments import inexact
from ..special.logarithms import xlog1py


def logpmf(k: Any, p: Any, loc: Any = 0) -> Any:
    """The logarithm of the probability of k."""
    k, p, loc = inexact("geom.logpmf", k, p, loc)
    x = k - loc
    log_probability = xlog1py(x - 1, -p) + log(p)
    return where(x <= 0, -np.inf, log_probability)


def pmf(k: Any, p: Any, loc: Any = 0) -> Any:
    """The probability of k."""
    return exp(logpmf(k, p, loc))
