"""`jax.scipy.stats.geom`: the geometric distribution: which trial is the first to succeed."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: distributions
from ...layer1_core.scipy.stats.geom import logpmf, pmf
