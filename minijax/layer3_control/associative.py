"""associative_scan: all partial results of an associative operation, in about 2 log n steps instead of n.

    x0, x0 + x1, x0 + x1 + x2, ...

Source: Guy E. Blelloch, "Prefix Sums and Their Applications" (1990).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..layer1_core.aval import typeof
from ..layer1_core.jnp.promotion import const
from ..layer1_core.lax.elementwise import add, bitwise_or
from ..layer1_core.lax.indexing import rev, slice_in_dim
from ..layer1_core.lax.joining import concatenate
from ..layer1_core.lax.shaping import canonicalize_axis, pad
from ..layer1_core.tree import tree_flatten, tree_leaves, tree_unflatten

Arrays = list[Any]  # the leaves of a tree, which go together


def associative_scan(fn: Callable[[Any, Any], Any], elems: Any, reverse: bool = False, axis: int = 0) -> Any:
    """The results of `fn` on the first 1, 2, 3, ... elements along `axis`.

    >>> print(associative_scan(np.add, np.arange(5)))
    [ 0  1  3  6 10]

    `elems` is an array or a tree of them. `fn` takes two trees like it, works on all elements along the axis at once,
    and is associative: fn(a, fn(b, c)) is fn(fn(a, b), c). With `reverse` it begins at the last element.
    """
    if not callable(fn):
        raise TypeError("lax.associative_scan: fn argument should be callable.")
    arrays, tree = tree_flatten(elems)
    if reverse:
        arrays = [rev(x, [axis]) for x in arrays]
    axis = canonicalize_axis(axis, arrays[0].ndim)
    if any(x.shape[axis] != arrays[0].shape[axis] for x in arrays):
        raise ValueError(
            f"Array inputs to associative_scan must have the same first dimension. (saw: {[x.shape for x in arrays]})"
        )
    combine = lambda a, b: tree_leaves(fn(tree_unflatten(tree, a), tree_unflatten(tree, b)))
    found = _partial_results(combine, arrays, axis)
    return tree_unflatten(tree, [rev(x, [axis]) for x in found] if reverse else found)


def _partial_results(combine: Callable[[Arrays, Arrays], Arrays], elems: Arrays, axis: int) -> Arrays:
    """Of pairs of neighbours the partial results are those at odd places; each of them, and one element, give the next.

    x0 x1 x2 x3 x4  ->  pairs x01 x23  ->  their partial results x01 x0123  ->  at even places x0, x01 + x2, x0123 + x4
    """
    count = elems[0].shape[axis]
    if count < 2:
        return elems
    part = lambda xs, start, end, step=1: [slice_in_dim(x, start, end, step, axis) for x in xs]
    odd = _partial_results(combine, combine(part(elems, 0, -1, 2), part(elems, 1, None, 2)), axis)
    before = part(odd, 0, -1) if count % 2 == 0 else odd
    after_first = combine(before, part(elems, 2, None, 2))
    even = [concatenate([*part([x], 0, 1), later], axis) for x, later in zip(elems, after_first, strict=True)]
    return [_interleaved(a, b, axis) for a, b in zip(even, odd, strict=True)]


def _interleaved(a: Any, b: Any, axis: int) -> Any:
    """The elements of `a` at even places and those of `b` at odd ones: each with zeros between, added."""
    longer = a.shape[axis] - b.shape[axis]  # 0 or 1
    spread_a, spread_b = ([(0, 0, 0)] * a.ndim for _ in range(2))
    spread_a[axis], spread_b[axis] = (0, 1 - longer, 1), (1, longer, 1)
    put = bitwise_or if typeof(a).dtype == np.bool_ else add
    return put(pad(a, const(a, 0), spread_a), pad(b, const(b, 0), spread_b))
