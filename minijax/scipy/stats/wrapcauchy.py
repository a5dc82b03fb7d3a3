"""`jax.scipy.stats.wrapcauchy`: the Cauchy distribution wrapped around the circle."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.wrapcauchy import logpdf, pdf
