"""Places in an array: as rows of coordinates, and as numbers in the flattened array."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import dtypes
from ..lax.converting import convert
from .arguments import array_argument, array_arguments, concrete, concrete_index
from .array_creation import array, asarray
from .asking import result_type
from .choosing import clip, nonzero, where
from .joining import vstack
from .shaping import atleast_1d, reshape, transpose
from .ufuncs import divmod


def argwhere(a: Any, *, size: int | None = None, fill_value: Any = None) -> Any:
    """The coordinates of the elements that are not 0, one row an element: [N, a.ndim]."""
    a = array_argument("argwhere", a)
    rows = transpose(vstack(nonzero(atleast_1d(a), size=size, fill_value=fill_value)))
    return reshape(rows if a.ndim else rows[:0], (rows.shape[0], a.ndim))


def unravel_index(indices: Any, shape: Any) -> tuple[Any, ...]:
    """The coordinates, one array an axis, of places in the flattened array of `shape`. Out of bounds is clamped."""
    rest = array_argument("unravel_index", indices)
    shape = list(shape) if np.ndim(shape) else [shape]
    if any(np.ndim(n) for n in shape):
        raise ValueError("unravel_index: shape should be a scalar or 1D sequence.")
    out: list[Any] = [0] * len(shape)
    for d in reversed(range(len(shape))):
        rest, out[d] = divmod(rest, shape[d])
    above = rest > 0
    below = asarray(False) if dtypes.issubdtype(rest.dtype, np.unsignedinteger) else rest < -1
    return tuple(where(above, n - 1, where(below, 0, i)) for n, i in zip(shape, out, strict=True))


def ravel_multi_index(
    multi_index: Sequence[Any], dims: Sequence[int], mode: str = "raise", order: str = "C", *, dtype: Any = None
) -> Any:
    """The places in the flattened array of shape `dims` of these coordinates, one array an axis.

    `mode` says what a coordinate out of bounds does: "raise" (they must be known), "wrap", "clip" or "ignore".
    """
    assert len(multi_index) == len(dims), f"len(multi_index)={len(multi_index)} != len(dims)={len(dims)}"
    dims = tuple(concrete_index(d, "in `dims` argument of ravel_multi_index().") for d in dims)
    indices = array_arguments("ravel_multi_index", *multi_index)
    dtype = _index_dtype(dtype, indices, dims)
    if not all(dtypes.issubdtype(i.dtype, np.integer) for i in indices):
        raise TypeError("only int indices permitted")
    strides = _strides(dims, order)
    total = array(0, dtype=dtype)
    for i, stride in zip(_within(indices, dims, mode), strides, strict=True):
        total = total + convert(i, dtype) * stride
    return total


def _index_dtype(dtype: Any, indices: Sequence[Any], dims: tuple[int, ...]) -> np.dtype:
    found = (
        result_type(int, *indices) if dtype is None else dtypes.check_user_dtype_supported(dtype, "ravel_multi_index")
    )
    if not dtypes.issubdtype(found, np.integer):
        raise ValueError(f"dtype={found!r} is not an integer type.")
    if math.prod(dims) - 1 > dtypes.iinfo(found).max:
        raise ValueError(
            f"jnp.ravel_multi_index: dtype={found!r} not large enough to hold flattened index for dims={dims!r}. "
            "Use the dtype argument to pass a suitable dtype (e.g. dtype=np.min_scalar_type(prod(dims)))."
        )
    return found


def _within(indices: Sequence[Any], dims: tuple[int, ...], mode: str) -> list[Any]:
    pairs = list(zip(indices, dims, strict=True))
    if mode == "raise":
        context = (
            "The error occurred because ravel_multi_index was jit-compiled with mode='raise'. "
            "Use mode='wrap' or mode='clip' instead."
        )
        known = [(np.asarray(concrete(i, context)), n) for i, n in pairs]
        if any(np.any((i < 0) | (i >= n)) for i, n in known):
            raise ValueError("invalid entry in coordinates array")
        return list(indices)
    if mode == "clip":
        return [clip(i, 0, n - 1) for i, n in pairs]
    if mode == "wrap":
        return [i % n for i, n in pairs]
    if mode == "ignore":
        return list(indices)
    raise ValueError(f"invalid mode={mode!r}. Expected 'raise', 'wrap', 'clip', or 'ignore'.")


def _strides(dims: tuple[int, ...], order: str) -> list[int]:
    """How far apart neighbours along each axis are in the flattened array."""
    if order == "F":
        return np.cumprod((1, *dims[:-1])).tolist()
    if order == "C":
        return np.cumprod((1, *dims[:0:-1]))[::-1].tolist()
    raise ValueError(f"invalid order={order!r}. Expected 'C' or 'F'")
