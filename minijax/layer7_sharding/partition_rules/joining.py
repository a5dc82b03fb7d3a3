"""Arrays put together, and taken apart: along whole axes."""

from collections.abc import Iterable

from ...layer1_core.lax import joining as j
from ..moving import Part, axes_in, spec_of
from ..partition_families import defwhole_along, inserted, without
from ..partitioning import Equation, partition_rules

defwhole_along(lambda e: [e.params["dimension"]], j.concatenate_p)


@partition_rules.rule(j.stack_p)
def _stack(e: Equation) -> list[Part]:
    axis = e.params["axis"]
    axes = axes_in(e.wanted[0], e.outs[0].ndim)
    own = spec_of(axes[:axis] + axes[axis + 1 :])
    return e.on_parts([own] * len(e.parts), [spec_of([*axes[:axis], (), *axes[axis + 1 :]])])


@partition_rules.rule(j.unstack_p)
def _unstack(e: Equation) -> list[Part]:
    axes = axes_in(e.wanted[0], e.outs[0].ndim)
    return e.on_parts([spec_of(inserted(axes, [e.params["axis"]], [()]))], [e.wanted[0]] * len(e.outs))


@partition_rules.rule(j.split_p)
def _split(e: Equation) -> list[Part]:
    to = without(e.parts[0].spec, [e.params["axis"]], e.parts[0].aval.ndim)
    return e.on_parts([to], [to] * len(e.outs))


@partition_rules.rule(j.tile_p)
def _tile(e: Equation) -> list[Part]:
    to = without(e.wanted[0], _repeated(e.params["reps"]), e.outs[0].ndim)
    return e.on_parts([to], [to])


def _repeated(reps: Iterable[int]) -> list[int]:
    return [d for d, n in enumerate(reps) if n != 1]
