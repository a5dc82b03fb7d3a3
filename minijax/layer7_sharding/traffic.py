"""What the collectives of a program send: how many bytes one device sends in each, by the ring algorithm.

In a ring of n devices each sends to the next one what it got from the one before, in n - 1 rounds:

    all_gather            each part goes round:                  B (n - 1) / n    B: bytes of the result
    reduce_scatter        partial sums of each part go round:    B (n - 1) / n    B: bytes of the operand
    psum, pmax, pmin      a reduce_scatter, then an all_gather:  2 B (n - 1) / n
    all_to_all            all but the own one of n parts:        B (n - 1) / n
    ppermute, pbroadcast  the operand, once:                     B

Source: Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations" (2009).
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..layer1_core.aval import ShapedArray
from ..layer1_core.jaxpr import Jaxpr, JaxprEqn, jaxprs_in_params
from ..layer1_core.primitive import Primitive
from ..layer3_control.scan import scan_p
from ..layer3_control.while_loop import while_p
from ..layer5_vmap import collectives as c
from .mesh import Sizes
from .spec import AxisName
from .varying import psum_invariant_p


def _size(aval: ShapedArray) -> int:
    return aval.size * aval.dtype.itemsize


def _ring(of: Callable[[JaxprEqn], ShapedArray], times: int) -> Callable[[JaxprEqn, int], int]:
    return lambda eqn, n: times * _size(of(eqn)) * (n - 1) // n


_operand = lambda eqn: eqn.invars[0].aval
_result = lambda eqn: eqn.outvars[0].aval

# From the equation and the number of devices that take part to the bytes that one device sends.
bytes_sent: dict[Primitive, Callable[[JaxprEqn, int], int]] = {
    **dict.fromkeys((c.psum_p, psum_invariant_p, c.pmax_p, c.pmin_p), _ring(_operand, 2)),
    c.all_gather_p: _ring(_result, 1),
    c.reduce_scatter_p: _ring(_operand, 1),
    c.all_to_all_p: _ring(_operand, 1),
    c.ppermute_p: lambda eqn, n: _size(_operand(eqn)),
    c.pbroadcast_p: lambda eqn, n: _size(_operand(eqn)),
}


@dataclass(frozen=True)
class Collective:
    """One collective of a program: along which mesh axes, and how many bytes one device sends each time."""

    name: str
    axes: tuple[AxisName, ...]
    bytes: int
    times: int | None = 1  # how often it is done; None where a while loop decides that


def collective(eqn: JaxprEqn, sizes: Sizes, times: int | None = 1) -> Collective:
    """What is told of the equation of a collective, in a mesh whose axes have these sizes."""
    axes, groups = c.axes_of_collective(eqn.params), eqn.params.get("axis_index_groups")
    n = len(groups[0]) if groups else math.prod(sizes[name] for name in axes)
    return Collective(eqn.primitive.name, axes, bytes_sent[eqn.primitive](eqn, n), times)


def collectives_of(jaxpr: Jaxpr, sizes: Sizes, times: int | None = 1) -> Iterator[Collective]:
    """The collectives of a program and of those that its equations carry, in order."""
    for eqn in jaxpr.eqns:
        if eqn.primitive in bytes_sent:
            yield collective(eqn, sizes, times)
        for sub in jaxprs_in_params(eqn.params):
            yield from collectives_of(sub, sizes, _rounds(eqn, times))


def _rounds(eqn: JaxprEqn, times: int | None) -> int | None:
    if eqn.primitive is while_p:
        return None
    return times * eqn.params["length"] if eqn.primitive is scan_p and times is not None else times


# ---- as text


def with_bytes(jaxpr: Jaxpr, sizes: Sizes) -> Jaxpr:
    """The program to be printed: each collective with its mesh axes, its place, and the bytes that one device sends."""
    return jaxpr.replace(eqns=[_with_bytes(eqn, sizes) for eqn in jaxpr.eqns])


_PLACES = {"all_gather_dimension": "axis", "scatter_dimension": "axis", "split_axis": "split", "concat_axis": "concat"}


def _with_bytes(eqn: JaxprEqn, sizes: Sizes) -> JaxprEqn:
    if eqn.primitive in bytes_sent:
        params = {_PLACES[name]: value for name, value in eqn.params.items() if name in _PLACES}
        found = collective(eqn, sizes)
        params |= dict(along=",".join(map(str, found.axes)), bytes=f"{found.bytes:,}")
        return eqn.replace(primitive=Primitive(eqn.primitive.name), params=params)
    if not any(jaxprs_in_params(eqn.params)):
        return eqn
    return eqn.replace(params={name: _param_with_bytes(value, sizes) for name, value in eqn.params.items()})


def _param_with_bytes(value: Any, sizes: Sizes) -> Any:
    if isinstance(value, tuple) and value and all(isinstance(part, Jaxpr) for part in value):
        return tuple(with_bytes(part, sizes) for part in value)
    return with_bytes(value, sizes) if isinstance(value, Jaxpr) else value
