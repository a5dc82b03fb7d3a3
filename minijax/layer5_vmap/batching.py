"""Batching: each value goes together with the place of an axis that its own function does not see.

    f: x -> y          the function sees one example
    vmap(f): xs -> ys  each operation is applied to all examples at once, by its rule

A rule of `batching_rules` takes the operands, the place of the batch axis in each (None for one that has none) and the
parameters; it computes, with the functions of lax, the result and the place of its batch axis. It is asked where at
least one operand has a batch axis. An `AxisRule` takes the axis, its name and size, before these. It is asked in any
case: an equation that carries programs may ask for the axis in them.
"""

import functools
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..layer1_core.aval import ShapedArray, typeof, with_axis, without_axis
from ..layer1_core.lax.reducing import reduce_sum
from ..layer1_core.lax.shaping import broadcast_in_dim_p, canonicalize_axis, transpose
from ..layer1_core.primitive import Primitive, Rule, RuleTable
from ..layer1_core.trace import (
    SourceLine,
    Trace,
    Tracer,
    aval_property,
    current_trace,
    place_of,
    set_current_trace,
    user_line,
)
from .axes import AxisData, divided_as, place_of_batch

Dim = int | None  # the place of the batch axis, counted from the front; None for a value that has none
Dims = Sequence[Dim]
Marks = tuple[bool, ...]
not_mapped = None

batching_rules = RuleTable("batching", "Batching rule for '{0}' not implemented")


@dataclass(frozen=True)
class AxisRule:
    """A rule that takes the axis first, and is asked even where no operand has a batch axis."""

    rule: Rule

    def __call__(self, axis: AxisData, args: Sequence[Any], dims: Sequence[Dim], **params: Any) -> tuple[Any, Any]:
        return self.rule(axis, args, dims, **params)


class AxisRules:
    """`axis_batching_rules[p] = rule` enters an `AxisRule` for `p`."""

    def __setitem__(self, primitive: Primitive, rule: Rule) -> None:
        batching_rules[primitive] = AxisRule(rule)


axis_batching_rules = AxisRules()

# ---- places


def marks_of(dims: Dims) -> Marks:
    """Which of the values have a batch axis."""
    return tuple(d is not None for d in dims)


def dims_of(marks: Iterable[bool], dim: int = 0) -> list[Dim]:
    """The places of batch axes that are all at `dim`; None for a value that is not marked."""
    return [dim if mark else None for mark in marks]


# ---- types


@functools.lru_cache(maxsize=8192)
def mapped_aval(aval: ShapedArray, dim: int) -> ShapedArray:
    """The type of one example of a batch along axis `dim`."""
    return without_axis(aval, dim)


def unmapped_aval(aval: ShapedArray, dim: int, size: int) -> ShapedArray:
    """The type of a batch of so many examples, along axis `dim`."""
    return _unmapped_aval(aval, dim, size, _partition())


@functools.lru_cache(maxsize=8192)
def _unmapped_aval(aval: ShapedArray, dim: int, size: int, partition: Any) -> ShapedArray:
    return with_axis(aval, dim, size, partition)


def _partition() -> Any:
    place = place_of_batch()
    return None if place is None else place.spec.partitions[0]


# ---- values


def moveaxis(x: Any, src: int, dst: int) -> Any:
    """`x` with axis `src` at place `dst`. Raises ValueError for a place where it has none."""
    if src == dst:
        return x
    ndim = typeof(x).ndim
    src, dst = canonicalize_axis(src, ndim), canonicalize_axis(dst, ndim)
    order = [d for d in range(ndim) if d != src]
    order.insert(dst, src)
    return transpose(x, order)


def broadcast(x: Any, size: int, axis: int) -> Any:
    """`x`, so many times, along a new axis. (The axes' numbers are NumPy's, as JAX prints them.)"""
    shape = [*typeof(x).shape]
    shape.insert(axis, size)
    kept = tuple(np.delete(np.arange(len(shape)), axis))
    sharding = sharding_of_batch(typeof(x), size, axis)
    return broadcast_in_dim_p.bind(x, shape=tuple(shape), broadcast_dimensions=kept, sharding=sharding)


def sharding_of_batch(aval: ShapedArray, size: int, axis: int) -> Any:
    """How a batch of these, along a new axis, is divided, where the types say how batches are."""
    if (place := place_of_batch()) is None or size == 1:
        return None
    one = place.of((None,) * aval.ndim) if aval.is_undivided else aval.sharding
    return one.with_axis(axis, _partition())


def bdim_at_front(x: Any, dim: Dim, size: int) -> Any:
    """`x` with its batch axis in front; one of this size, where it has none."""
    return broadcast(x, size, 0) if dim is None else moveaxis(x, dim, 0)


def all_at_front(args: Sequence[Any], dims: Dims) -> list[Any]:
    """The operands with their batch axes in front; one in front, where an operand has none."""
    size = size_of(args, dims)
    return [bdim_at_front(x, d, size) for x, d in zip(args, dims, strict=True)]


def at_front(x: Any, dim: Dim) -> Any:
    """`x` with its batch axis in front, where it has one."""
    return x if dim is None else moveaxis(x, dim, 0)


def size_of(args: Sequence[Any], dims: Sequence[Dim]) -> int:
    """The size of the batch axis."""
    return next(x.shape[d] for x, d in zip(args, dims, strict=True) if d is not None)


# ---- a value with a batch axis


class BatchTracer(Tracer):
    """One example: all of them are in `val`, along axis `batch_dim`."""

    __slots__ = ("val", "batch_dim", "source_info")

    def __init__(self, trace: "BatchTrace", val: Any, batch_dim: int, source: SourceLine | None):
        self._trace, self.aval = trace, mapped_aval(typeof(val), batch_dim)
        self.val, self.batch_dim, self.source_info = val, batch_dim, source

    def __repr__(self) -> str:
        return f"VmapTracer(aval={self.aval}, batched={typeof(self.val)})"

    def _origin_msg(self) -> str:
        return f"\nThis BatchTracer with object id {id(self)} was created on line:\n  {place_of(self.source_info)}"


aval_property(BatchTracer)


class BatchTrace(Trace):
    """The trace of vmap. `parent` computes on whole batches.

    Traces of one `tag` know each other's tracers: the parts of a function that is run piece by piece, such
    as one with a derivative of its own, use each other's values.
    """

    def __init__(self, parent: Trace, tag: object, axis: AxisData):
        super().__init__()
        self.parent, self.tag, self.axis = parent, tag, axis

    def pair(self, x: Any) -> tuple[Any, Dim]:
        """The batch and the place of its axis that `x` stands for; a value from outside has none."""
        if isinstance(x, BatchTracer) and x._trace.tag is self.tag:  # type: ignore[attr-defined]  # a BatchTrace
            return x.val, x.batch_dim
        return x, None

    def split(self, args: Sequence[Any]) -> tuple[list[Any], list[Dim]]:
        """The batches and the places of their axes."""
        pairs = [self.pair(x) for x in args]
        return [x for x, _ in pairs], [d for _, d in pairs]

    def join(self, vals: Sequence[Any], dims: Sequence[Dim]) -> list[Any]:
        """The examples that these batches hold; a value without a batch axis is what it is."""
        source = user_line()
        return [x if d is None else BatchTracer(self, x, d, source) for x, d in zip(vals, dims, strict=True)]

    def process_primitive(self, primitive: Primitive, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        vals, dims = map(tuple, self.split(args))
        here = nullcontext() if self.axis.place is place_of_batch() else divided_as(self.axis.place)
        with set_current_trace(self.parent), here:  # the rule's own operations must not come back to us
            rule = batching_rules.get(primitive)
            if isinstance(rule, AxisRule):
                out, dim = rule(self.axis, vals, dims, **params)
            elif all(d is None for d in dims):
                return primitive.bind(*vals, **params)
            else:
                out, dim = batching_rules[primitive](vals, dims, **params)
        return self.join(out, dim) if primitive.multiple_results else self.join([out], [dim])[0]

    def pure(self, x: Any) -> Any:
        return x if self.pair(x)[1] is not None else self.parent.pure(x)


def batch_flat(
    fun: Callable[..., Sequence[Any]], axis: AxisData, tag: object, vals: Sequence[Any], dims: Sequence[Dim]
) -> tuple[list[Any], list[Dim]]:
    """The results of a function of flat arguments on batches, and the places of their batch axes."""
    trace = BatchTrace(current_trace.get(), tag, axis)
    try:
        with set_current_trace(trace):
            out = fun(*trace.join(vals, dims))
        return trace.split(out)
    finally:
        trace.alive = False


# ---- batch axes put where they are wanted


class OutAxesError(Exception):
    """A result has a batch axis where None was said."""


def matchaxis(axis: AxisData, src: Dim, dst: Dim, x: Any, sum_match: bool = False) -> Any:
    """`x`, whose batch axis is at `src`, with it at `dst`; where it has none, the same for each example.

    With `sum_match` the sum over the batch, where None is wanted; without it that raises OutAxesError.
    """
    if src == dst:
        return x
    if src is None:
        return broadcast(x, axis.size, canonicalize_axis(dst, typeof(x).ndim + 1))
    if dst is not None:
        return moveaxis(x, src, dst)
    if sum_match:
        return reduce_sum(x, (src,))
    raise OutAxesError
