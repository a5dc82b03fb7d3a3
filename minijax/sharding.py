"""`jax.sharding`: where arrays live."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1
from .layer1_core.devices import SingleDeviceSharding

# ---- what later chapters bring
from .layer1_core.later import later as _later

__getattr__ = _later(
    "minijax.sharding",
    {
        7: [
            "AbstractDevice",
            "AbstractMesh",
            "AxisType",
            "Mesh",
            "NamedSharding",
            "PartitionSpec",
            "UnreducedKind",
            "Sharding",
            "get_abstract_mesh",
            "get_mesh",
            "auto_axes",
            "explicit_axes",
            "reshard",
            "set_mesh",
            "use_abstract_mesh",
        ]
    },
)

# ---- chapter 7
from .layer1_core.devices import Sharding
from .layer7_sharding.context import set_mesh, use_abstract_mesh
from .layer7_sharding.mesh import AbstractDevice, AbstractMesh, AxisType, Mesh, get_abstract_mesh, get_mesh
from .layer7_sharding.named import NamedSharding
from .layer7_sharding.resharding import auto_axes, explicit_axes, reshard
from .layer7_sharding.spec import PartitionSpec, UnreducedKind
