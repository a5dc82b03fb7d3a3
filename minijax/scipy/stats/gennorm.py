"""`jax.scipy.stats.gennorm`: the generalized normal distribution."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.gennorm import cdf, logpdf, pdf
