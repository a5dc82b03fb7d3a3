"""`jax.scipy.integrate`: areas."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: areas
from ..layer1_core.scipy.clusters_and_areas import trapezoid
