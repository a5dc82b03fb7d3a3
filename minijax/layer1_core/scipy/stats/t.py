"""Student's t distribution."""

from typing import Any

import numpy as np

from ...lax.elementwise import exp, log, log1p
from ...lax.special import lgamma
from ..arguments import inexact


def logpdf(x: Any, df: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The logarithm of the density."""
    x, df, loc, scale = inexact("t.logpdf", x, df, loc, scale)
    y, half = (x - loc) / scale, df / 2
    normalizer = lgamma(half) + log(scale * scale * np.pi * df) / 2 - lgamma(half + 0.5)
    return -(normalizer + (half + 0.5) * log1p(y * y / df))


def pdf(x: Any, df: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """The density."""
    return exp(logpdf(x, df, loc, scale))
