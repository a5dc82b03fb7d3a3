"""`jax.scipy.stats.beta`: the beta distribution, on (0, 1)."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.beta import cdf, logcdf, logpdf, logsf, pdf, sf
