"""Reductions: each device reduces its own part, and the devices put their results together. Sorting: whole axes."""

from typing import Any

import numpy as np

from ...layer1_core.aval import typeof
from ...layer1_core.lax import reducing as r, sorting as s, windows as w
from ...layer1_core.lax.converting import convert_element_type
from ...layer1_core.lax.elementwise import add, eq, select, sub
from ...layer1_core.lax.indexing import dynamic_index_in_dim, index_in_dim
from ...layer1_core.lax.reducing import reduce_sum
from ...layer1_core.lax.shaping import broadcast, broadcast_in_dim, broadcasted_iota, full_like
from ...layer5_vmap.collectives import all_gather, axis_size
from ..moving import Axes, MeshAxes, Part, axes_in, one_or_all, place_along, spec_of
from ..partition_families import defwhole_along, inserted, whole_along
from ..partitioning import Equation, partition_rules
from ..spec import UnreducedKind

_KINDS = {
    r.reduce_sum_p: UnreducedKind.sum,
    r.reduce_max_p: UnreducedKind.max,
    r.reduce_min_p: UnreducedKind.min,
}


@partition_rules.rule(*_KINDS)
def _reduce(e: Equation) -> list[Part]:
    """What a device has of the result are summands, along the mesh axes that divide the axes that go."""
    own, names = _reduced_axes(e)
    kind = dict(unreduced={*names}, unreduced_kind=_KINDS[e.primitive]) if names else {}
    return e.on_parts([spec_of(own)], [spec_of(axes_in(e.wanted[0], e.outs[0].ndim), **kind)])


def _reduced_axes(e: Equation) -> tuple[Axes, MeshAxes]:
    """The mesh axes for each axis of the operand, and those of the axes that go, but for what divides the result."""
    kept = axes_in(e.wanted[0], e.outs[0].ndim)
    used = {name for names in kept for name in names}
    gone = [tuple(name for name in e.axes[0][d] if name not in used) for d in e.params["axes"]]
    gone = [
        names if names == e.axes[0][d][: len(names)] else () for names, d in zip(gone, e.params["axes"], strict=True)
    ]
    return inserted(kept, e.params["axes"], gone), tuple(name for names in gone for name in names)


@partition_rules.rule(r.reduce_prod_p, r.reduce_and_p, r.reduce_or_p, r.reduce_xor_p)
def _reduce_again(e: Equation) -> list[Part]:
    """There is no such collective: each device gets what all have, and reduces that."""
    own, names = _reduced_axes(e)
    params = e.params | dict(out_sharding=None) if "out_sharding" in e.params else e.params

    def reduced(x: Any) -> Any:
        mine = e.primitive.bind(x, **params)
        if axis_size(names) == 1:
            return mine
        return e.primitive.bind(all_gather(mine, one_or_all(names)), **(params | dict(axes=(0,))))

    return e.on_parts([spec_of(own)], e.wanted, reduced)


_BEST = {s.argmax_p: r.reduce_max_p, s.argmin_p: r.reduce_min_p}


@partition_rules.rule(*_BEST)
def _arg(e: Equation) -> list[Part]:
    """Each device finds the place of the best element of its own part, and its value. All get these two of all devices;
    of equal values the first one counts, as on one device.
    """
    own, names = _reduced_axes(e)
    (axis,) = e.params["axes"]

    def place_of_best(x: Any) -> Any:
        mine = e.primitive.bind(x, **e.params)
        if axis_size(names) == 1:
            return mine
        shape, along = typeof(mine).shape, one_or_all(names)
        begin = convert_element_type(place_along(names) * typeof(x).shape[axis], e.params["index_dtype"])
        places = all_gather(add(mine, broadcast(begin, shape)), along)  # [devices, ...]
        x = convert_element_type(x, np.int8) if typeof(x).dtype == np.bool_ else x
        values = all_gather(_BEST[e.primitive].bind(x, axes=(axis,), out_sharding=None), along)
        device = e.primitive.bind(values, axes=(0,), index_dtype=e.params["index_dtype"])
        devices = broadcasted_iota(e.params["index_dtype"], typeof(places).shape, 0)
        chosen = eq(devices, broadcast_in_dim(device, typeof(places).shape, range(1, len(shape) + 1)))
        return reduce_sum(select(chosen, places, full_like(places, 0)), (0,))

    return e.on_parts([spec_of(own)], e.wanted, place_of_best)


# ---- along one axis

defwhole_along(lambda e: [e.params["dimension"]], s.sort_p)
defwhole_along(lambda e: [e.params["axis"]], s.top_k_p, w.cumprod_p, w.cummax_p, w.cummin_p, w.cumlogsumexp_p)
defwhole_along(lambda e: [e.params["reduction_dimension"]], s.approx_top_k_p)


@partition_rules.rule(w.cumsum_p)
def _cumsum(e: Equation) -> list[Part]:
    """Along a divided axis each device adds to its running sums what the devices before it have in all."""
    axis = e.params["axis"]
    names = e.axes[0][axis]
    if axis_size(names) == 1 or names != axes_in(e.wanted[0], e.outs[0].ndim)[axis]:
        return whole_along(e, [axis])

    def summed(x: Any) -> Any:
        own = w.cumsum_p.bind(x, **e.params)
        total = index_in_dim(own, 0 if e.params["reverse"] else -1, axis, keepdims=False)
        totals = all_gather(total, one_or_all(names))  # [devices, ...]
        before = sub(w.cumsum_p.bind(totals, **(e.params | dict(axis=0))), totals)
        mine = dynamic_index_in_dim(before, place_along(names), 0, keepdims=False)
        return add(own, broadcast_in_dim(mine, own.shape, [d for d in range(own.ndim) if d != axis]))

    return e.on_parts(e.wanted, e.wanted, summed)
