"""Broadcasts, reshapes, transposes, padding; arrays made from nothing. What differs is which axis is where."""

import math
from typing import Any

from ...layer1_core.aval import Shape
from ...layer1_core.lax import shaping as s
from ...layer1_core.lax.converting import convert_element_type
from ...layer1_core.lax.elementwise import add
from ...layer4_grad.cond import empty2_p
from ...layer5_vmap.collectives import axis_size
from ..moving import Axes, Part, axes_in, part_shape, place_along, spec_of
from ..partition_families import defwhole_along, inserted, out_shape
from ..partitioning import Equation, partition_rules
from ..spec import AxisName, P


@partition_rules.rule(s.broadcast_in_dim_p)
def _broadcast(e: Equation) -> list[Part]:
    (to,), (x,) = e.wanted, e.parts
    axes, shape = axes_in(to, len(out_shape(e))), out_shape(e)
    dims = list(map(int, e.params["broadcast_dimensions"]))
    own = spec_of(axes[d] if n == shape[d] else () for n, d in zip(x.aval.shape, dims, strict=True))
    return e.on_parts([own], [to], shape=part_shape(shape, to))


@partition_rules.rule(s.squeeze_p)
def _squeeze(e: Equation) -> list[Part]:
    gone = e.params["dimensions"]
    axes = axes_in(e.wanted[0], len(out_shape(e)))
    return e.on_parts([spec_of(inserted(axes, gone, [()] * len(gone)))], e.wanted)


@partition_rules.rule(s.transpose_p)
def _transpose(e: Equation) -> list[Part]:
    axes = dict(zip(e.params["permutation"], axes_in(e.wanted[0], len(out_shape(e))), strict=True))
    return e.on_parts([spec_of(axes[d] for d in range(len(axes)))], e.wanted)


@partition_rules.rule(s.reshape_p)
def _reshape(e: Equation) -> list[Part]:
    """Elements keep their order. So a device has the same elements before and after, where along each mesh axis the
    parts are as far apart before as after, counted in elements. Along other mesh axes the array is whole.
    """
    x, shape = e.parts[0], out_shape(e)
    before, after = x.axes, axes_in(e.wanted[0], len(shape))
    if e.params["dimensions"] is not None:
        return e.whole()
    while apart := _steps(x.aval.shape, before) ^ _steps(shape, after):
        wrong = {name for name, _ in apart}
        before, after = ([tuple(n for n in names if n not in wrong) for names in axes] for axes in (before, after))
    to = spec_of(after)
    return e.on_parts([spec_of(before)], [to], new_sizes=part_shape(shape, to))


def _steps(shape: Shape, axes: Axes) -> set[tuple[AxisName, int]]:
    """How many elements the parts along each mesh axis are apart."""
    steps, inner = set(), math.prod(shape)
    for size, names in zip(shape, axes, strict=True):
        inner //= max(size, 1)
        parts = 1
        for name in names:
            parts *= axis_size([name])
            steps.add((name, size // parts * inner))
    return steps


defwhole_along(
    lambda e: [d for d, config in enumerate(e.params["padding_config"]) if any(config)],
    s.pad_p,
)

# ---- arrays made from nothing


@partition_rules.rule(s.iota_p)
def _iota(e: Equation) -> list[Part]:
    """Each device counts from where its part begins."""
    (to,), d = e.wanted, e.params["dimension"]
    names, shape = axes_in(to, len(out_shape(e)))[d], part_shape(out_shape(e), to)

    def counted(*sizes: Any) -> Any:
        own = s.iota_p.bind(*sizes, **(e.params | dict(shape=shape, sharding=None)))
        if axis_size(names) == 1:
            return own
        first = convert_element_type(place_along(names) * shape[d], e.params["dtype"])
        return add(own, s.broadcast(first, shape))

    return e.on_parts([P()] * len(e.parts), [to], counted)


@partition_rules.rule(s.empty_p, empty2_p)
def _empty(e: Equation) -> list[Part]:
    return e.on_parts([P()] * len(e.parts), e.wanted, shape=part_shape(out_shape(e), e.wanted[0]))
