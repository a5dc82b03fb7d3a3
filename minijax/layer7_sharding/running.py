"""Computing on the devices of a mesh. A program is computed as a whole, and its results are divided."""

import itertools
from collections.abc import Sequence
from typing import Any

from ..layer1_core.aval import ShapedArray, typeof
from ..layer1_core.devices import Sharding
from ..layer1_core.evaluate import apply_impl, on_devices, wrap
from ..layer1_core.primitive import Primitive
from . import partition_rules, partitioned  # noqa: F401 - these enter rules, and what `partitioned()` gives
from .across import gathered, on_devices_of
from .mesh import Mesh
from .named import NamedSharding
from .propagation import specs_of_results
from .spec import P, PartitionSpec, axes_of, partition_of


def computed_whole(primitive: Primitive, args: Sequence[Any], params: dict[str, Any], avals: Any, sharding: Any) -> Any:
    """The results of `primitive`, on the devices of `sharding`."""
    values = [gathered(x) for x in args]
    with on_devices_of(sharding):
        out = apply_impl(primitive, values, params)
    outs = avals if primitive.multiple_results else [avals]
    specs = [getattr(getattr(x, "_sharding", None), "spec", P()) for x in args]
    found = specs_of_results(primitive, specs, [typeof(x) for x in args], outs, sharding.mesh, params)
    places = [result_sharding(aval, spec, sharding.mesh) for aval, spec in zip(outs, found, strict=True)]
    if not primitive.multiple_results:
        return wrap(out, avals, places[0], True)
    return [wrap(x, aval, place, True) for x, aval, place in zip(out, avals, places, strict=True)]


def result_sharding(aval: ShapedArray, spec: PartitionSpec, mesh: Mesh) -> Sharding:
    """Where a result of this type is: along Explicit axes the type says it, along the others the compiler."""
    if not mesh.explicit_axes:
        return NamedSharding(mesh, spec)
    told = P() if aval.is_undivided else aval.sharding.spec
    return NamedSharding(mesh, _merged(told, spec, frozenset(mesh.auto_axes)) if mesh.auto_axes else told)


def _merged(told: PartitionSpec, found: PartitionSpec, auto: frozenset[Any]) -> PartitionSpec:
    """The entries of the type, and behind them the Auto axes that were found."""
    pairs = itertools.zip_longest(told.partitions, found.partitions)
    entries = [partition_of((*axes_of(entry), *auto.intersection(axes_of(other)))) for entry, other in pairs]
    return told.update(partitions=entries)


on_devices.append(computed_whole)
