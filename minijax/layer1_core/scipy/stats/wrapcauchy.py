"""The Cauchy distribution wrapped around the circle."""

from typing import Any

import numpy as np

from ...jnp.choosing import where
from ...jnp.mathematics import cos, log
from ...lax.elementwise import exp
from ..arguments import inexact


def logpdf(x: Any, c: Any) -> Any:
    """The logarithm of the density, for x between 0 and 2 pi and c between 0 and 1."""
    x, c = inexact("wrapcauchy.logpdf", x, c)
    log_density = log(1 - c * c) - log(2 * np.pi) - log(1 + c * c - 2 * c * cos(x))
    inside = (x >= 0) & (x <= 2 * np.pi)
    return where((c > 0) & (c < 1), where(inside, log_density, -np.inf), np.nan)


def pdf(x: Any, c: Any) -> Any:
    """The density."""
    return exp(logpdf(x, c))
