"""`jax.scipy.stats.betabinom`: binomial, with a success probability drawn from a beta distribution."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.betabinom import logpmf, pmf
