"""Bits packed into bytes, and bytes taken apart into bits."""

from functools import partial
from typing import Any

import numpy as np

from ..aval import typeof
from ..jit import jit
from ..lax.converting import convert_element_type
from ..lax.elementwise import bitwise_and, gt, ne, shift_left
from ..lax.indexing import rev
from ..lax.reducing import reduce_sum
from ..lax.shaping import broadcast_in_dim, iota, pad, reshape
from .promotion import check_arraylike
from .shaping import moveaxis, ravel

_BYTE = np.dtype("uint8")


def _ordered(places: Any, bitorder: str) -> Any:
    """Something for each bit of a byte, lowest bit first, in the order that was asked for."""
    if bitorder not in ("little", "big"):
        raise ValueError("'order' must be either 'little' or 'big'")
    return places if bitorder == "little" else rev(places, (0,))


@partial(jit, static_argnames=("axis", "bitorder"))
def packbits(a: Any, axis: int | None = None, bitorder: str = "big") -> Any:
    """Bytes whose bits say which elements of `a` are not 0, eight elements a byte along `axis`; the last is filled up.

    Raises TypeError for what is neither integer nor boolean.
    """
    check_arraylike("packbits", a)
    if typeof(a).dtype.kind not in "biu":
        raise TypeError("Expected an input array of integer or boolean data type")
    x = ravel(a) if axis is None else moveaxis(a, axis, -1)
    bits = convert_element_type(ne(x, x.dtype.type(0)), _BYTE)
    places, n = _ordered(iota(_BYTE, 8), bitorder), x.shape[-1]
    bits = pad(bits, _BYTE.type(0), [(0, 0, 0)] * (x.ndim - 1) + [(0, -n % 8, 0)])
    bits = reshape(bits, (*x.shape[:-1], -(-n // 8), 8))  # [..., bytes, 8]
    shifted = shift_left(bits, broadcast_in_dim(places, (1,) * (bits.ndim - 1) + (8,), (bits.ndim - 1,)))
    total = reduce_sum(convert_element_type(shifted, np.uint32), (bits.ndim - 1,))
    packed = convert_element_type(total, _BYTE)
    return packed if axis is None else moveaxis(packed, -1, axis)


@partial(jit, static_argnames=("axis", "count", "bitorder"))
def unpackbits(a: Any, axis: int | None = None, count: int | None = None, bitorder: str = "big") -> Any:
    """The bits of the bytes `a` as zeros and ones, along `axis`; the first `count` of them.

    Raises TypeError for other dtypes than uint8.
    """
    check_arraylike("unpackbits", a)
    if typeof(a).dtype != _BYTE:
        raise TypeError("Expected an input array of unsigned byte data type")
    masks = _ordered(shift_left(_BYTE.type(1), iota(_BYTE, 8)), bitorder)
    x = ravel(a) if axis is None else moveaxis(a, axis, -1)
    column = broadcast_in_dim(x, (*x.shape, 1), range(x.ndim))
    found = bitwise_and(column, broadcast_in_dim(masks, (1,) * x.ndim + (8,), (x.ndim,)))
    bits = convert_element_type(gt(found, _BYTE.type(0)), _BYTE)
    bits = reshape(bits, (*x.shape[:-1], 8 * x.shape[-1]))[..., :count]
    return bits if axis is None else moveaxis(bits, -1, axis)
