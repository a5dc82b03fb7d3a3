"""`jax.scipy.stats.gumbel_r`: the right-skewed Gumbel distribution: of the largest of many."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.gumbel_r import cdf, logcdf, logpdf, logsf, pdf, ppf, sf
