"""Products and convolutions."""

from typing import Any

from ...layer1_core.aval import ShapedArray
from ...layer1_core.lax.conv import conv_general_dilated_p
from ...layer1_core.lax.dot import dot_general_p
from ...layer1_core.lax.fft import fft_p
from ..families import defkept, resized, without_axes
from ..spec import Partitions
from ..types import ShardingTypeError, entries_of, sharding_rules

defkept(fft_p)


@sharding_rules.rule(dot_general_p)
def _dot_rule(out: ShapedArray, lhs: ShapedArray, rhs: ShapedArray, *, dimension_numbers: Any, out_sharding: Any,
              **params: Any) -> Any:  # fmt: skip
    """Batch axes, then the other axes of lhs, then those of rhs, as the operands have them.

    A contracted axis that both divide gives summands on each device: then it must be said how the result is divided.
    """
    if out_sharding is not None:
        return out_sharding.spec
    contracting, batch = dimension_numbers
    _check_alike("lhs batch dimensions and rhs batch dimensions to have the", lhs, rhs, batch)
    sums = _check_alike("contracting dimensions to have", lhs, rhs, contracting)
    if any(a is not None and b is not None for a, b in zip(*sums, strict=True)):
        raise ShardingTypeError(
            "Contracting dimensions are sharded and it is ambiguous how the output should be sharded. Please specify "
            "the output sharding via the `out_sharding` parameter. "
            f"Got lhs_contracting_spec={sums[0]} and rhs_contracting_spec={sums[1]}"
        )
    own = [without_axes(x, (*c, *b)) for x, c, b in zip((lhs, rhs), contracting, batch, strict=True)]
    return (*(entries_of(lhs)[d] for d in batch[0]), *own[0], *own[1])


def _check_alike(what: str, lhs: ShapedArray, rhs: ShapedArray, axes: Any) -> tuple[Partitions, Partitions]:
    """The entries of the axes that belong together. Raises where both are divided, and not alike."""
    left, right = (tuple(entries_of(x)[d] for d in dims) for x, dims in zip((lhs, rhs), axes, strict=True))
    if any(a is not None and b is not None and a != b for a, b in zip(left, right, strict=True)):
        raise ShardingTypeError(f"dot_general requires {what} consistent sharding, got {left} and {right}.")
    return left, right


@sharding_rules.rule(conv_general_dilated_p)
def _conv_rule(out: ShapedArray, lhs: ShapedArray, rhs: ShapedArray, *, dimension_numbers: Any,
               out_sharding: Any = None, **params: Any) -> Any:  # fmt: skip
    if out_sharding is not None:
        return out_sharding.spec
    whole = rhs.sharding.mesh.empty or rhs.sharding.is_fully_replicated
    if not whole or entries_of(lhs)[dimension_numbers.lhs_spec[1]] is not None:
        raise ShardingTypeError(
            "Please specify the output sharding via `out_sharding` parameter of `conv_general_dilated`"
        )
    return resized(out.shape, lhs, "conv_general_dilated")
