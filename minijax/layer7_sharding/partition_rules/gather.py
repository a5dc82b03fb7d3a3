"""Reads and writes at indices: axes that are read or written whole may be divided, and those of the indices.

So may axes that are looked up, such as that of a vocabulary. Each device counts the places from where its own part
begins: it reads what it has, and zeros instead of the rest, so that the sum of all devices is what was asked for; and
it writes what falls into its part.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...layer1_core.aval import ShapedArray, typeof
from ...layer1_core.dtypes import is_extended, issubdtype
from ...layer1_core.lax import gather as g, scatter as s
from ...layer1_core.lax.converting import convert_element_type
from ...layer1_core.lax.elementwise import bitwise_and, bitwise_not, bitwise_or, clamp, eq, ge, lt, select, sub
from ...layer1_core.lax.indexing import index_in_dim
from ...layer1_core.lax.joining import concatenate
from ...layer1_core.lax.shaping import broadcast_in_dim, expand_dims, full, full_like
from ...layer5_vmap.collectives import axis_size
from ..moving import Axes, MeshAxes, Part, axes_in, part_shape, place_along, spec_of
from ..partitioning import Equation, partition_rules


@partition_rules.rule(g.gather_p)
def _gather(e: Equation) -> list[Part]:
    """The result's axes are those of the indices, in order, and in between those of the operand that are kept."""
    numbers, x, indices = e.params["dimension_numbers"], e.parts[0].aval, e.parts[1].aval
    to, sizes = axes_in(e.wanted[0], e.outs[0].ndim), e.params["slice_sizes"]
    own: Axes = [()] * x.ndim
    at: Axes = [()] * indices.ndim
    windows = [d for d in range(x.ndim) if d not in (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)]
    queries = [d for d in range(e.outs[0].ndim) if d not in numbers.offset_dims]
    for d, o in zip(windows, numbers.offset_dims, strict=True):
        own[d] = to[o] if sizes[d] == x.shape[d] else ()
    for i, o in enumerate(queries):
        at[i] = to[o]
    for d, i in zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True):
        own[d] = at[i]
    of_windows = {o: own[d] for d, o in zip(windows, numbers.offset_dims, strict=True)}
    out = [of_windows.get(o, names) for o, names in enumerate(to)]
    parts = part_shape(x.shape, spec_of(own))
    slices = tuple(n if d in windows and own[d] else m for d, (n, m) in enumerate(zip(parts, sizes, strict=True)))
    looked_up = _looked_up(e, [d for d in numbers.collapsed_slice_dims if sizes[d] == 1], [*own, *at, *out])
    if not looked_up or issubdtype(x.dtype, np.bool_) or is_extended(x.dtype):
        return e.on_parts([spec_of(own), spec_of(at)], [spec_of(out)], slice_sizes=slices)

    def read(values: Any, places: Any) -> Any:
        places, mine = _counted_here(places, x, numbers.start_index_map, looked_up, e.params["mode"])
        found = e.primitive.bind(values, places, **(e.params | dict(slice_sizes=slices)))
        shape = typeof(found).shape
        at_queries = [d for d in range(len(shape)) if d not in numbers.offset_dims]
        return select(broadcast_in_dim(mine, shape, at_queries), found, full_like(found, 0))

    names = {name for each in looked_up.values() for name in each}
    own = [looked_up.get(d, each) for d, each in enumerate(own)]
    return e.on_parts([spec_of(own), spec_of(at)], [spec_of(out, unreduced=names)], read)


def _looked_up(e: Equation, dims: Sequence[int], others: Axes) -> dict[int, MeshAxes]:
    """Which of these axes of the operand are divided, and stay so: by mesh axes that divide nothing else."""
    used = {name for names in others for name in names}
    found = {d: e.axes[0][d] for d in dims if axis_size(e.axes[0][d]) > 1}
    return {d: names for d, names in found.items() if not used & {*names}}


def _counted_here(places: Any, x: ShapedArray, index_map: Sequence[int], axes: dict[int, MeshAxes], mode: Any) -> Any:
    """The places, counted from where the own part begins along these axes of `x`; and which of them are in it.

    A place that is nowhere, where that gives a fill value, is one of the first device's.
    """
    last = typeof(places).ndim - 1
    columns = [index_in_dim(places, k, last, keepdims=False) for k in range(len(index_map))]
    mine = full(typeof(columns[0]).shape, True)
    for d, names in axes.items():
        k, size = index_map.index(d), x.shape[d] // axis_size(names)
        clips = mode is not g.GatherScatterMode.FILL_OR_DROP
        here, inside, nowhere = _from_begin(columns[k], x.shape[d], size, names, clips)
        first = eq(place_along(names), np.int32(0))
        first = bitwise_and(nowhere, broadcast_in_dim(first, typeof(nowhere).shape, ()))
        mine = bitwise_and(mine, bitwise_or(inside, first))
        columns[k] = select(inside, here, select(nowhere, full_like(here, size), full_like(here, 0)))
    return concatenate([expand_dims(column, (last,)) for column in columns], last), mine


def _from_begin(i: Any, n: int, size: int, names: MeshAxes, clips: bool) -> tuple[Any, Any, Any]:
    """Places along an axis of size `n`, counted from where the own part begins; which are in it, and which nowhere.

    Where a place that sticks out `clips`, it is the nearest one.
    """
    dtype = typeof(i).dtype
    whole = lambda value: np.asarray(value, dtype)
    if clips:
        i = clamp(whole(0), i, whole(n - 1))
    begin = convert_element_type(place_along(names) * size, dtype)
    here = sub(i, broadcast_in_dim(begin, typeof(i).shape, ()))
    inside = bitwise_and(ge(i, full_like(i, 0)), lt(i, full_like(i, n)))
    nowhere = bitwise_not(inside)
    mine = bitwise_and(ge(here, full_like(here, 0)), lt(here, full_like(here, size)))
    return here, bitwise_and(mine, inside), nowhere


@partition_rules.rule(s.scatter_p, s.scatter_add_p, s.scatter_sub_p, s.scatter_mul_p, s.scatter_min_p, s.scatter_max_p)
def _scatter(e: Equation) -> list[Part]:
    """Each device writes to its own part, of axes that are written whole and of batch axes."""
    numbers, x, updates = e.params["dimension_numbers"], e.parts[0].aval, e.parts[2].aval
    to = axes_in(e.wanted[0], x.ndim)
    own: Axes = [()] * x.ndim
    at: Axes = [()] * e.parts[1].aval.ndim
    new: Axes = [()] * updates.ndim
    windows = [d for d in range(x.ndim) if d not in (*numbers.inserted_window_dims, *numbers.operand_batching_dims)]
    queries = [u for u in range(updates.ndim) if u not in numbers.update_window_dims]
    for d, u in zip(windows, numbers.update_window_dims, strict=True):
        if updates.shape[u] == x.shape[d]:
            own[d] = new[u] = to[d]
    for d, i in zip(numbers.operand_batching_dims, numbers.scatter_indices_batching_dims, strict=True):
        own[d] = at[i] = new[queries[i]] = to[d]
    written = {d: to[d] for d in numbers.inserted_window_dims if axis_size(to[d]) > 1}
    used = {name for names in (*own, *at, *new) for name in names}
    written = {d: names for d, names in written.items() if not used & {*names}}
    if not written:
        return e.on_parts([spec_of(own), spec_of(at), spec_of(new)], [spec_of(own)])
    mode = e.params["mode"]
    params = e.params | dict(mode=g.GatherScatterMode.FILL_OR_DROP, indices_are_sorted=False)

    def write(values: Any, places: Any, updates: Any) -> Any:
        clips = mode is g.GatherScatterMode.CLIP
        here = _dropped_elsewhere(places, x, numbers.scatter_dims_to_operand_dims, written, clips)
        return e.primitive.bind(values, here, updates, **params)

    own = [written.get(d, names) for d, names in enumerate(own)]
    return e.on_parts([spec_of(own), spec_of(at), spec_of(new)], [spec_of(own)], write)


def _dropped_elsewhere(
    places: Any, x: ShapedArray, index_map: Sequence[int], axes: dict[int, MeshAxes], clips: bool
) -> Any:
    """The places, counted from where the own part begins along these axes; those of other parts are nowhere."""
    last = typeof(places).ndim - 1
    columns = [index_in_dim(places, k, last, keepdims=False) for k in range(len(index_map))]
    for d, names in axes.items():
        k, size = index_map.index(d), x.shape[d] // axis_size(names)
        here, inside, _ = _from_begin(columns[k], x.shape[d], size, names, clips)
        columns[k] = select(inside, here, full_like(here, size))
    return concatenate([expand_dims(column, (last,)) for column in columns], last)
