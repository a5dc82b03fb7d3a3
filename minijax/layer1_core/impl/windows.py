"""What the reductions over windows compute, the cumulative ones among them.

The elements at one offset of all windows are a strided view of the padded operand. A reduction goes through the
offsets in row-major order and starts from the identity, so that a float sum is rounded as XLA rounds it.
"""

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ..aval import Shape
from ..evaluate import interpret
from ..jaxpr import Jaxpr
from . import elementwise
from .reducing import highest, lowest, with_zeros
from .shaping import pad

Pads = Sequence[tuple[int, int]]  # (before, after) of each axis; a negative one cuts off
Rule = Callable[..., np.ndarray]


def zero(dtype: np.dtype) -> np.generic:
    return dtype.type(0)


def one(dtype: np.dtype) -> np.generic:
    return dtype.type(1)


# ---- where the windows lie


def padded(x: np.ndarray, value: Any, padding: Pads, dilation: Shape) -> np.ndarray:
    """x with its elements `dilation` apart and padded at the borders, with `value` at all new places."""
    config = [(before, after, step - 1) for (before, after), step in zip(padding, dilation, strict=True)]
    return pad(x, value, padding_config=config)


def window_counts(shape: Shape, dimensions: Shape, strides: Shape, dilation: Shape) -> Shape:
    """How many windows lie inside an array of `shape`, along each axis."""
    spans = [(size - 1) * step + 1 for size, step in zip(dimensions, dilation, strict=True)]
    return tuple(max(0, (n - span) // stride + 1) for n, span, stride in zip(shape, spans, strides, strict=True))


def window_elements(x: np.ndarray, dimensions: Shape, strides: Shape, dilation: Shape) -> Iterator[np.ndarray]:
    """For each offset in a window, the elements of x that all windows have there: views of one shape."""
    counts = window_counts(x.shape, dimensions, strides, dilation)
    for offset in itertools.product(*map(range, dimensions)):
        firsts = [o * step for o, step in zip(offset, dilation, strict=True)]
        yield x[(..., *(slice(f, f + n * s, s) for f, n, s in zip(firsts, counts, strides, strict=True)))]


# ---- reductions over windows


def window_reducer(combine: Callable[..., np.ndarray], identity: Callable[[np.dtype], Any]) -> Rule:
    """The rule that reduces every window with `combine`; `identity(dtype)` stands in the padding."""

    def rule(operand, *, window_dimensions, window_strides, padding, base_dilation, window_dilation):
        start, window = identity(operand.dtype), (window_dimensions, window_strides, window_dilation)
        field = padded(operand, start, padding, base_dilation)
        out = np.full(window_counts(field.shape, *window), start, operand.dtype)
        for elements in window_elements(field, *window):
            out = combine(out, elements)
        return out

    return rule


reduce_window_sum = window_reducer(np.add, zero)
reduce_window_max = window_reducer(elementwise.max, lowest)
reduce_window_min = window_reducer(elementwise.min, highest)


def reduce_window(
    *args: np.ndarray,
    jaxpr: Jaxpr,
    consts: Sequence[Any],
    window_dimensions: Shape,
    window_strides: Shape,
    padding: Pads,
    base_dilation: Shape,
    window_dilation: Shape,
) -> list[np.ndarray]:
    """Every window of several operands folded by the program `jaxpr`, which runs on all windows at once."""
    operands, starts = args[: len(args) // 2], args[len(args) // 2 :]
    window = window_dimensions, window_strides, window_dilation
    fields = [padded(x, start, padding, base_dilation) for x, start in zip(operands, starts, strict=True)]
    counts = window_counts(fields[0].shape, *window)
    program, out = interpret(jaxpr), [np.full(counts, start, start.dtype) for start in starts]
    for elements in zip(*(window_elements(field, *window) for field in fields), strict=True):
        out = [np.broadcast_to(x, counts) for x in program([*out, *elements])]
    return out


# ---- the element that a window selects


SELECTION = {"ge": (np.greater_equal, lowest), "le": (np.less_equal, highest)}  # how to choose, what comes last


def selected(prefers: np.ufunc, pairs: Iterable[tuple], best: Any, chosen: Any) -> np.ndarray:
    """What goes with the best of all elements, from pairs (elements, what goes with them), one pair an offset."""
    for element, candidate in pairs:
        keeps = prefers(best, element)
        best, chosen = np.where(keeps, best, element), np.where(keeps, chosen, candidate)
    return np.asarray(chosen)


def select_and_gather_add(
    tangents: np.ndarray,
    operand: np.ndarray,
    *,
    select_prim: Any,
    window_dimensions: Shape,
    window_strides: Shape,
    padding: Pads,
    base_dilation: Shape,
    window_dilation: Shape,
) -> np.ndarray:
    """The tangent at the selected element of each window: the largest for `ge`, the smallest for `le`."""
    prefers, last = SELECTION[select_prim.name]
    start, nothing = last(operand.dtype), zero(tangents.dtype)
    window = window_dimensions, window_strides, window_dilation
    elements = window_elements(padded(operand, start, padding, base_dilation), *window)
    candidates = window_elements(padded(tangents, nothing, padding, base_dilation), *window)
    return selected(prefers, zip(elements, candidates, strict=True), start, nothing)


def select_and_scatter_add(
    source: np.ndarray,
    operand: np.ndarray,
    *,
    select_prim: Any,
    window_dimensions: Shape,
    window_strides: Shape,
    padding: Pads,
) -> np.ndarray:
    """Zeros shaped like the operand, with each element of source added where its window's selected element is."""
    prefers, last = SELECTION[select_prim.name]
    ones = (1,) * operand.ndim
    field = padded(operand, last(operand.dtype), padding, ones)
    places = np.arange(field.size).reshape(field.shape)
    elements, candidates = (window_elements(x, window_dimensions, window_strides, ones) for x in (field, places))
    pairs = zip(elements, candidates, strict=True)
    out = np.zeros(field.size, source.dtype)
    np.add.at(out, selected(prefers, pairs, *next(pairs)).ravel(), source.ravel())
    return padded(out.reshape(field.shape), zero(source.dtype), [(-before, -after) for before, after in padding], ones)


# ---- cumulative reductions


BLOCK = 16  # XLA sums a long axis in blocks of this size; so do we, to round as it does


def cumulative(combine: Callable[..., Any], identity: Callable[[np.dtype], Any]) -> Rule:
    """The rule for the running `combine` along an axis, from the front or (`reverse`) from the back."""

    def rule(operand: np.ndarray, *, axis: int, reverse: bool) -> np.ndarray:
        if operand.dtype.kind in "biu":
            return accumulate(combine, operand, axis, reverse)
        rows = np.moveaxis(operand, axis, -1)
        out = in_blocks(combine, rows, identity(operand.dtype), reverse)
        return np.moveaxis(out, -1, axis)

    return rule


def accumulate(ufunc: Any, x: np.ndarray, axis: int, reverse: bool) -> np.ndarray:
    """One element after the other, for an operation that does not round."""
    x = np.flip(x, axis) if reverse else x
    out = ufunc.accumulate(x, axis, dtype=x.dtype)
    return np.flip(out, axis) if reverse else out


def in_blocks(combine: Callable, x: np.ndarray, start: Any, reverse: bool) -> np.ndarray:
    """The running reduction along the last axis: in each block, then over the blocks' totals. [..., n] -> [..., n]"""
    *rest, n = x.shape
    if n <= BLOCK:
        return in_one_block(combine, x, start, reverse)
    count = -(-n // BLOCK)
    x = pad(x, start, padding_config=[(0, 0, 0)] * len(rest) + [(0, count * BLOCK - n, 0)])
    inner = in_one_block(combine, x.reshape(*rest, count, BLOCK), start, reverse)
    totals = in_blocks(combine, inner[..., 0 if reverse else -1], start, reverse)
    edge = np.full_like(totals[..., :1], start)
    others = np.concatenate([totals[..., 1:], edge] if reverse else [edge, totals[..., :-1]], axis=-1)
    return combine(inner, others[..., None]).reshape(*rest, count * BLOCK)[..., :n]


def in_one_block(combine: Callable, x: np.ndarray, start: Any, reverse: bool) -> np.ndarray:
    """The same in one block, from left to right: everything up to each element, or (`reverse`) from it on."""
    edge = np.full(x.shape[:-1], start, x.dtype)
    columns = list(np.moveaxis(x, -1, 0))
    if reverse:
        totals = [functools.reduce(combine, columns[i:], edge) for i in range(len(columns))]
    else:
        totals = list(itertools.accumulate(columns, combine, initial=edge))[1:]
    return np.stack(totals, axis=-1) if totals else x


def logaddexp(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """log(exp(x) + exp(y)) without overflow, rounded at each step."""
    apart = x - y
    return np.where(np.isnan(apart), x + y, np.maximum(x, y) + np.log1p(np.exp(-np.abs(apart))))


cumsum = cumulative(np.add, zero)
cumprod = cumulative(np.multiply, one)
cumlogsumexp = cumulative(logaddexp, lowest)


def cummax(operand: np.ndarray, *, axis: int, reverse: bool) -> np.ndarray:
    """The largest element so far."""
    found = accumulate(np.maximum, operand, axis, reverse)
    return with_zeros(found, operand, 0.0, lambda same: accumulate(np.logical_or, same, axis, reverse))


def cummin(operand: np.ndarray, *, axis: int, reverse: bool) -> np.ndarray:
    """The smallest element so far."""
    found = accumulate(np.minimum, operand, axis, reverse)
    return with_zeros(found, operand, -0.0, lambda same: accumulate(np.logical_or, same, axis, reverse))
