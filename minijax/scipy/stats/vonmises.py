"""`jax.scipy.stats.vonmises`: Von Mises' distribution, on the circle."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.vonmises import logpdf, pdf
