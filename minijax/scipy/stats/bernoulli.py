"""`jax.scipy.stats.bernoulli`: the Bernoulli distribution: 1 with probability p, else 0."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.bernoulli import cdf, logpmf, pmf, ppf
