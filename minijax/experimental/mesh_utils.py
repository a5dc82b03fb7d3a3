"""`jax.experimental.mesh_utils`: devices in a grid."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 7
from ..layer7_sharding.mesh import create_device_mesh
