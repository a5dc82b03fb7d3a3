"""`jax.scipy.stats.multivariate_normal`: the normal distribution of vectors."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.multivariate_normal import logpdf, pdf
