"""`jax.ops`: sums and their kin over segments."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)
from .layer1_core.jnp.segments import segment_max, segment_min, segment_prod, segment_sum
