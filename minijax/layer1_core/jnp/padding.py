"""Padding: an array with more elements before and after along each axis, made by one of NumPy's modes."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from .. import dtypes
from ..jit import jit
from ..lax import indexing as slicing, shaping as lax
from ..lax.converting import convert
from ..lax.joining import concatenate
from ..tree import tree_map
from .applying import apply_along_axis
from .arguments import array_argument, concrete, to_array
from .array_creation import asarray, empty_like
from .numbers import round
from .quantiles import median
from .rearranging import flip, repeat
from .reductions import amax, amin, mean
from .sequences import linspace
from .shaping import broadcast_to, squeeze

Pairs = tuple[tuple[Any, Any], ...]  # ((before, after), ...), one an axis

_OPTIONS: dict[str, list[str]] = {
    "empty": [],
    "edge": [],
    "wrap": [],
    "constant": ["constant_values"],
    "linear_ramp": ["end_values"],
    "maximum": ["stat_length"],
    "mean": ["stat_length"],
    "median": ["stat_length"],
    "minimum": ["stat_length"],
    "reflect": ["reflect_type"],
    "symmetric": ["reflect_type"],
}
_STATISTICS: dict[str, Callable[..., Any]] = {"maximum": amax, "minimum": amin, "mean": mean, "median": median}


def pad(array: Any, pad_width: Any, mode: str | Callable[..., Any] = "constant", **kwargs: Any) -> Any:
    """`array` with pad_width elements more before and after along each axis.

    `pad_width` is one number, (before, after), or such a pair for each axis. The modes are NumPy's; a callable one
    gets each padded vector, its pair, its axis and the other keywords, and returns the vector.
    Raises NotImplementedError for an unknown mode, ValueError for a keyword that the mode does not have.
    """
    array = array_argument("pad", array)
    widths = _pairs(pad_width, array.ndim, "pad_width")
    if not all(isinstance(n, (int, np.integer)) for pair in widths for n in pair):
        raise TypeError("`pad_width` must be of integral type.")
    if callable(mode):
        padded = _pad_constant(array, widths, asarray(0))
        for axis in range(array.ndim):
            padded = apply_along_axis(mode, axis, padded, widths[axis], axis, kwargs)
        return padded
    if mode not in _OPTIONS:
        raise NotImplementedError(f"Unimplemented padding mode '{mode}' for np.pad.")
    unknown = set(kwargs) - set(_OPTIONS[mode])
    if unknown:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {unknown}")
    option = kwargs.get
    return _pad(
        array, widths, mode, option("constant_values", 0), option("stat_length"), option("end_values", 0),
        option("reflect_type", "even"),
    )  # fmt: skip


def _pairs(values: Any, ndim: int, name: str) -> Pairs:
    """(before, after) for each axis. Raises ValueError for a shape that cannot be read so."""
    try:
        known = np.asarray(tree_map(lambda x: concrete(x, f"{name} argument of jnp.pad"), values))
    except ValueError as error:
        if "inhomogeneous shape" in str(error):
            raise TypeError(f"`{name}` entries must be the same shape: {values}") from error
        raise
    if known.shape not in ((ndim, 2), (1, 2), (2,), (1,), ()):
        raise ValueError(
            f"jnp.pad: {name} with nd={ndim} has unsupported shape {known.shape}. "
            f"Valid shapes are ({ndim}, 2), (1, 2), (2,), (1,), or ()."
        )
    return tuple((before, after) for before, after in np.broadcast_to(known, (ndim, 2)))


@partial(jit, static_argnums=(1, 2, 4, 5, 6))
def _pad(
    array: Any, pad_width: Pairs, mode: str, constant_values: Any, stat_length: Any, end_values: Any, reflect_type: str
) -> Any:
    array = to_array(array)
    if array.ndim == 0:
        return array
    if any(n < 0 for pair in pad_width for n in pair):
        raise ValueError("index can't contain negative values")
    if mode == "constant":
        return _pad_constant(array, pad_width, asarray(constant_values))
    if mode == "empty":
        return _along_axes(_empty, array, pad_width)
    if mode == "linear_ramp":
        ends = _pairs(end_values, array.ndim, "end_values")
        return _along_axes(partial(_linear_ramp, ends), array, pad_width)
    if mode in _STATISTICS:
        lengths = None if stat_length is None else _pairs(stat_length, array.ndim, "stat_length")
        return _along_axes(partial(_statistic, _STATISTICS[mode], lengths), array, pad_width)
    by_neighbours = {"wrap": _wrap, "edge": _edge}.get(mode) or partial(_reflect, mode, reflect_type)
    return _along_axes(partial(_unless_empty, mode, by_neighbours), array, pad_width)


def _along_axes(pad_axis: Callable[[Any, int, Any, Any], Any], array: Any, pad_width: Pairs) -> Any:
    """The array padded along one axis after the other, so that corners are made of what is padded already."""
    for axis, (before, after) in enumerate(pad_width):
        array = pad_axis(array, axis, before, after)
    return array


def _pad_constant(array: Any, pad_width: Pairs, values: Any) -> Any:
    values = convert(values, array.dtype, array.weak_type)
    if values.shape in ((), (1,)):
        return lax.pad_p.bind(array, squeeze(values), padding_config=tuple((low, high, 0) for low, high in pad_width))
    if values.ndim == 1 and values.shape[-1] != 2:
        raise ValueError(
            f"jnp.pad: constant_values has unsupported shape {values.shape}. "
            "If the shape is 1D or 2D, the last dimension must be of size 1 or 2."
        )
    values = broadcast_to(values, (array.ndim, 2))
    for axis, (before, after) in enumerate(pad_width):
        for side, width in enumerate([(before, 0, 0), (0, after, 0)]):
            if width[side]:
                config = [(0, 0, 0)] * array.ndim
                config[axis] = width
                array = lax.pad_p.bind(array, values[axis, side], padding_config=tuple(config))
    return array


def _empty(array: Any, axis: int, before: int, after: int) -> Any:
    parts = [empty_like(array, shape=(*array.shape[:axis], n, *array.shape[axis + 1 :])) for n in (before, after)]
    return concatenate([parts[0], array, parts[1]], axis)


def _unless_empty(mode: str, pad_axis: Callable[..., Any], array: Any, axis: int, before: int, after: int) -> Any:
    """The array padded from its own elements. Raises ValueError where it has none along `axis`."""
    if array.shape[axis]:
        return pad_axis(array, axis, before, after)
    if before > 0 or after > 0:
        raise ValueError(f"Cannot apply '{mode}' padding to empty axis")
    return array


def _wrap(array: Any, axis: int, before: int, after: int) -> Any:
    """The array again and again, cut off at both ends."""
    size = array.shape[axis]
    (left, more_left), (right, more_right) = divmod(before, size), divmod(after, size)
    parts = [slicing.slice_in_dim(array, size - more_left, size, axis=axis)] if more_left else []
    parts += [array] * (left + right + 1)
    parts += [slicing.slice_in_dim(array, 0, more_right, axis=axis)] if more_right else []
    return concatenate(parts, axis)


def _edge(array: Any, axis: int, before: int, after: int) -> Any:
    size = array.shape[axis]
    first = repeat(slicing.slice_in_dim(array, 0, 1, axis=axis), before, axis=axis)
    last = repeat(slicing.slice_in_dim(array, size - 1, size, axis=axis), after, axis=axis)
    return concatenate([first, array, last], axis)


def _reflect(mode: str, kind: str, array: Any, axis: int, before: int, after: int) -> Any:
    if before == after == 0:
        return array
    size = array.shape[axis]
    offset = 1 if mode == "reflect" and size > 1 else 0  # whether the edge itself is left out
    array = _reflect_before(array, axis, before, size, offset, kind)
    return _reflect_after(array, axis, after, size, offset, kind, keep_last=mode == "symmetric" or size == 1)


def _reflect_before(array: Any, axis: int, padding: int, size: int, offset: int, kind: str) -> Any:
    """Mirror images are put before the array, of a length up to its own, until there are enough."""
    edge = slicing.slice_in_dim(array, 0, 1, axis=axis)
    while padding > 0:
        count = min(padding, size - offset)
        padding -= count
        part = flip(slicing.slice_in_dim(array, offset, offset + count, axis=axis), axis=axis)
        if kind == "odd":
            part = 2 * edge - part
            edge = slicing.slice_in_dim(part, 0, 1, axis=axis) if size > 1 else edge
        array = concatenate([part, array], axis)
    return array


def _reflect_after(array: Any, axis: int, padding: int, size: int, offset: int, kind: str, keep_last: bool) -> Any:
    edge = slicing.slice_in_dim(array, -1, None, axis=axis)
    while padding > 0:
        count = min(padding, size - offset)
        padding -= count
        stop = None if keep_last else -1
        part = flip(slicing.slice_in_dim(array, -(count + offset), stop, axis=axis), axis=axis)
        if kind == "odd":
            part = 2 * edge - part
            edge = slicing.slice_in_dim(part, -1, None, axis=axis) if size > 1 else edge
        array = concatenate([array, part], axis)
    return array


def _linear_ramp(ends: Pairs, array: Any, axis: int, before: int, after: int) -> Any:
    edges = slicing.slice_in_dim(array, 0, 1, axis=axis), slicing.slice_in_dim(array, -1, None, axis=axis)
    ramps = [
        linspace(end, squeeze(edge, axis), num=int(n), endpoint=False, dtype=array.dtype, axis=axis)
        for end, edge, n in zip(ends[axis], edges, (before, after), strict=True)
    ]
    first, last = (convert(ramp, array.dtype, array.weak_type) for ramp in ramps)
    return concatenate([first, array, flip(last, axis)], axis)


def _statistic(
    function: Callable[..., Any], lengths: Pairs | None, array: Any, axis: int, before: int, after: int
) -> Any:
    if lengths is None:
        first = last = function(array, axis=axis, keepdims=True)
    else:
        if 0 in lengths[axis]:
            raise ValueError("stat_length of 0 yields no value for padding")
        low, high = (min(n, array.shape[axis]) for n in lengths[axis])
        parts = slicing.slice_in_dim(array, 0, low, axis=axis), slicing.slice_in_dim(array, -high, None, axis=axis)
        first, last = (function(part, axis=axis, keepdims=True) for part in parts)
    values = _of_dtype_of(array, [first, last])
    first, last = (repeat(v, n, axis=axis) for v, n in zip(values, (before, after), strict=True))
    return concatenate([first, array, last], axis)


def _of_dtype_of(array: Any, values: Sequence[Any]) -> list[Any]:
    if dtypes.issubdtype(array.dtype, np.integer):
        values = [round(v) for v in values]
    return [convert(v, array.dtype, array.weak_type) for v in values]
