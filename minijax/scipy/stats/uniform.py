"""`jax.scipy.stats.uniform`: the uniform distribution on [loc, loc + scale]."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.uniform import cdf, logpdf, pdf, ppf
