"""`jax.scipy.stats.gumbel_l`: the left-skewed Gumbel distribution: of the smallest of many."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.gumbel_l import cdf, logcdf, logpdf, logsf, pdf, ppf, sf
