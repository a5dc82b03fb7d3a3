"""`jax.custom_batching`: functions that say themselves what they are on a batch."""

# isort: off
# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 5: batch axes
from .layer5_vmap.custom_vmap import custom_vmap, sequential_vmap
