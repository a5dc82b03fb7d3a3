"""jax.scipy.ndimage: values between the pixels of an image."""

import functools
import itertools
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import dtypes
from ..jit import jit
from ..jnp.array_creation import asarray
from ..jnp.choosing import clip, where
from ..jnp.numbers import floor
from ..lax.elementwise import round as lax_round

_Nodes = list[tuple[Any, Any]]  # places along one axis, and their weights


def map_coordinates(input: Any, coordinates: Sequence[Any], order: int, mode: str = "constant", cval: Any = 0.0) -> Any:
    """The values of `input` at fractional places, one array of coordinates for each axis.

    `order` 0 takes the nearest element, 1 goes linearly between neighbours. `mode` says what lies outside: the value
    `cval` ("constant"), the nearest element, or the array again ("wrap", "mirror", "reflect").
    """
    return _map_coordinates(input, coordinates, order, mode, cval)


@functools.partial(jit, static_argnums=(2, 3, 4))
def _map_coordinates(input: Any, coordinates: Sequence[Any], order: int, mode: str, cval: Any) -> Any:
    x, places = asarray(input), [asarray(c) for c in coordinates]
    if len(places) != x.ndim:
        raise ValueError(f"coordinates must be a sequence of length input.ndim, but {len(places)} != {x.ndim}")
    if mode not in _WRAPS:
        raise NotImplementedError(
            f"jax.scipy.ndimage.map_coordinates does not yet support mode {mode}. "
            f"Currently supported modes are {set(_WRAPS)}."
        )
    if order not in (0, 1):
        raise NotImplementedError("jax.scipy.ndimage.map_coordinates currently requires order<=1")
    nodes = [_nearest(c) if order == 0 else _neighbours(c) for c in places]
    terms = [_term(x, corner, mode, asarray(cval, x.dtype)) for corner in itertools.product(*nodes)]
    out = functools.reduce(operator.add, terms)
    return (_whole(out) if dtypes.issubdtype(x.dtype, np.integer) else out).astype(x.dtype)


def _whole(x: Any) -> Any:
    """The nearest integer, halves away from zero."""
    return x if dtypes.issubdtype(x.dtype, np.integer) else lax_round(x)


def _nearest(c: Any) -> _Nodes:
    return [(_whole(c).astype(np.int32), c.dtype.type(1))]


def _neighbours(c: Any) -> _Nodes:
    below = floor(c)
    weight, index = c - below, below.astype(np.int32)
    return [(index, 1 - weight), (index + 1, weight)]


def _term(x: Any, corner: Sequence[tuple[Any, Any]], mode: str, cval: Any) -> Any:
    """The value at one of the surrounding places, times the product of its weights."""
    indices = [index for index, _ in corner]
    value = x[tuple(_WRAPS[mode](i, n) for i, n in zip(indices, x.shape, strict=True))]
    if mode == "constant":
        inside = [(i >= 0) & (i < n) for i, n in zip(indices, x.shape, strict=True)]
        value = where(functools.reduce(operator.and_, inside), value, cval)
    return functools.reduce(operator.mul, [weight for _, weight in corner]) * value


# ---- which element stands at a place outside of the array


def _mirror(index: Any, size: int) -> Any:
    last = size - 1
    return abs((index + last) % (2 * last) - last)


def _reflect(index: Any, size: int) -> Any:
    return (_mirror(2 * index + 1, 2 * size + 1) - 1) // 2


_WRAPS = {
    "constant": lambda index, size: index,
    "nearest": lambda index, size: clip(index, 0, size - 1),
    "wrap": lambda index, size: index % size,
    "mirror": _mirror,
    "reflect": _reflect,
}
