"""`jax.sharding`: where arrays live."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1
from .layer1_core.array import SingleDeviceSharding

# ---- what later chapters bring
from .layer1_core.later import later as _later

__getattr__ = _later(
    "minijax.sharding",
    {
        7: [
            "AbstractMesh",
            "AxisType",
            "Mesh",
            "NamedSharding",
            "PartitionSpec",
            "Sharding",
            "get_abstract_mesh",
            "use_mesh",
        ]
    },
)
