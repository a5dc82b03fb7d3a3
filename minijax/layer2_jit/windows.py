"""Reductions over windows, in simpler terms: the elements at one offset of all windows are a slice, with steps.

Each offset is a line in a loop over all windows, as the impl rules go through them. Large windows are called.
"""

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..layer1_core import lax
from ..layer1_core.jaxpr import Jaxpr, JaxprEqn
from ..layer1_core.lax.elementwise import add, ge, le, max, min, mul, select
from ..layer1_core.lax.gather import GatherScatterMode
from ..layer1_core.lax.scatter import ScatterDimensionNumbers, scatter_add
from ..layer1_core.lax.shaping import broadcasted_iota, expand_dims, full, full_like, pad, reshape
from .rules import highest, lowest
from .simpler import applied, is_pointwise, put_as

LARGEST = 64  # elements of a window
Sizes = Sequence[int]
Pads = Sequence[tuple[int, int]]


def padded(x: Any, value: Any, padding: Pads, dilation: Sizes) -> Any:
    """x with its elements apart, and with a number around and between them."""
    config = [(low, high, step - 1) for (low, high), step in zip(padding, dilation, strict=True)]
    return x if all(each == (0, 0, 0) for each in config) else pad(x, value, config)


def counts(shape: Sizes, sizes: Sizes, strides: Sizes, dilation: Sizes) -> tuple[int, ...]:
    """How many windows there are along each axis."""
    axes = zip(shape, sizes, strides, dilation, strict=True)
    return tuple((n - (size - 1) * step - 1) // stride + 1 for n, size, stride, step in axes)


def elements(x: Any, sizes: Sizes, strides: Sizes, dilation: Sizes) -> Iterator[Any]:
    """For each offset in a window, the elements that all windows have there."""
    number = counts(x.shape, sizes, strides, dilation)
    for offset in np.ndindex(*sizes):
        starts = [o * step for o, step in zip(offset, dilation, strict=True)]
        limits = [s + (n - 1) * stride + 1 for s, n, stride in zip(starts, number, strides, strict=True)]
        yield lax.indexing.slice(x, starts, limits, strides)


def _has_small_windows(eqn: JaxprEqn, inside: bool) -> bool:
    """Whether there are windows, of few elements, and a padding takes nothing away."""
    pads = all(low >= 0 and high >= 0 for low, high in eqn.params["padding"])
    small = math.prod(eqn.params["window_dimensions"]) <= LARGEST
    return pads and small and all(v.aval.size for v in (*eqn.invars, *eqn.outvars))


# ---- reductions


def windowed(combine: Callable[..., Any], start: Callable[[np.dtype], Any]) -> Callable[..., Any]:
    """The reduction of each window with an operation, from its neutral element on."""

    def program(
        x: Any, *, window_dimensions: Sizes, window_strides: Sizes, padding: Pads, base_dilation: Sizes,
        window_dilation: Sizes,
    ) -> Any:  # fmt: skip
        window = window_dimensions, window_strides, window_dilation
        first = x.dtype.type(start(x.dtype))
        field = padded(x, first, padding, base_dilation)
        begun = full(counts(field.shape, *window), first, x.dtype)
        return functools.reduce(combine, elements(field, *window), begun)

    return program


put_as(lax.windows.reduce_window_sum_p, accepts=_has_small_windows)(windowed(add, lambda dtype: 0))
put_as(lax.windows.reduce_window_max_p, accepts=_has_small_windows)(windowed(max, lowest))
put_as(lax.windows.reduce_window_min_p, accepts=_has_small_windows)(windowed(min, highest))


@put_as(
    lax.windows.reduce_window_p,
    accepts=lambda eqn, inside: is_pointwise(eqn.params["jaxpr"]) and _has_small_windows(eqn, inside),
)
def reduce_window(
    *args: Any, jaxpr: Jaxpr, consts: Sequence[Any], window_dimensions: Sizes, window_strides: Sizes, padding: Pads,
    base_dilation: Sizes, window_dilation: Sizes,
) -> list[Any]:  # fmt: skip
    """Each window of several operands, put together by a program."""
    operands, starts = args[: len(args) // 2], args[len(args) // 2 :]
    window = window_dimensions, window_strides, window_dilation
    fields = [padded(x, start, padding, base_dilation) for x, start in zip(operands, starts, strict=True)]
    out = [lax.shaping.broadcast(start, counts(fields[0].shape, *window)) for start in starts]
    for found in zip(*(elements(x, *window) for x in fields), strict=True):
        out = applied(jaxpr, out, found)
    return out


# ---- the element that a window selects

SELECTION = {lax.elementwise.ge_p: (ge, lowest), lax.elementwise.le_p: (le, highest)}  # and what comes last


def selected(prefers: Callable[..., Any], pairs: Iterator[tuple[Any, Any]]) -> Any:
    """What goes with the best of all elements, from pairs (elements, what goes with them)."""
    best, chosen = next(pairs)
    for element, candidate in pairs:
        keeps = prefers(best, element)
        best, chosen = select(keeps, best, element), select(keeps, chosen, candidate)
    return chosen


@put_as(lax.windows.select_and_gather_add_p, accepts=_has_small_windows)
def select_and_gather_add(
    tangents: Any, x: Any, *, select_prim: Any, window_dimensions: Sizes, window_strides: Sizes, padding: Pads,
    base_dilation: Sizes, window_dilation: Sizes,
) -> Any:  # fmt: skip
    """The tangent of the selected element of each window."""
    prefers, last = SELECTION[select_prim]
    window = window_dimensions, window_strides, window_dilation
    starts = [x.dtype.type(last(x.dtype)), tangents.dtype.type(0)]
    fields = [padded(y, start, padding, base_dilation) for y, start in zip((x, tangents), starts, strict=True)]
    number = counts(fields[0].shape, *window)
    begun = full(number, starts[0], x.dtype), full(number, starts[1], tangents.dtype)
    pairs = zip(*(elements(field, *window) for field in fields), strict=True)
    return selected(prefers, itertools.chain([begun], pairs))


@put_as(lax.windows.select_and_scatter_add_p, accepts=_has_small_windows)
def select_and_scatter_add(
    source: Any, x: Any, *, select_prim: Any, window_dimensions: Sizes, window_strides: Sizes, padding: Pads
) -> Any:
    """Each element of source added where the selected element of its window is, in an array that is flat."""
    prefers, last = SELECTION[select_prim]
    ones = (1,) * x.ndim
    field = padded(x, x.dtype.type(last(x.dtype)), padding, ones)
    steps = [math.prod(field.shape[d + 1 :]) for d in range(x.ndim)]
    offsets = (full(source.shape, np.dot(offset, steps), "int32") for offset in np.ndindex(*window_dimensions))
    offset = selected(prefers, zip(elements(field, window_dimensions, window_strides, ones), offsets, strict=True))
    strides = [stride * step for stride, step in zip(window_strides, steps, strict=True)]
    flat = added(source, add(offset, corners(source.shape, strides)), field.size)
    starts = [low for low, _ in padding]
    limits = [low + n for low, n in zip(starts, x.shape, strict=True)]
    return lax.indexing.slice(reshape(flat, field.shape), starts, limits)


def corners(shape: Sizes, strides: Sizes) -> Any:
    """The places of the windows' first elements in the flat array."""
    counted = [broadcasted_iota("int32", shape, d) for d in range(len(shape))]
    parts = [mul(i, full_like(i, stride)) for i, stride in zip(counted, strides, strict=True)]
    return functools.reduce(add, parts, full(shape, 0, "int32"))


def added(source: Any, places: Any, size: int) -> Any:
    """Zeros to which each element of source is added at its place."""
    numbers, mode = ScatterDimensionNumbers((), (0,), (0,)), GatherScatterMode.PROMISE_IN_BOUNDS
    return scatter_add(full((size,), 0, source.dtype), expand_dims(places, (source.ndim,)), source, numbers, mode=mode)
