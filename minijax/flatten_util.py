"""`jax.flatten_util`: a tree of arrays as one vector."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)
from .layer1_core.flatten_util import ravel_pytree
