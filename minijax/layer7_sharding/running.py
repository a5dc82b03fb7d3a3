"""Computing on the devices of a mesh. A program is computed as a whole, and its results are divided."""

from collections.abc import Sequence
from typing import Any

from ..layer1_core.array import numpy_value
from ..layer1_core.aval import ShapedArray
from ..layer1_core.devices import Sharding
from ..layer1_core.evaluate import apply_impl, on_devices, wrap
from ..layer1_core.primitive import Primitive
from .named import NamedSharding
from .spec import P


def computed_whole(primitive: Primitive, args: Sequence[Any], params: dict[str, Any], avals: Any, sharding: Any) -> Any:
    """The results of `primitive`, on the devices of `sharding`."""
    out = apply_impl(primitive, [numpy_value(x) for x in args], params)
    if not primitive.multiple_results:
        return wrap(out, avals, result_sharding(avals, sharding), True)
    return [wrap(x, aval, result_sharding(aval, sharding), True) for x, aval in zip(out, avals, strict=True)]


def result_sharding(aval: ShapedArray, like: NamedSharding) -> Sharding:
    """Where a result of this type is: along Explicit axes the type says it."""
    return NamedSharding(like.mesh, P() if aval.is_undivided else aval.sharding.spec)


on_devices.append(computed_whole)
