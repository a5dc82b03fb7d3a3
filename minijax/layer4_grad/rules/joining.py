"""Joining arrays and parting one: each is the transpose of the other."""

from collections.abc import Sequence
from typing import Any

from ...layer1_core.aval import typeof
from ...layer1_core.lax.joining import concatenate, concatenate_p, split, split_p, stack_p, tile_p, unstack_p
from ...layer1_core.lax.reducing import reduce_sum
from ...layer1_core.lax.shaping import reshape
from ..families import deflinear, deflinear2
from ..tangents import instantiate
from ..transpose import is_undefined_primal

# ---- joining


def _concatenate_transpose(ct: Any, *operands: Any, dimension: int) -> list[Any]:
    shapes = [x.aval.shape if is_undefined_primal(x) else typeof(x).shape for x in operands]
    return split(ct, [shape[dimension] for shape in shapes], dimension)


deflinear2(concatenate_p, _concatenate_transpose)
deflinear(stack_p, lambda ct, axis: unstack_p.bind(ct, axis=axis))

# ---- parting

deflinear(split_p, lambda cts, sizes, axis: [concatenate([*map(instantiate, cts)], axis)])
deflinear(unstack_p, lambda cts, axis: [stack_p.bind(*map(instantiate, cts), axis=axis)])

# ---- repeating


def _tile_transpose(ct: Any, x: Any, *, reps: Sequence[int]) -> list[Any]:
    """The sum over the repetitions of each element: axis n of x is [reps, n] in the cotangent."""
    sizes = [n for pair in zip(reps, x.shape, strict=True) for n in pair]
    return [reduce_sum(reshape(ct, sizes), range(0, 2 * x.ndim, 2))]


deflinear2(tile_p, _tile_transpose)
