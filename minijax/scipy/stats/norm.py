"""`jax.scipy.stats.norm`: the normal distribution."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.norm import cdf, isf, logcdf, logpdf, logsf, pdf, ppf, sf
