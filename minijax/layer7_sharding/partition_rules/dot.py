"""Products and convolutions.

x[B, D] @ w[D, H@'model']              each device computes its columns: nothing is sent
x[B, D@'model'] @ w[D@'model', H]      each device has summands of the whole product: psum
x[B@'data', D] @ w[D@'data', H]        w is gathered first: 'data' divides the rows of the result
"""

import itertools
from collections.abc import Collection, Sequence

from ...layer1_core.lax.conv import conv_general_dilated_p
from ...layer1_core.lax.dot import dot_general_p
from ...layer1_core.lax.fft import fft_p
from ..moving import Axes, Names, Part, axes_in, spec_of
from ..partition_families import defwhole_along
from ..partitioning import Equation, partition_rules

defwhole_along(lambda e: range(e.outs[0].ndim - len(e.params["fft_lengths"]), e.outs[0].ndim), fft_p)


@partition_rules.rule(dot_general_p)
def _dot(e: Equation) -> list[Part]:
    """Along mesh axes that divide what is summed, and not the result, each device has summands."""
    (summed, batch), (lhs, rhs) = e.params["dimension_numbers"], e.parts
    to = axes_in(e.wanted[0], e.outs[0].ndim)
    free = [
        [d for d in range(x.aval.ndim) if d not in (*c, *b)] for x, c, b in zip(e.parts, summed, batch, strict=True)
    ]
    sides = [[*batch[0], *free[0], *batch[1], *free[1]][: len(batch[0]) + len(free[0])], [*batch[1], *free[1]]]
    places = [range(len(sides[0])), [*range(len(batch[0])), *range(len(sides[0]), e.outs[0].ndim)]]
    kept = {name for x, dims, outs in zip(e.axes, sides, places, strict=True)
            for d, o in zip(dims, outs, strict=True) for name in _common(x[d], to[o])}  # fmt: skip
    sums: Axes = []
    for a, b in zip(*summed, strict=True):
        sums.append(_first({*kept, *itertools.chain(*sums)}, lhs.axes[a], rhs.axes[b]))
    names = {*itertools.chain(*sums)}
    to = [tuple(name for name in each if name not in names) for each in to]
    ins = [spec_of(_arranged(dims, outs, to, own, sums)) for dims, outs, own in zip(sides, places, summed, strict=True)]
    return e.on_parts(ins, [spec_of(to, unreduced=names)])


def _common(have: Names, want: Names) -> Names:
    """The mesh axes that divide an axis of an operand, and are to divide that of the result."""
    return tuple(name for name in have if name in want)


def _first(taken: Collection[str], *entries: Names) -> Names:
    """The mesh axes of the first of these entries that has some, but for those that are taken from the first one on."""
    for names in entries:
        free = names[: next((i for i, name in enumerate(names) if name in taken), len(names))]
        if free:
            return free
    return ()


def _arranged(dims: Sequence[int], outs: Sequence[int], to: Axes, own: Sequence[int], sums: Sequence[Names]) -> Axes:
    """The mesh axes for each axis of an operand: of `dims` as the result's `outs`, of those that are summed `sums`."""
    found = {d: to[o] for d, o in zip(dims, outs, strict=True)} | dict(zip(own, sums, strict=True))
    return [found[d] for d in range(len(found))]


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
