"""`jax.scipy.stats.nbinom`: the negative binomial distribution: how many trials fail before n succeed."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.nbinom import logpmf, pmf
