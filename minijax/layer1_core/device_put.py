"""Placing arrays: `device_put` and `device_get`."""

from collections.abc import Callable
from typing import Any

import numpy as np

from .array import ArrayImpl, Device, SingleDeviceSharding, default_device, numpy_value, read_only, sharding_on
from .aval import ShapedArray, abstractify, is_jax_type, typeof
from .primitive import Primitive, impl_rules
from .trace import Tracer
from .tree import flatten_axes, tree_flatten, tree_map, tree_unflatten

device_put_p = Primitive("device_put")
device_put_p.multiple_results = True
device_put_p.def_abstract_eval(lambda *avals, **params: list(avals))
impl_rules.rule(device_put_p)(lambda *values, **params: list(values))

# Values that are no arrays, but hold one: by type, how one is put where a user names (chapter 6: keys).
put_rules: dict[type, Callable[[Any, Any], Any]] = {}

# What a placement means: by its type. Layer 7 adds its shardings.
sharding_of_type: dict[type, Callable[[Any], Any]] = {
    Device: sharding_on,
    SingleDeviceSharding: lambda s: s,
}


def device_put(
    x: Any, device: Any = None, *, src: Any = None, donate: bool = False, may_alias: bool | None = None
) -> Any:
    """The arrays of the tree `x` on `device`: a Device, a sharding, or None for where they are.

    `device` may be a tree of these, a prefix of `x`. With a device the results are committed: computations with them
    happen there. An array without one named is returned as it is.
    """
    leaves, tree = tree_flatten(x)
    places = flatten_axes("device_put device", tree, device)
    return tree_unflatten(tree, [_put(leaf, place) for leaf, place in zip(leaves, places, strict=True)])


def _put(x: Any, place: Any) -> Any:
    if isinstance(x, Tracer):
        params = dict(devices=(place,), srcs=(None,), copy_semantics=(None,))
        return device_put_p.bind(x, **params)[0]
    if isinstance(x, ArrayImpl) and place is None:
        return x
    if type(x) in put_rules:
        return put_rules[type(x)](x, place)
    sharding = sharding_on(default_device()) if place is None else as_sharding(place)
    aval: ShapedArray = typeof(x) if is_jax_type(x) else abstractify(x)
    value = np.array(numpy_value(x), aval.dtype) if not isinstance(x, ArrayImpl) else x._value
    return ArrayImpl(aval, [read_only(value)], sharding, place is not None)


def as_sharding(place: Any) -> Any:
    """The sharding that `place` names. Raises ValueError for what is neither a device nor a sharding."""
    rule = sharding_of_type.get(type(place))
    if rule is None:
        raise ValueError(
            "`jax.device_put` only accepts `None`, `jax.sharding.Sharding`, `jax.Device`, `Format`, `jax.memory.Space` "
            f"or a pytree of these values. Received invalid value: {place}"
        )
    return rule(place)


def device_get(x: Any) -> Any:
    """The tree `x` with its arrays as NumPy arrays."""
    return tree_map(lambda leaf: np.asarray(leaf) if isinstance(leaf, ArrayImpl) else leaf, x)


def block_until_ready(x: Any) -> Any:
    """The tree `x`, once all its arrays are computed."""
    return tree_map(lambda leaf: leaf.block_until_ready() if isinstance(leaf, (ArrayImpl, *put_rules)) else leaf, x)


def copy_to_host_async(x: Any) -> Any:
    """Begin to bring the arrays of the tree `x` to NumPy; here they are there already."""
    return tree_map(lambda leaf: leaf, x)
