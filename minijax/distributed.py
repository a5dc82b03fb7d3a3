"""`jax.distributed`: the program in several processes."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 7
from .layer7_sharding.distributed import initialize, is_initialized, shutdown
