"""What names a place for `device_put`: a NamedSharding, a PartitionSpec where a mesh is set, a memory space."""

import enum
from typing import Any

from ..layer1_core.aval import Shape, ShapedArray, abstractify, is_jax_type, struct_shardings, typeof
from ..layer1_core.device_put import sharding_of_type
from ..layer1_core.devices import Sharding, default_device, sharding_on
from .mesh import get_mesh
from .named import NamedSharding
from .parts import IndivisibleError
from .spec import PartitionSpec


class MemorySpace(enum.StrEnum):
    """Where on a device, or near it, an array is: what types say of memory."""

    Device = "device"
    Host = "host"
    Any = "any"

    def __repr__(self) -> str:
        return f"MemorySpace.{self.name}"

    __str__ = __repr__

    @classmethod
    def _missing_(cls, value: object) -> None:
        raise ValueError(f"{value!r} is not a valid MemorySpace")


_KINDS = {MemorySpace.Device: "device", MemorySpace.Host: "pinned_host"}


def _type_of(x: Any) -> ShapedArray:
    return typeof(x) if is_jax_type(x) else abstractify(x)


def _named(sharding: NamedSharding, x: Any) -> NamedSharding:
    """`sharding`, where `x` can be divided so. Raises ValueError where it cannot."""
    shape = _type_of(x).shape
    if sharding.mesh.explicit_axes and len(sharding.spec) <= len(shape):
        sharding.typed(_type_of(x))  # where the types know, they say it first
    try:
        sharding.shard_shape(shape)
    except IndivisibleError as error:
        raise IndivisibleError(f"One of device_put args was given the sharding {error}") from None
    except ValueError as error:
        told = "One of device_put args is incompatible with its sharding annotation"
        raise ValueError(f"{told} {sharding}: {error}") from None
    return sharding


def _of_spec(spec: PartitionSpec, x: Any) -> NamedSharding:
    """The sharding on the mesh that is set. Raises ValueError where none is."""
    mesh = get_mesh()
    if mesh.empty:
        raise ValueError("Please set a mesh via `jax.set_mesh` if a PartitionSpec is passed to device_put")
    return _named(NamedSharding(mesh, spec), x)


def _in_memory(space: MemorySpace, x: Any) -> Sharding:
    """Where the array is, in another memory."""
    aval = _type_of(x)
    here: Sharding = getattr(x, "_sharding", None) or sharding_on(default_device())
    if not hasattr(x, "_sharding") and not aval.is_undivided:
        here = aval.sharding
    return here.with_memory_kind(_KINDS[space])


sharding_of_type.update({NamedSharding: _named, PartitionSpec: _of_spec, MemorySpace: _in_memory})


# ---- shardings of what need not exist


def _of_struct(sharding: Any, shape: Shape) -> Sharding:
    """The sharding of a ShapeDtypeStruct. Raises ValueError for what is none, and for one of more axes than there are;
    TypeError for a PartitionSpec where no mesh is set.
    """
    if not isinstance(sharding, (Sharding, PartitionSpec)):
        raise ValueError(
            "sharding should be an instance of `jax.sharding.Sharding`, `jax.sharding.PartitionSpec` or "
            f"`jax.experimental.layout.Format`. Got {sharding} of type {type(sharding)}."
        )
    if isinstance(sharding, PartitionSpec):
        mesh = get_mesh()
        if mesh.empty:
            raise TypeError(
                "When specifying PartitionSpec to `ShapeDtypeStruct`, the context mesh cannot be empty. Please use "
                "`jax.set_mesh` to set the mesh context."
            )
        sharding = NamedSharding(mesh, sharding)
    if isinstance(sharding, NamedSharding):
        sharding.check_compatible_aval(shape)
    return sharding


struct_shardings.append(_of_struct)
