"""`jax.memory`: memory spaces."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 7
from .layer7_sharding.placing import MemorySpace as Space
