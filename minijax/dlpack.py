"""`jax.dlpack`: sharing memory with other libraries."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)
from .layer1_core.jnp.array_creation import from_dlpack
