"""Joining and parting."""

from collections.abc import Sequence
from typing import Any

from ...layer1_core.lax.joining import concatenate, concatenate_p, split_p, stack_p, tile, tile_p, unstack_p
from ...layer1_core.lax.shaping import broadcast as broadcast_to_front
from ..batching import batching_rules, moveaxis, size_of
from ..families import Dims, Result, of_one
from .parts import inserted


def _all_in_front(args: Sequence[Any], dims: Dims) -> list[Any]:
    """What `all_at_front` gives, by the equation that JAX has here: its numbers of axes are Python's."""
    size = size_of(args, dims)
    return [broadcast_to_front(x, (size,)) if d is None else moveaxis(x, d, 0) for x, d in zip(args, dims, strict=True)]


@batching_rules.rule(concatenate_p)
def _concatenate_rule(args: Sequence[Any], dims: Dims, *, dimension: int) -> Result:
    return concatenate(_all_in_front(args, dims), dimension + 1), 0


@batching_rules.rule(stack_p)
def _stack_rule(args: Sequence[Any], dims: Dims, *, axis: int) -> Result:
    dim = dims[0]
    if dim is None or any(d != dim for d in dims):
        return stack_p.bind(*_all_in_front(args, dims), axis=axis + 1), 0
    before = axis <= dim
    return stack_p.bind(*args, axis=axis + (not before)), dim + before


@batching_rules.rule(unstack_p)
@of_one
def _unstack_rule(x: Any, dim: int, *, axis: int) -> Result:
    before = axis < dim
    out = unstack_p.bind(x, axis=axis + (not before))
    return out, [dim - before] * len(out)


@batching_rules.rule(split_p)
@of_one
def _split_rule(x: Any, dim: int, *, sizes: Sequence[int], axis: int) -> Result:
    return split_p.bind(x, sizes=sizes, axis=axis + (axis >= dim)), [dim] * len(sizes)


@batching_rules.rule(tile_p)
@of_one
def _tile_rule(x: Any, dim: int, *, reps: Sequence[int]) -> Result:
    return tile(x, inserted(reps, dim, 1)), dim
