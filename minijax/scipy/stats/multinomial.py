"""`jax.scipy.stats.multinomial`: how often each of several outcomes happens in n trials."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.multinomial import logpmf, pmf
