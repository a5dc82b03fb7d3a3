"""`jax.experimental.multihost_utils`: what processes tell each other."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 7
from ..layer7_sharding.multihost import (
    assert_equal,
    broadcast_one_to_all,
    global_array_to_host_local_array,
    host_local_array_to_global_array,
    process_allgather,
    sync_global_devices,
)
