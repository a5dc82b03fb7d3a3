"""`reshard` and `with_sharding_constraint` under transformations: both are linear, and change no value."""

from collections.abc import Sequence
from typing import Any

from ..layer1_core.aval import partition_of_axis, typeof
from ..layer2_jit.lowering import CALLED
from ..layer2_jit.rules import lowering_rules
from ..layer4_grad.families import deflinear, deflinear2
from ..layer5_vmap.axes import AxisData
from ..layer5_vmap.batching import axis_batching_rules, batching_rules
from .named import NamedSharding
from .resharding import reshard_p, reshard_to, sharding_constraint_p
from .spec import UNCONSTRAINED, partition_of

lowering_rules.update(dict.fromkeys((reshard_p, sharding_constraint_p), CALLED))


def _reshard_transpose(ct: Any, x: Any, *, dst_sharding: NamedSharding, concrete_mesh: Any) -> list[Any]:
    """The cotangent, divided as the operand is."""
    return [reshard_to(ct, x.aval.sharding, concrete_mesh)]


deflinear2(reshard_p, _reshard_transpose)
deflinear(sharding_constraint_p, lambda ct, **params: [sharding_constraint_p.bind(ct, **params)])


@batching_rules.rule(reshard_p)
def _reshard_batching(args: Sequence[Any], dims: Sequence[Any], *, dst_sharding: NamedSharding, **params: Any) -> Any:
    """The batch axis stays as it is."""
    dst = dst_sharding.with_axis(dims[0], partition_of_axis(typeof(args[0]), dims[0]))
    return reshard_p.bind(args[0], dst_sharding=dst, **params), dims[0]


def _constraint_batching(
    axis: AxisData, args: Sequence[Any], dims: Sequence[Any], *, sharding: NamedSharding, unconstrained_dims: Any,
    **params: Any,
) -> Any:  # fmt: skip
    """The batch axis is divided as vmap's `spmd_axis_name` says; where it says nothing, as is best."""
    (dim,) = dims
    if dim is None:
        return sharding_constraint_p.bind(
            *args, sharding=sharding, unconstrained_dims=unconstrained_dims, **params
        ), None  # fmt: skip
    entry = UNCONSTRAINED if axis.spmd_name is None else partition_of(axis.spmd_name)
    free = {d + (d >= dim) for d in unconstrained_dims} | ({dim} if axis.spmd_name is None else set())
    entries = sharding.spec.partitions
    padded = sharding.update(spec=(*entries, *(None,) * (dim - len(entries))))
    out = sharding_constraint_p.bind(
        args[0], sharding=padded.with_axis(dim, entry), unconstrained_dims=frozenset(free), **params
    )
    return out, dim


axis_batching_rules[sharding_constraint_p] = _constraint_batching
