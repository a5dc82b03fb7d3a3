"""`jax.scipy.stats.chi2`: the chi-squared distribution: the sum of df squared standard normal variables."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.chi2 import cdf, logcdf, logpdf, logsf, pdf, sf
