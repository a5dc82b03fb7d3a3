"""Collectives on batches, and their derivatives.

Batched along the named axis itself, a collective is an operation along the batch axis; batched along another axis, it
stays a collective.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ..layer1_core.aval import typeof
from ..layer1_core.jnp.taking import take
from ..layer1_core.lax.elementwise import add, mul
from ..layer1_core.lax.reducing import reduce, reduce_sum_p
from ..layer1_core.lax.shaping import (
    broadcast as broadcast_to_front,
    broadcast_in_dim,
    expand_dims,
    iota,
    reshape,
    transpose,
)
from ..layer1_core.primitive import Primitive
from ..layer4_grad.families import deflinear, deflinear2, no_rule
from ..layer4_grad.jvp import jvp_rules
from ..layer4_grad.rules.conv import axis_out_of
from ..layer4_grad.rules.parts import const
from ..layer4_grad.transpose import transpose_rules
from .axes import AxisData
from .batching import Dim, Dims, axis_batching_rules, moveaxis
from .collectives import (
    Names,
    all_gather,
    all_gather_p,
    all_to_all,
    all_to_all_p,
    axis_index_p,
    named,
    pbroadcast_p,
    pmax_p,
    pmin_p,
    ppermute_p,
    psum_p,
    psum_scatter,
    reduce_scatter_p,
)

Result = tuple[Any, Dim]

# ---- sums and extremes: the name becomes a place


def _all_reduce_rule(
    primitive: Primitive, axis: AxisData, args: Sequence[Any], dims: Dims, *, axes: Names, axis_index_groups: Any
) -> Result:
    (x,), (dim,) = args, dims
    if axis.name in axes and dim is None:
        return _of_constant(primitive, axis, x, axes, axis_index_groups), None
    if axis.name in axes or any(isinstance(a, int) for a in axes):
        return _along_places(primitive, axis, x, dim, axes, axis_index_groups)
    return primitive.bind(x, axes=axes, axis_index_groups=axis_index_groups), dim


def _of_constant(primitive: Primitive, axis: AxisData, x: Any, axes: Names, groups: Any) -> Any:
    """What is the same for all examples: a sum of it is a multiple."""
    if groups is not None:
        raise NotImplementedError("axis_index_groups not supported in vmap collectives.")
    others = tuple(a for a in axes if a != axis.name)
    if others:
        x = primitive.bind(x, axes=others, axis_index_groups=None)
    return mul(const(x, axis.size), x) if primitive is psum_p else x


def _along_places(primitive: Primitive, axis: AxisData, x: Any, dim: Dim, axes: Names, groups: Any) -> Result:
    """The batch axis goes to the front; places count after it, and its own name is place 0."""
    if groups is not None:
        raise NotImplementedError("axis_index_groups not supported in vmap collectives. Please open a feature request!")
    if dim is None:
        return primitive.bind(x, axes=axes, axis_index_groups=None), None
    places = tuple(0 if a == axis.name else a + 1 if isinstance(a, int) else a for a in axes)
    out = primitive.bind(moveaxis(x, dim, 0), axes=places, axis_index_groups=None)
    return out, None if axis.name in axes else 0


for _p in (psum_p, pmax_p, pmin_p):
    axis_batching_rules[_p] = partial(_all_reduce_rule, _p)


@partial(deflinear2, psum_p)
def _psum_transpose(ct: Any, x: Any, *, axes: Names, axis_index_groups: Any) -> list[Any]:
    """Each example gets the sum of the cotangents of all; each element along a place that of its sum."""
    places = tuple(a for a in axes if isinstance(a, int))
    if places:
        (ct,) = transpose_rules[reduce_sum_p](ct, x, axes=places, out_sharding=None)
    names = tuple(a for a in axes if not isinstance(a, int))
    return [psum_p.bind(ct, axes=names, axis_index_groups=axis_index_groups)]


# ---- which example


def _axis_index_rule(axis: AxisData, args: Sequence[Any], dims: Dims, *, axis_name: Any) -> Result:
    if axis.name not in named(axis_name):
        return axis_index_p.bind(axis_name=axis_name), None
    return iota(np.int32, axis.size), 0


axis_batching_rules[axis_index_p] = _axis_index_rule

# ---- another example's value


def _ppermute_rule(axis: AxisData, args: Sequence[Any], dims: Dims, *, axis_name: Names, perm: Any) -> Result:
    (x,), (dim,) = args, dims
    others = tuple(name for name in axis_name if name != axis.name)
    if others:
        return ppermute_p.bind(x, perm=perm, axis_name=others), dim
    if len(perm) != axis.size:
        raise AssertionError("Permutation doesn't match the axis size!")
    if dim is None:
        return x, None
    sources = np.zeros(axis.size, int)
    for source, destination in perm:
        sources[destination] = source
    return take(x, sources, dim), dim


def _pbroadcast_rule(axis: AxisData, args: Sequence[Any], dims: Dims, *, axis_name: Any, source: int) -> Result:
    (x,), (dim,) = args, dims
    names = named(axis_name)
    if axis.name not in names:
        return pbroadcast_p.bind(x, axis_name=axis_name, source=source), dim
    if len(names) > 1:
        raise NotImplementedError("pbroadcast batcher only supports a single axis")
    if not 0 <= source < axis.size:
        raise AssertionError("collective broadcast doesn't fit in the axis size!")
    return (x, None) if dim is None else (take(x, np.full(axis.size, source), dim), dim)


axis_batching_rules[ppermute_p] = _ppermute_rule
axis_batching_rules[pbroadcast_p] = _pbroadcast_rule
deflinear(
    ppermute_p,
    lambda ct, axis_name, perm: [ppermute_p.bind(ct, axis_name=axis_name, perm=tuple((b, a) for a, b in perm))],
)

# ---- all gathered; summed and scattered: each is the other's transpose


def _check_alone(axis: AxisData, names: Names, size: int, groups: Any) -> None:
    if groups is not None:
        raise NotImplementedError("axis_index_groups not supported in vmap")
    if size != axis.size:
        raise AssertionError("axis size doesn't match")
    if len(names) > 1:
        raise NotImplementedError("Please open a feature request!")


def _all_gather_rule(
    axis: AxisData, args: Sequence[Any], dims: Dims, *, all_gather_dimension: int, axis_name: Names, tiled: bool,
    **params: Any,
) -> Result:  # fmt: skip
    (x,), (dim,) = args, dims
    place = all_gather_dimension
    if axis.name not in axis_name:
        if dim is not None:
            place, dim = (place + 1, dim) if dim <= place else (place, dim + (not tiled))
        return all_gather_p.bind(x, all_gather_dimension=place, axis_name=axis_name, tiled=tiled, **params), dim
    _check_alone(axis, axis_name, params["axis_size"], params["axis_index_groups"])
    if dim is None:
        shape = (*np.shape(x)[:place], axis.size, *np.shape(x)[place:])
        y = broadcast_in_dim(x, shape, [d for d in range(len(shape)) if d != place])
    else:
        y = move(x, dim, place)
    return (fold(place, y) if tiled else y), None


def _reduce_scatter_rule(
    axis: AxisData, args: Sequence[Any], dims: Dims, *, scatter_dimension: int, axis_name: Names, tiled: bool,
    **params: Any,
) -> Result:  # fmt: skip
    (x,), (dim,) = args, dims
    place = scatter_dimension
    if axis.name not in axis_name:
        if dim is not None:
            place, dim = (place + 1, dim) if dim <= place else (place, dim - (not tiled))
        return reduce_scatter_p.bind(x, scatter_dimension=place, axis_name=axis_name, tiled=tiled, **params), dim
    _check_alone(axis, axis_name, params["axis_size"], params["axis_index_groups"])
    y = mul(x, const(x, axis.size)) if dim is None else reduce(x, const(x, 0), add, (dim,))
    return (split(place, axis.size, y) if tiled else y), place


axis_batching_rules[all_gather_p] = _all_gather_rule
axis_batching_rules[reduce_scatter_p] = _reduce_scatter_rule
deflinear(
    all_gather_p,
    lambda ct, all_gather_dimension, axis_name, axis_index_groups, axis_size, tiled: [
        psum_scatter(
            ct, axis_name, scatter_dimension=all_gather_dimension, axis_index_groups=axis_index_groups, tiled=tiled
        )
    ],
)
deflinear(
    reduce_scatter_p,
    lambda ct, scatter_dimension, axis_name, axis_index_groups, axis_size, tiled: [
        all_gather(ct, axis_name, axis=scatter_dimension, axis_index_groups=axis_index_groups, tiled=tiled)
    ],
)

# ---- all to all


def _all_to_all_rule(
    axis: AxisData, args: Sequence[Any], dims: Dims, *, axis_name: Any, split_axis: int, concat_axis: int,
    axis_index_groups: Any, tiled: bool,
) -> Result:  # fmt: skip
    if axis_index_groups is not None:
        raise NotImplementedError("Please open a feature request!")
    (x,), (dim,) = args, dims
    names = named(axis_name)
    params = dict(axis_index_groups=None, tiled=tiled)
    if axis.name not in names:
        if dim is not None:
            split_axis, concat_axis = split_axis + (dim <= split_axis), concat_axis + (dim <= concat_axis)
        return all_to_all_p.bind(x, axis_name=axis_name, split_axis=split_axis, concat_axis=concat_axis, **params), dim
    if dim is None:
        x, dim = broadcast_to_front(x, (axis.size,)), 0
    if len(names) > 1:
        return _with_other_axes(axis, x, dim, names, split_axis, concat_axis, params)
    if split_axis == concat_axis:
        place = split_axis + (dim <= split_axis)
        x = split(place, axis.size, x)
        after = dim + (place <= dim)
        return fold(place, _swapped(x, after, place)), dim
    x = fold(concat_axis, move(x, dim, concat_axis))
    return split(split_axis, axis.size, x), split_axis


def _with_other_axes(
    axis: AxisData, x: Any, dim: int, names: Names, split_axis: int, concat_axis: int, params: dict[str, Any]
) -> Result:
    """Axes ahead of this one and behind it exchange by themselves; the chunks of all are put together in their order.

    They gather in three axes in front: [ahead, this one, behind].
    """
    place = names.index(axis.name)
    ahead, behind = names[:place], names[place + 1 :]
    x = expand_dims(move(x, dim, 0), (0, 2))
    split_axis, concat_axis = split_axis + 3, concat_axis + 3
    if ahead:
        x = all_to_all_p.bind(x, axis_name=ahead, split_axis=split_axis, concat_axis=0, **params)
    x, out_dim = split(split_axis, axis.size, x), split_axis
    concat_axis, split_axis = concat_axis + (split_axis <= concat_axis), split_axis + 1
    if behind:
        x = all_to_all_p.bind(x, axis_name=behind, split_axis=split_axis, concat_axis=2, **params)
    x = fold(0, fold(0, x))
    concat_axis -= 2
    return fold(concat_axis - 1, move(x, 0, concat_axis - 1)), out_dim - 3


axis_batching_rules[all_to_all_p] = _all_to_all_rule
deflinear(
    all_to_all_p,
    lambda ct, axis_name, split_axis, concat_axis, axis_index_groups, tiled: [
        all_to_all(ct, axis_name, concat_axis, split_axis, axis_index_groups=axis_index_groups, tiled=tiled)
    ],
)

# ---- axes moved, split and folded


def move(x: Any, src: int, dst: int) -> Any:
    """`x` with axis `src` at `dst`, an equation even where it is there already, as in JAX."""
    order = [d for d in range(np.ndim(x)) if d != src]
    order.insert(dst, src)
    return transpose(x, order)


def _swapped(x: Any, a: int, b: int) -> Any:
    order = [*range(np.ndim(x))]
    order[a], order[b] = b, a
    return transpose(x, order)


def split(axis: int, size: int, x: Any) -> Any:
    """The same as `axis_out_of`. Raises AssertionError for an axis that has no such part."""
    shape = typeof(x).shape
    if shape[axis] % size:
        raise AssertionError((shape[axis], size))
    return axis_out_of(axis, size, x)


def fold(axis: int, x: Any) -> Any:
    """`x` with an axis and the one after it as one."""
    shape = typeof(x).shape
    return reshape(x, (*shape[:axis], shape[axis] * shape[axis + 1], *shape[axis + 2 :]))


# ---- collectives without derivatives

for table in (jvp_rules, transpose_rules):
    no_rule(table, "JAX has none", pmax_p, pmin_p)
    no_rule(table, "it has no operand that could have a tangent", axis_index_p)
    no_rule(table, "JAX refuses the operation itself, with a TypeError", pbroadcast_p)
