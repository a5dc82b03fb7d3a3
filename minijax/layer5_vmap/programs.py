"""Programs of batches made from programs of one example: what equations that carry programs are batched by.

Each is made once for each program, axis and places of batch axes, so that two equal calls have one program.
"""

from collections.abc import Sequence
from operator import or_
from typing import Any

from ..layer1_core.aval import ShapedArray
from ..layer1_core.jaxpr import Jaxpr
from ..layer1_core.staging import jaxpr_as_fun
from ..layer4_grad.dce import remembered
from ..layer4_grad.programs import staged
from .axes import AxisData, bound
from .batching import Dim, Marks, batch_flat, dims_of, marks_of, matchaxis, unmapped_aval

Dims = tuple[Dim, ...]


def batched_avals(avals: Sequence[ShapedArray], dims: Sequence[Dim], size: int) -> list[ShapedArray]:
    """The types of the batches of examples of these types."""
    return [a if d is None else unmapped_aval(a, d, size) for a, d in zip(avals, dims, strict=True)]


@remembered
def batch_jaxpr(
    jaxpr: Jaxpr, axis: AxisData, in_dims: Dims, in_avals: tuple[ShapedArray, ...] | None = None
) -> tuple[Jaxpr, Dims]:
    """The program of batches, and the places of its results' batch axes, wherever they come to stand.

    `in_avals` are the types of the inputs, of one example, where they are not those of the program.
    """
    return _batched(jaxpr, axis, in_dims, lambda dims: dims, in_avals)


@remembered
def batch_jaxpr_axes(jaxpr: Jaxpr, axis: AxisData, in_dims: Dims, out_dims: Dims) -> Jaxpr:
    """The program of batches whose results have their batch axes at these places."""
    return _batched(jaxpr, axis, in_dims, lambda dims: out_dims)[0]


@remembered
def batch_jaxpr_front(jaxpr: Jaxpr, axis: AxisData, batched: Marks, instantiated: Marks) -> tuple[Jaxpr, Marks]:
    """The program of batches with all batch axes in front, and which results have one.

    `batched` says which inputs have one; the results marked `instantiated` have one in any case.
    """

    def at_front(dims: Sequence[Dim]) -> list[Dim]:
        return dims_of(map(or_, marks_of(dims), instantiated))

    made, dims = _batched(jaxpr, axis, dims_of(batched), at_front)
    return made, marks_of(dims)


def _batched(
    jaxpr: Jaxpr, axis: AxisData, in_dims: Sequence[Dim], wanted: Any, in_avals: Sequence[ShapedArray] | None = None
) -> tuple[Jaxpr, Dims]:
    """The program of batches; `wanted` makes of the places of the results' batch axes those that they get."""
    places: list[Dim] = []

    def batched(*args: Any) -> list[Any]:
        with bound([(axis.name, axis.size)]):
            out, dims = batch_flat(jaxpr_as_fun(jaxpr), axis, object(), args, in_dims)
        places.extend(wanted(dims))
        return [matchaxis(axis, src, dst, x) for x, src, dst in zip(out, dims, places, strict=True)]

    return staged(batched, batched_avals(in_avals or jaxpr.in_avals, in_dims, axis.size), jaxpr), tuple(places)
