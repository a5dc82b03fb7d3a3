"""`jax.experimental.shard_map`: `jax.shard_map` by its old name."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 7
from ..layer7_sharding.shard_map import shard_map_on as shard_map
