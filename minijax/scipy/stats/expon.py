"""`jax.scipy.stats.expon`: the exponential distribution."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.expon import cdf, logcdf, logpdf, logsf, pdf, ppf, sf
