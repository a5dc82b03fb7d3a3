"""`jax.scipy.stats.pareto`: the Pareto distribution."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.pareto import cdf, logcdf, logpdf, logsf, pdf, ppf, sf
