"""Shaping: the same elements under another shape, with axes in another order, added, dropped, or repeated along."""

import math
from copy import copy
from functools import partial
from typing import Any

import numpy as np

from ..aval import Shape, canonicalize_shape
from ..jit import jit
from ..lax import shaping as lax
from ..lax.joining import tile
from ..lax.shaping import canonicalize_axis
from .arguments import array_argument, array_arguments, concrete_index, index_tuple, to_array
from .promotion import broadcast_to_shape, check_arraylike, of_types


def fresh(out: Any, a: Any) -> Any:
    """`out` as an array object of its own, also where it is `a`: so that deleting one leaves the other."""
    return copy(out) if out is a else out


# ---- reshaping


def reshape(a: Any, shape: Any, order: str = "C", *, copy: bool | None = None, out_sharding: Any = None) -> Any:
    """The elements of `a`, read in row-major order ("F": column-major), in an array of `shape`.

    One size may be -1: it is what is left. Raises TypeError where the number of elements differs.
    """
    a = array_argument("reshape", a)
    sizes = _new_shape(a, shape)
    if order == "C":
        return lax.reshape(a, sizes, None, out_sharding=out_sharding)
    if order == "F":
        return transpose(lax.reshape(a, sizes[::-1], range(a.ndim)[::-1], out_sharding=out_sharding))
    if order == "A":
        raise NotImplementedError("np.reshape order=A is not implemented.")
    raise ValueError(f"Unexpected value for 'order' argument: {order}.")


def _new_shape(a: Any, shape: Any) -> Shape:
    sizes = canonicalize_shape(shape if isinstance(shape, (tuple, list)) or np.ndim(shape) else [shape])
    start = f"cannot reshape array of shape {a.shape} (size {a.size}) into shape {shape}"
    if sizes.count(-1) > 1:
        raise TypeError(f"can only specify one unknown axis size with a `-1` value, got {shape}")
    if -1 not in sizes:
        if math.prod(sizes) != a.size:
            raise TypeError(f"{start} (size {math.prod(sizes)})")
        return sizes
    known = math.prod(n for n in sizes if n != -1)
    if a.size % known:
        raise TypeError(
            f"{start} because the product of specified axis sizes ({known}) does not evenly divide {a.size}"
        )
    return tuple(a.size // known if n == -1 else n for n in sizes)


def ravel(a: Any, order: str = "C", *, out_sharding: Any = None) -> Any:
    """The elements of `a` along one axis."""
    a = array_argument("ravel", a)
    if order == "K":
        raise NotImplementedError("Ravel not implemented for order='K'.")
    return fresh(reshape(a, (a.size,), order, out_sharding=out_sharding), a)


@partial(jit, static_argnames=("new_shape",))
def resize(a: Any, new_shape: Any) -> Any:
    """An array of `new_shape` with the elements of `a`, from the start again where they do not suffice."""
    check_arraylike("resize", a)
    new_shape = index_tuple(new_shape)
    if any(n < 0 for n in new_shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    flat, size = ravel(a), math.prod(new_shape)
    if flat.size == 0 or size == 0:
        return lax.full_like(flat, 0, shape=new_shape)
    return reshape(tile_to_size(flat, size), new_shape)


def tile_to_size(flat: Any, size: int) -> Any:
    """The first `size` elements of `flat`, [N], repeated as often as needed."""
    return tile(flat, (-(-size // flat.size),))[:size]


# ---- the order of axes


def transpose(a: Any, axes: Any = None) -> Any:
    """`a` with its axes in the order `axes`; reversed for None."""
    a = array_argument("transpose", a)
    ndim = a.ndim
    return lax.transpose(a, range(ndim)[::-1] if axes is None else [canonicalize_axis(i, ndim) for i in axes])


def permute_dims(a: Any, /, axes: tuple[int, ...]) -> Any:
    """`a` with its axes in the order `axes`."""
    a = array_argument("permute_dims", a)
    order = [canonicalize_axis(axis, a.ndim) for axis in axes]
    if len(set(order)) != len(order):
        raise ValueError(f"repeated axis: {tuple(axes)}")
    return lax.transpose(a, order)


def matrix_transpose(x: Any, /) -> Any:
    """`x` with its last two axes exchanged. Raises ValueError where there are fewer."""
    x = array_argument("matrix_transpose", x)
    ndim = x.ndim
    if ndim < 2:
        raise ValueError(f"x must be at least two-dimensional for matrix_transpose; got ndim={ndim}")
    return lax.transpose(x, (*range(ndim - 2), ndim - 1, ndim - 2))


def swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    """`a` with two axes exchanged."""
    a = array_argument("swapaxes", a)
    order = np.arange(a.ndim)
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return fresh(lax.transpose(a, order), a)


def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """`a` with the axes `source` at the places `destination`; the others keep their order."""
    a = array_argument("moveaxis", a)
    ndim = a.ndim
    old = [canonicalize_axis(i, ndim) for i in index_tuple(source)]
    new = [canonicalize_axis(i, ndim) for i in index_tuple(destination)]
    if len(old) != len(new):
        raise ValueError(f"Inconsistent number of elements: {len(old)} vs {len(new)}")
    order = [i for i in range(ndim) if i not in old]
    for place, axis in sorted(zip(new, old, strict=True)):
        order.insert(place, axis)
    return fresh(lax.transpose(a, order), a)


@partial(jit, static_argnames=("axis", "start"))
def rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    """`a` with `axis` moved to before the axis that is at `start`."""
    a = array_argument("rollaxis", a)
    start = concrete_index(start, "'start' argument of jnp.rollaxis()")
    axis = canonicalize_axis(axis, a.ndim)
    if not -a.ndim <= start <= a.ndim:
        raise ValueError(f"start={start} must satisfy {-a.ndim}<=start<={a.ndim}")
    start = start + a.ndim if start < 0 else start
    return moveaxis(a, axis, start - (start > axis))


# ---- axes of size 1


def squeeze(a: Any, axis: Any = None) -> Any:
    """`a` without these axes of size 1; without all of them for None."""
    a = array_argument("squeeze", a)
    if axis is None:
        axis = tuple(i for i, n in enumerate(a.shape) if n == 1)
    axes = index_tuple(axis)
    try:
        return fresh(lax.squeeze(a, axes), a)
    except ValueError as error:
        raise of_types(error, partial(lax.squeeze, dimensions=axes), a) from None


def expand_dims(a: Any, axis: Any) -> Any:
    """`a` with new axes of size 1 at these places of the result."""
    return fresh(lax.expand_dims(array_argument("expand_dims", a), index_tuple(axis)), a)


def axes_for_rank(ndim: int, rank: int) -> tuple[int, ...]:
    """Where new axes go so that an array of `ndim` axes has `rank`: first, but a third one of three goes last."""
    return _NEW_AXES_OF_3.get(ndim, ()) if rank == 3 else tuple(range(rank - ndim))


_NEW_AXES_OF_3 = {0: (0, 1, 2), 1: (0, 2), 2: (2,)}


def _atleast(x: Any, rank: int) -> Any:
    x = to_array(x)
    return lax.expand_dims(x, axes_for_rank(x.ndim, rank))


@jit
def atleast_1d(*arys: Any) -> Any:
    """Each array with at least one axis: a scalar gets one. Several arrays give a list."""
    check_arraylike("atleast_1d", *arys)
    return _atleast(arys[0], 1) if len(arys) == 1 else [_atleast(x, 1) for x in arys]


@jit
def atleast_2d(*arys: Any) -> Any:
    """Each array with at least two axes: new ones come first."""
    check_arraylike("atleast_2d", *arys)
    return _atleast(arys[0], 2) if len(arys) == 1 else [_atleast(x, 2) for x in arys]


@jit
def atleast_3d(*arys: Any) -> Any:
    """Each array with at least three axes: a vector becomes [1, N, 1], a matrix [M, N, 1]."""
    check_arraylike("atleast_3d", *arys)
    return _atleast(arys[0], 3) if len(arys) == 1 else [atleast_3d(x) for x in arys]


# ---- repeating along axes


def broadcast_shapes(*shapes: Any) -> Shape:
    """The one shape that all of these broadcast to. Raises ValueError where sizes differ and neither is 1."""
    return lax.broadcast_shapes(*[(s,) if np.ndim(s) == 0 else tuple(s) for s in shapes]) if shapes else ()


def broadcast_to(array: Any, shape: Any, *, out_sharding: Any = None) -> Any:
    """`array` repeated to `shape`, by NumPy's rule. Raises ValueError where it does not fit."""
    array = array_argument("broadcast_to", array)
    shape = shape if isinstance(shape, tuple) or np.ndim(shape) else (shape,)
    return to_array(broadcast_to_shape(array, canonicalize_shape(shape), out_sharding))


def broadcast_arrays(*args: Any) -> list[Any]:
    """The arrays repeated to their common shape."""
    arrays = array_arguments("broadcast_arrays", *args)
    shapes = [x.shape for x in arrays]
    if all(s == shapes[0] for s in shapes):
        return arrays
    shape, place = lax.broadcast_shapes(*shapes), lax.broadcast_shardings(*arrays)
    return [broadcast_to(x, shape, out_sharding=place) for x in arrays]
