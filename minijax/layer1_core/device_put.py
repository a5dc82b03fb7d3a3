"""Placing arrays: `device_put` and `device_get`."""

import enum
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .array import ArrayImpl, array_on, numpy_value, read_only
from .aval import ShapedArray, abstractify, is_jax_type, typeof
from .buffers import share
from .devices import Device, Sharding, SingleDeviceSharding, default_device, sharding_on
from .primitive import Primitive, impl_rules
from .trace import Tracer
from .tree import flatten_axes, tree_flatten, tree_map, tree_unflatten


class ArrayCopySemantics(enum.Enum):
    """Whether a placed array may have the memory of what it is made from."""

    REUSE_INPUT = enum.auto()
    ALWAYS_COPY = enum.auto()
    DONATE_INPUT = enum.auto()

    def __repr__(self) -> str:
        return str(self)


device_put_p = Primitive("device_put")
device_put_p.multiple_results = True


@device_put_p.def_abstract_eval
def _put_rule(*avals: ShapedArray, devices: Sequence[Any], **params: Any) -> list[ShapedArray]:
    return [aval if d is None else as_sharding(d, aval).typed(aval) for aval, d in zip(avals, devices, strict=True)]


impl_rules.rule(device_put_p)(lambda *values, **params: list(values))

# Values that are no arrays, but hold one: by type, how one is put where a user names (chapter 6: keys).
put_rules: dict[type, Callable[[Any, Any], Any]] = {}

# What a placement means for an array (or a type): by the type of the placement. Layer 7 adds its shardings.
sharding_of_type: dict[type, Callable[[Any, Any], Sharding]] = {
    Device: lambda device, x: sharding_on(device),
    SingleDeviceSharding: lambda sharding, x: sharding,
}


# The value of `x` that is put where a sharding says, where either of them spans several processes. Chapter 7 enters how
# these find out.
spanning: list[Callable[[Any, Sharding], np.ndarray]] = []


def device_put(
    x: Any, device: Any = None, *, src: Any = None, donate: bool = False, may_alias: bool | None = None
) -> Any:
    """The arrays of the tree `x` on `device`: a Device, a sharding, or None for where they are.

    `device` may be a tree of these, a prefix of `x`. With a device the results are committed: computations with them
    happen there. An array without one named is returned as it is.
    Raises ValueError for what names no place, and where an array cannot be divided as a sharding says.
    """
    leaves, tree = tree_flatten(x)
    places = flatten_axes("device_put device", tree, device)
    copies = _copy_semantics(donate, may_alias)
    if any(isinstance(leaf, Tracer) for leaf in leaves):
        sources = flatten_axes("device_put source", tree, src)
        params = dict(devices=tuple(places), srcs=tuple(sources), copy_semantics=(copies,) * len(leaves))
        return tree_unflatten(tree, device_put_p.bind(*leaves, **params))
    return tree_unflatten(tree, [_put(leaf, place, copies) for leaf, place in zip(leaves, places, strict=True)])


def _copy_semantics(donate: bool, may_alias: bool | None) -> ArrayCopySemantics:
    if donate and may_alias:
        raise ValueError("may_alias and donate cannot be True at the same time.")
    if donate:
        return ArrayCopySemantics.DONATE_INPUT
    return ArrayCopySemantics.ALWAYS_COPY if may_alias is False else ArrayCopySemantics.REUSE_INPUT


def _put(x: Any, place: Any, copies: ArrayCopySemantics) -> Any:
    if isinstance(x, ArrayImpl) and place is None:
        return x
    if type(x) in put_rules:
        return put_rules[type(x)](x, place)
    aval: ShapedArray = typeof(x) if is_jax_type(x) else abstractify(x)
    sharding = sharding_on(default_device()) if place is None else as_sharding(place, x)
    if not isinstance(place, Device) and copies is not ArrayCopySemantics.ALWAYS_COPY and _is_at(x, sharding):
        return x
    if not sharding.is_fully_addressable or not getattr(x, "is_fully_addressable", True):
        value = read_only(spanning[-1](x, sharding))
    else:
        value = x._value if isinstance(x, ArrayImpl) else read_only(np.array(numpy_value(x), aval.dtype))
    out = array_on(value, aval, sharding, place is not None)
    if isinstance(x, ArrayImpl) and x.sharding == sharding:  # nothing is moved
        share(value, x.device, x, out)
    return out


def _is_at(x: Any, sharding: Sharding) -> bool:
    return isinstance(x, ArrayImpl) and x._committed and x._sharding == sharding and not x.is_deleted()


def as_sharding(place: Any, x: Any) -> Sharding:
    """The sharding that `place` names for the array `x`. Raises ValueError for what is neither device nor sharding."""
    rule = sharding_of_type.get(type(place))
    if rule is None:
        raise ValueError(
            "`jax.device_put` only accepts `None`, `jax.sharding.Sharding`, `jax.Device`, `Format`, `jax.memory.Space` "
            f"or a pytree of these values. Received invalid value: {place}"
        )
    return rule(place, x)


def device_get(x: Any) -> Any:
    """The tree `x` with its arrays as NumPy arrays."""
    return tree_map(lambda leaf: np.asarray(leaf) if isinstance(leaf, ArrayImpl) else leaf, x)


def block_until_ready(x: Any) -> Any:
    """The tree `x`, once all its arrays are computed."""
    return tree_map(lambda leaf: leaf.block_until_ready() if isinstance(leaf, (ArrayImpl, *put_rules)) else leaf, x)


def copy_to_host_async(x: Any) -> Any:
    """Begin to bring the arrays of the tree `x` to NumPy; here they are there already."""
    return tree_map(lambda leaf: leaf, x)
