"""`jax.scipy.stats.logistic`: the logistic distribution."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.logistic import cdf, isf, logpdf, pdf, ppf, sf
