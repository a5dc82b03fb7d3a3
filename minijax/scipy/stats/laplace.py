"""`jax.scipy.stats.laplace`: the Laplace distribution."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.laplace import cdf, logpdf, pdf
