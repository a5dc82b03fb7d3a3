"""`jax.scipy.stats.truncnorm`: the normal distribution cut off outside of loc + a scale and loc + b scale."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.truncnorm import cdf, logcdf, logpdf, logsf, pdf, sf
