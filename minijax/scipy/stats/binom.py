"""`jax.scipy.stats.binom`: the binomial distribution: how many of n trials succeed."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.binom import logpmf, pmf
