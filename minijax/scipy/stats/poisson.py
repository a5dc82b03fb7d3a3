"""`jax.scipy.stats.poisson`: the Poisson distribution: how many events happen where mu are expected."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.poisson import cdf, entropy, logpmf, pmf
