"""What puts elements in order, in simpler terms: the place of the largest, sorting, the k largest.

In a loop a small array is sorted by counting: an element's place is the number of those that come before it. There is
no branch in that, so it becomes vector instructions. Large ones are called, and those outside of loops.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..layer1_core import lax
from ..layer1_core.jaxpr import JaxprEqn
from ..layer1_core.lax.elementwise import bitwise_and, bitwise_not, bitwise_or, bitwise_xor, eq, gt, lt, ne, select
from ..layer1_core.lax.gather import GatherScatterMode
from ..layer1_core.lax.reducing import reduce_max, reduce_min, reduce_sum
from ..layer1_core.lax.scatter import ScatterDimensionNumbers, scatter
from ..layer1_core.lax.shaping import broadcast_in_dim, broadcasted_iota, expand_dims, full, full_like, transpose
from .rules import lowest
from .simpler import put_as

I32 = np.dtype("int32")
PAIRS = 256 * 256  # of elements that are compared where sorting is counting, instead of a call in each round of a loop
FEW = 8  # of the largest: each is looked for by itself

# ---- the place of the largest


def first_best(extreme: Callable[..., Any]) -> Callable[..., Any]:
    """The first place of what a reduction finds, or of a NaN: that is what it finds then, and equals nothing."""

    def program(x: Any, *, axes: Sequence[int], index_dtype: Any) -> Any:
        return first_where(_is(x, extreme(x, axes), axes), axes[0], np.dtype(index_dtype))

    return program


def _is(x: Any, best: Any, axes: Sequence[int]) -> Any:
    found = eq(x, _spread(best, x.shape, axes[0]))
    return bitwise_or(found, ne(x, x)) if x.dtype.kind == "f" else found


def first_where(found: Any, axis: int, dtype: np.dtype) -> Any:
    """The first place along an axis where there is one."""
    place, last = broadcasted_iota(dtype, found.shape, axis), full(found.shape, found.shape[axis] - 1, dtype)
    return reduce_min(select(found, place, last), (axis,))


def _spread(x: Any, shape: Sequence[int], axis: int) -> Any:
    """x along a new axis."""
    return broadcast_in_dim(x, shape, [d for d in range(len(shape)) if d != axis])


def _has_places(eqn: JaxprEqn, inside: bool) -> bool:
    size = eqn.invars[0].aval.shape[eqn.params["axes"][0]]
    return 0 < size <= np.iinfo(eqn.params["index_dtype"]).max


put_as(lax.sorting.argmax_p, accepts=_has_places)(first_best(reduce_max))
put_as(lax.sorting.argmin_p, accepts=_has_places)(first_best(reduce_min))

# ---- order


def total_order(x: Any) -> Any:
    """Whole numbers in the order of x, where -NaN < -inf < ... < -0.0 < 0.0 < ... < inf < NaN: the bits of a float,
    which ascend as it does where its sign is 0, and descend where it is 1.
    """
    if x.dtype.kind == "b":
        return lax.converting.convert_element_type(x, "uint8")
    if x.dtype.kind != "f":
        return x
    bits = lax.converting.bitcast_convert_type(x, f"int{8 * x.dtype.itemsize}")
    turned = bitwise_xor(bits, full_like(bits, np.iinfo(bits.dtype).max))
    return select(lt(bits, full_like(bits, 0)), turned, bits)


def sort_key(x: Any) -> Any:
    """Whole numbers in the order of x as sort has it: both zeros are equal, and all NaNs, which come last."""
    key = total_order(x)
    if x.dtype.kind != "f":
        return key
    key = select(eq(x, full_like(x, 0)), full_like(key, 0), key)
    return select(ne(x, x), full_like(key, np.iinfo(key.dtype).max), key)


def places(keys: Sequence[Any]) -> Any:
    """How many elements of a row come before each one: those with smaller keys, and equal ones in front of it.

    The keys lie along the last axis, and the first one counts most.  [..., n] -> [..., n, n] -> [..., n]
    """
    rank, n = keys[0].ndim, keys[0].shape[-1]
    both = (*keys[0].shape, n)
    this = lambda x: broadcast_in_dim(x, both, range(rank))
    other = lambda x: broadcast_in_dim(x, both, [*range(rank - 1), rank])
    before = lt(broadcasted_iota(I32, both, rank), broadcasted_iota(I32, both, rank - 1))
    for key in reversed(keys):
        before = bitwise_or(lt(other(key), this(key)), bitwise_and(eq(other(key), this(key)), before))
    return reduce_sum(lax.converting.convert_element_type(before, I32), (rank,))


def put_in(x: Any, where: Any, size: int) -> Any:
    """An array with the elements of x at their places along the last axis, the first `size` of them."""
    shape, others = x.shape[:-1], tuple(range(x.ndim - 1))
    numbers = ScatterDimensionNumbers((), (x.ndim - 1,), (x.ndim - 1,), others, others)
    nothing = full((*shape, size), 0, x.dtype)
    mode = GatherScatterMode.FILL_OR_DROP
    return scatter(nothing, expand_dims(where, (x.ndim,)), x, numbers, unique_indices=True, mode=mode)


def along_last(axis: int, rows: Callable[..., Sequence[Any]], *operands: Any) -> list[Any]:
    """What a function of arrays along the last axis gives along another one."""
    rank = operands[0].ndim
    there = [*(d for d in range(rank) if d != axis), axis]
    back = [there.index(d) for d in range(rank)]
    move = lambda x, way: x if axis == rank - 1 else transpose(x, way)
    return [move(x, back) for x in rows(*(move(x, there) for x in operands))]


def _are_few_pairs(eqn: JaxprEqn, axis: int, inside: bool) -> bool:
    x = eqn.invars[0].aval
    return inside and 0 < x.size * x.shape[axis] <= PAIRS


@put_as(lax.sorting.sort_p, accepts=lambda eqn, inside: _are_few_pairs(eqn, eqn.params["dimension"], inside))
def sort(*operands: Any, dimension: int, is_stable: bool, num_keys: int) -> list[Any]:
    """Each element of each operand at its place."""

    def rows(*xs: Any) -> list[Any]:
        where = places([sort_key(x) for x in xs[:num_keys]])
        return [put_in(x, where, x.shape[-1]) for x in xs]

    return along_last(dimension, rows, *operands)


# ---- the k largest


def _are_few(eqn: JaxprEqn, inside: bool) -> bool:
    k, axis = eqn.params["k"], eqn.params["axis"]
    return eqn.invars[0].aval.size > 0 and (0 < k <= FEW or _are_few_pairs(eqn, axis, inside))


@put_as(lax.sorting.top_k_p, accepts=_are_few)
def top_k(x: Any, *, k: int, axis: int, is_stable: bool = True) -> list[Any]:
    """The first k in descending order, and where they were."""
    return along_last(axis, lambda x: _few_largest(x, k) if k <= FEW else _largest(x, k), x)


def _largest(x: Any, k: int) -> list[Any]:
    """By the places of all, in descending order."""
    where = places([bitwise_not(total_order(x))])
    return [put_in(y, where, k) for y in (x, broadcasted_iota(I32, x.shape, x.ndim - 1))]


def _few_largest(x: Any, k: int) -> list[Any]:
    """One after the other: each is the largest of those that come after the one before.  [..., n] -> [..., k]"""
    axis, key, place = x.ndim - 1, total_order(x), broadcasted_iota(I32, x.shape, x.ndim - 1)
    spread = lambda y: _spread(y, x.shape, axis)
    nothing = full_like(key, lowest(key.dtype))
    left, found = None, []
    for _ in range(k):
        best = reduce_max(key if left is None else select(left, key, nothing), (axis,))
        is_best = eq(key, spread(best))
        at = first_where(is_best if left is None else bitwise_and(is_best, left), axis, I32)
        found.append(at)
        behind = bitwise_and(is_best, gt(place, spread(at)))
        left = bitwise_or(lt(key, spread(best)), behind)
    at = lax.joining.concatenate([expand_dims(y, (axis,)) for y in found], axis)
    return [taken(x, at), at]


def taken(x: Any, at: Any) -> Any:
    """The elements of x at these places along the last axis."""
    others = tuple(range(x.ndim - 1))
    numbers = lax.gather.GatherDimensionNumbers((), (x.ndim - 1,), (x.ndim - 1,), others, others)
    sizes = (1,) * x.ndim
    return lax.gather.gather(x, expand_dims(at, (x.ndim,)), numbers, sizes, mode=GatherScatterMode.PROMISE_IN_BOUNDS)
