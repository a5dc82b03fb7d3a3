"""Products and convolutions.

x[B, D] @ w[D, H@'model']              each device computes its columns: nothing is sent
x[B, D@'model'] @ w[D@'model', H]      each device has summands of the whole product: psum
x[B@'data', D] @ w[D@'data', H]        w is gathered first: 'data' divides the rows of the result
"""

import itertools
from collections.abc import Collection, Sequence
from typing import Any

from ...layer1_core.aval import ShapedArray
from ...layer1_core.lax.conv import conv_general_dilated_p
from ...layer1_core.lax.dot import dot_general_p
from ...layer1_core.lax.fft import fft_p
from ..moving import Axes, MeshAxes, Part, axes_in, spec_of
from ..partition_families import defwhole_along
from ..partitioning import Equation, partition_rules
from ..spec import AxisName

defwhole_along(lambda e: range(e.outs[0].ndim - len(e.params["fft_lengths"]), e.outs[0].ndim), fft_p)


@partition_rules.rule(dot_general_p)
def _dot(e: Equation) -> list[Part]:
    """Mesh axes that divide what is summed give summands; but not those that divide an operand and the result alike."""
    (summed, _), to = e.params["dimension_numbers"], axes_in(e.wanted[0], e.outs[0].ndim)
    places = axes_of_result([x.aval for x in e.parts], e.params["dimension_numbers"], len(to))
    kept = {*itertools.chain(*(_common(axes, to, where) for axes, where in zip(e.axes, places, strict=True)))}
    sums: Axes = []
    for a, b in zip(*summed, strict=True):
        sums.append(_free({*kept, *itertools.chain(*sums)}, e.axes[0][a], e.axes[1][b]))
    names = {*itertools.chain(*sums)}
    to = [tuple(name for name in each if name not in names) for each in to]
    ins = []
    for where, own in zip(places, summed, strict=True):
        axes = {d: to[o] for d, o in where.items()} | dict(zip(own, sums, strict=True))
        ins.append(spec_of(axes[d] for d in range(len(axes))))
    return e.on_parts(ins, [spec_of(to, unreduced=names)])


def axes_of_result(avals: Sequence[ShapedArray], dimension_numbers: Any, ndim: int) -> list[dict[int, int]]:
    """For each operand, which axis of the result an axis becomes: first the batch, then those of lhs, then of rhs."""
    summed, batch = dimension_numbers
    lhs, rhs = ([d for d in range(x.ndim) if d not in (*own, *many)]
                for x, own, many in zip(avals, summed, batch, strict=True))  # fmt: skip
    n = len(batch[0])
    places = [*range(n), *range(n + len(lhs), ndim)]
    return [dict(zip((*batch[0], *lhs), range(ndim), strict=False)), dict(zip((*batch[1], *rhs), places, strict=True))]


def _common(axes: Axes, to: Axes, where: dict[int, int]) -> set[AxisName]:
    """The mesh axes that divide an operand, and the result along the same axis."""
    return {name for d, o in where.items() for name in axes[d] if name in to[o]}


def _free(taken: Collection[AxisName], *entries: MeshAxes) -> MeshAxes:
    """The mesh axes of the first entry that has some, up to the first one that is taken."""
    for names in entries:
        if free := tuple(itertools.takewhile(lambda name: name not in taken, names)):
            return free
    return ()


@partition_rules.rule(conv_general_dilated_p)
def _conv(e: Equation) -> list[Part]:
    """Images may be divided, and the features that are computed of them."""
    numbers = e.params["dimension_numbers"]
    if e.params["feature_group_count"] != 1 or e.params["batch_group_count"] != 1:
        return e.whole()
    axes, ndim = axes_in(e.wanted[0], e.outs[0].ndim), e.outs[0].ndim
    images, features = (axes[d] for d in numbers.out_spec[:2])
    only = lambda spec, *names: spec_of(dict(zip(spec, names, strict=False)).get(d, ()) for d in range(ndim))
    ins = [only(numbers.lhs_spec, images), only(numbers.rhs_spec, features)]
    return e.on_parts(ins, [only(numbers.out_spec, images, features)])
