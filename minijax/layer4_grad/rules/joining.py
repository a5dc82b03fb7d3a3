"""Joining and parting: each is the transpose of the other."""

from collections.abc import Sequence
from typing import Any

from ...layer1_core.aval import typeof
from ...layer1_core.lax.joining import concatenate, concatenate_p, split, split_p, stack_p, unstack_p
from ..families import deflinear, deflinear2
from ..tangents import instantiate

deflinear(stack_p, lambda ct, axis: unstack_p.bind(ct, axis=axis))
deflinear(unstack_p, lambda cts, axis: [stack_p.bind(*map(instantiate, cts), axis=axis)])


def _concatenate_transpose(ct: Any, *xs: Any, dimension: int) -> Sequence[Any]:
    return split(ct, [_shape(x)[dimension] for x in xs], axis=dimension)


def _shape(x: Any) -> tuple[int, ...]:
    return x.shape if hasattr(x, "shape") else typeof(x).shape


deflinear2(concatenate_p, _concatenate_transpose)
deflinear(split_p, lambda cts, sizes, axis: [concatenate([*map(instantiate, cts)], dimension=axis)])
