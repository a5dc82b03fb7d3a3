"""`jax.scipy.stats.cauchy`: the Cauchy distribution."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.cauchy import cdf, isf, logcdf, logpdf, logsf, pdf, ppf, sf
