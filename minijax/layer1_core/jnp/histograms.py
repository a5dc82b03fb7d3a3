"""Histograms: how many numbers fall between two edges."""

import functools
import math
from typing import Any

import numpy as np

from .. import dtypes
from ..aval import typeof
from ..jit import jit
from ..lax.converting import convert
from . import reductions
from .arguments import array_argument, array_arguments, concrete, concrete_index
from .array_creation import asarray, ones_like, zeros, zeros_like
from .choosing import clip
from .grids import ix_
from .interpolation import diff
from .locating import ravel_multi_index
from .promotion import check_arraylike, promote_dtypes_inexact
from .selecting import _where
from .sequences import linspace
from .shaping import reshape, transpose
from .sorting import searchsorted

# ---- edges


def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """The edges of `bins` equal intervals over `range` (by default, that of the numbers). Given edges are returned."""
    if isinstance(bins, str):
        raise NotImplementedError("string values for `bins` not implemented.")
    check_arraylike("histogram_bin_edges", a, bins)
    a = asarray(a)
    dtype = dtypes.to_inexact_dtype(a.dtype)
    if typeof(bins).ndim == 1:
        return asarray(bins, dtype=dtype)
    bins = concrete_index(bins, "bins argument of histogram_bin_edges")
    ends = asarray([a.min(), a.max()] if range is None else range, dtype=dtype)
    if ends.shape != (2,):
        raise ValueError(f"`range` must be either None or a sequence of scalars, got {ends}")
    low = _where(reductions.ptp(ends) == 0, ends[0] - 0.5, ends[0])
    high = _where(reductions.ptp(ends) == 0, ends[1] + 0.5, ends[1])
    return linspace(low, high, bins + 1, dtype=dtype)


# ---- counts


def histogram(
    a: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool | None = None
) -> tuple[Any, Any]:
    """How many numbers (or how much weight) each bin holds, and the edges. The last bin includes its upper edge.

    With `density` the integral over the bins is 1. Raises ValueError for weights of another shape.
    """
    if weights is None:
        a, _ = array_arguments("histogram", a, bins)
        (a,) = promote_dtypes_inexact(a)
        weights = ones_like(a)
    else:
        a, _, weights = array_arguments("histogram", a, bins, weights)
        if a.shape != weights.shape:
            raise ValueError("weights should have the same shape as a.")
        a, weights = promote_dtypes_inexact(a, weights)
    edges = histogram_bin_edges(a, bins, range, weights)
    place = searchsorted(edges, a, side="right")
    place = _where(a == edges[-1], len(edges) - 1, place)
    counts = zeros(len(edges), weights.dtype).at[place].add(weights)[1:]
    if density:
        counts = counts / diff(edges) / counts.sum()
    return counts, edges


def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool | None = None
) -> tuple[Any, Any, Any]:
    """The counts of the points (x, y) in a grid of bins, and the edges along x and along y."""
    x, y = array_arguments("histogram2d", x, y)
    if _length(bins) not in (1, 2):
        bins = [asarray(bins)] * 2
    counts, edges = histogramdd(transpose(asarray([x, y])), bins, range, weights, density)
    return counts, edges[0], edges[1]


def _length(bins: Any) -> int:
    try:
        return len(bins)
    except TypeError:
        return 1


def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool | None = None
) -> tuple[Any, list[Any]]:
    """The counts of N points in D dimensions (`sample` is [N, D]) in a grid of bins, and the edges along each axis."""
    sample, weights = _sample(sample, weights)
    ranges, bins = _for_each_axis(sample.shape, bins, range)
    edges, places = [], []
    for i, (b, r) in enumerate(zip(bins, ranges, strict=True)):
        edges.append(histogram_bin_edges(sample[:, i], b, r, weights))
        place = searchsorted(edges[-1], sample[:, i], side="right")
        places.append(_where(sample[:, i] == edges[-1][-1], place - 1, place))
    sizes = tuple(len(e) + 1 for e in edges)  # with a bin below and one above, both dropped
    widths = [diff(e) for e in edges]
    flat = ravel_multi_index(tuple(places), sizes, mode="clip")
    counts = reshape(bincount(flat, weights, length=math.prod(sizes)), sizes)[(slice(1, -1),) * len(sizes)]
    if density:
        counts = counts.astype(sample.dtype)
        counts = functools.reduce(lambda c, width: c / width, ix_(*widths), counts / counts.sum())
    return counts, edges


def _sample(sample: Any, weights: Any) -> tuple[Any, Any]:
    if weights is None:
        return promote_dtypes_inexact(array_argument("histogramdd", sample))[0], None
    sample, weights = array_arguments("histogramdd", sample, weights)
    if weights.shape != sample.shape[:1]:
        raise ValueError("should have one weight for each sample.")
    sample, weights = promote_dtypes_inexact(sample, weights)
    return sample, weights


def _for_each_axis(shape: tuple[int, int], bins: Any, ranges: Any) -> tuple[list[Any], list[Any]]:
    """A range and a number of bins (or edges) for each axis."""
    _, d = shape
    if ranges is not None and (len(ranges) != d or any(r is not None and np.shape(r)[0] != 2 for r in ranges)):
        raise ValueError(
            f"For sample.shape={shape}, range must be a sequence of {d} pairs or Nones; got range={ranges!r}"
        )
    ranges = [None] * d if ranges is None else list(ranges)
    try:
        bins = list(bins)
    except TypeError:
        return ranges, [bins] * d
    if len(bins) != d:
        raise ValueError("should be a bin for each dimension.")
    return ranges, bins


@functools.partial(jit, static_argnames=("right", "method"))
def digitize(x: Any, bins: Any, right: bool = False, *, method: str | None = None) -> Any:
    """The number of the bin of each element: bins[i - 1] <= x < bins[i] (for falling edges the other way round)."""
    x, edges = array_arguments("digitize", x, bins)
    right = bool(concrete(right, "right argument of jnp.digitize()"))
    if edges.ndim != 1:
        raise ValueError(f"digitize: bins must be a 1-dimensional array; got bins={bins!r}")
    if edges.shape[0] == 0:
        return zeros_like(x, dtype=np.int32)
    options = {} if method is None else {"method": method}
    search = functools.partial(searchsorted, side="left" if right else "right", **options)
    return _where(edges[-1] >= edges[0], search(edges, x), edges.shape[0] - search(edges[::-1], x))


def bincount(
    x: Any, weights: Any = None, minlength: int = 0, *, length: int | None = None, out_sharding: Any = None
) -> Any:
    """How often (or with how much weight) each of 0, 1, 2, ... occurs in `x`; negative numbers count as 0.

    The result ends at the largest number, or has `length` elements, which a traced `x` needs.
    """
    x = array_argument("bincount", x)
    x = convert(x, np.dtype(np.int32)) if x.dtype == np.bool_ else x
    if not dtypes.issubdtype(x.dtype, np.integer):
        raise TypeError(f"x argument to bincount must have an integer type; got {x.dtype}")
    if x.ndim != 1:
        raise ValueError("only 1-dimensional input supported.")
    minlength = concrete_index(minlength, "The error occurred because of argument 'minlength' of jnp.bincount.")
    if length is None:
        length = _length_needed(x, minlength)
    else:
        length = concrete_index(length, "The error occurred because of argument 'length' of jnp.bincount.")
    if weights is None:
        weights = np.array(1, dtypes.canonicalize_dtype(dtypes.int_))
    elif typeof(weights).shape != x.shape:
        told = [typeof(v).str_short(short_dtypes=True) + "({})" for v in (x, weights)]
        raise ValueError(f"type of weights must match type of x. Got typeof(x)={told[0]} and typeof(weights)={told[1]}")
    return zeros(length, typeof(weights).dtype).at[clip(x, 0)].add(weights, mode="drop")


def _length_needed(x: Any, minlength: int) -> int:
    x = concrete(
        x,
        "The error occurred because of argument 'x' of jnp.bincount. "
        "To avoid this error, pass a static `length` argument.",
    )
    return max(minlength, int(max(0, x.max())) + 1 if x.size else 0)
