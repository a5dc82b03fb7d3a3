"""`jax.scipy.stats.dirichlet`: the Dirichlet distribution, on positive numbers whose sum is 1."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.dirichlet import logpdf, pdf
