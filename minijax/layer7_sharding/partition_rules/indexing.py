"""Slices and updates: an axis of which a part is taken is whole."""

from typing import Any

from ...layer1_core.lax import indexing as i
from ...layer5_vmap.collectives import axis_size, ppermute
from ..moving import MeshAxes, Part, axes_in, one_or_all, part_shape
from ..partition_families import changed_axes, without
from ..partitioning import Equation, partition_rules
from ..spec import P


@partition_rules.rule(i.slice_p)
def _slice(e: Equation) -> list[Part]:
    shape = e.parts[0].aval.shape
    cut = changed_axes(shape, e.outs[0].shape)
    to = without(e.wanted[0], cut, len(shape))
    sizes = zip(part_shape(shape, to), e.params["limit_indices"], strict=True)
    limits = [limit if d in cut else n for d, (n, limit) in enumerate(sizes)]
    return e.on_parts([to], [to], limit_indices=tuple(limits))


@partition_rules.rule(i.dynamic_slice_p)
def _dynamic_slice(e: Equation) -> list[Part]:
    to = without(e.wanted[0], changed_axes(e.parts[0].aval.shape, e.outs[0].shape), e.outs[0].ndim)
    ins = [to] + [P()] * (len(e.parts) - 1)
    return e.on_parts(ins, [to], slice_sizes=part_shape(e.params["slice_sizes"], to))


@partition_rules.rule(i.dynamic_update_slice_p)
def _dynamic_update_slice(e: Equation) -> list[Part]:
    x, update, *starts = e.parts
    to = without(e.wanted[0], changed_axes(x.aval.shape, update.aval.shape), x.aval.ndim)
    return e.on_parts([to, to] + [P()] * len(starts), [to])


@partition_rules.rule(i.rev_p)
def _rev(e: Equation) -> list[Part]:
    """Each device reverses its part; along a divided axis the first and the last one exchange theirs."""
    axes = axes_in(e.wanted[0], e.outs[0].ndim)

    def reversed_(x: Any) -> Any:
        x = i.rev_p.bind(x, **e.params)
        for d in e.params["dimensions"]:
            x = _mirrored(x, axes[d])
        return x

    return e.on_parts(e.wanted, e.wanted, reversed_)


def _mirrored(x: Any, names: MeshAxes) -> Any:
    n = axis_size(names)
    return x if n == 1 else ppermute(x, one_or_all(names), [(k, n - 1 - k) for k in range(n)])
