"""What the scatters compute: each update has a flat position in the operand, and they are written there in order.

B: the batch axes of the indices. W: one axis for each axis of the operand, as long as the window.
"""

import math
from collections.abc import Callable

import numpy as np

from ..aval import Shape
from ..evaluate import interpret
from ..jaxpr import Jaxpr
from ..lax.gather import GatherScatterMode
from ..lax.scatter import ScatterDimensionNumbers
from .gather import axis_starts, coordinates, starts_inside
from .reducing import with_zeros


def scatter_rule(write: Callable) -> Callable[..., np.ndarray]:
    """The rule of a scatter that writes with `write(flat, targets, updates, jaxpr)`."""

    def rule(operand, indices, updates, *, dimension_numbers, mode, update_jaxpr=None, **_):
        flat = operand.flatten()
        if flat.size:
            targets, values = scatter_points(operand.shape, indices, updates, dimension_numbers, mode)
            write(flat, targets, values, update_jaxpr)
        return flat.reshape(operand.shape)

    return rule


def scatter_points(
    shape: Shape, indices: np.ndarray, updates: np.ndarray, dims: ScatterDimensionNumbers, mode: GatherScatterMode
) -> tuple[np.ndarray, np.ndarray]:
    """The flat position in the operand of every update that is written, and the updates, in the order of writing."""
    window_dims, inserted, index_map, operand_batch, indices_batch = dims
    gone = inserted + operand_batch
    window = iter([updates.shape[i] for i in window_dims])
    sizes = tuple(1 if d in gone else next(window) for d in range(len(shape)))
    starts, inside = starts_inside(indices, index_map, shape, sizes)
    ways = axis_starts(starts, index_map, operand_batch, indices_batch)
    places = coordinates(ways, range(len(shape)), sizes, indices.ndim - 1)
    whole = indices.shape[:-1] + sizes  # [B, W]
    steps = [math.prod(shape[d + 1 :]) for d in range(len(shape))]
    targets = np.broadcast_to(sum(place * step for place, step in zip(places, steps, strict=True)), whole)
    batch_dims = [i for i in range(updates.ndim) if i not in window_dims]
    updates = updates.transpose(*batch_dims, *window_dims).reshape(whole)
    if mode is not GatherScatterMode.CLIP:
        targets, updates = targets[inside], updates[inside]
    return targets.ravel(), updates.ravel()


def write_with(ufunc: np.ufunc) -> Callable[..., None]:
    """Combine each update with what is there, one after the other."""
    return lambda flat, targets, updates, _: ufunc.at(flat, targets, updates)


def write_extreme(ufunc: np.ufunc, zero: float) -> Callable[..., None]:
    """Leave the largest, or the smallest, of what is there and its updates; `zero`, where zeros of both signs are."""

    def write(flat: np.ndarray, targets: np.ndarray, updates: np.ndarray, _: Jaxpr | None) -> None:
        def at_each_place(true: np.ndarray) -> np.ndarray:
            found = true[: flat.size].copy()
            found[targets[true[flat.size :]]] = True
            return found

        numbers = np.concatenate([flat, updates])
        ufunc.at(flat, targets, updates)
        flat[:] = with_zeros(flat, numbers, zero, at_each_place)

    return write


def write_over(flat: np.ndarray, targets: np.ndarray, updates: np.ndarray, jaxpr: Jaxpr | None) -> None:
    """Put each update in its place; the last one to a place stays. With a jaxpr, put what it makes of (old, update)."""
    if jaxpr is None:
        flat[targets] = updates
        return
    combine, turn = interpret(jaxpr), turns(targets)
    for now in range(turn.max(initial=-1) + 1):
        chosen = targets[turn == now]
        [flat[chosen]] = combine([flat[chosen], updates[turn == now]])


def turns(targets: np.ndarray) -> np.ndarray:
    """How many earlier entries of `targets` equal each one: the entries of one turn are all different.

    >>> turns(np.array([7, 5, 7, 7]))
    array([0, 0, 1, 2])
    """
    order = np.argsort(targets, kind="stable")
    ranked = targets[order]
    turn = np.empty_like(targets)
    turn[order] = np.arange(targets.size) - np.searchsorted(ranked, ranked)
    return turn


scatter = scatter_rule(write_over)
scatter_add = scatter_rule(write_with(np.add))
scatter_sub = scatter_rule(write_with(np.subtract))
scatter_mul = scatter_rule(write_with(np.multiply))
scatter_min = scatter_rule(write_extreme(np.minimum, -0.0))
scatter_max = scatter_rule(write_extreme(np.maximum, 0.0))
