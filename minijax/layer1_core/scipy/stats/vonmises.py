"""Von Mises' distribution, on the circle."""

from typing import Any

import numpy as np

from ...jnp.choosing import where
from ...jnp.mathematics import cos, log
from ...lax.elementwise import exp
from ...lax.special import bessel_i0e
from ..arguments import inexact


def logpdf(x: Any, kappa: Any) -> Any:
    """The logarithm of the density, which is proportional to exp(kappa cos(x))."""
    x, kappa = inexact("vonmises.logpdf", x, kappa)
    return where(kappa > 0, kappa * (cos(x) - 1) - log(2 * np.pi * bessel_i0e(kappa)), np.nan)


def pdf(x: Any, kappa: Any) -> Any:
    """The density."""
    return exp(logpdf(x, kappa))
