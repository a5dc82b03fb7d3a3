"""Joining and parting: several arrays into one along an axis, and one into several."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..array import ArrayImpl
from ..aval import typeof
from ..basearray import Array
from ..jit import jit
from ..lax import joining, shaping as lax
from ..lax.shaping import canonicalize_axis
from .arguments import array_argument, array_arguments, concrete, concrete_index, to_array, with_dtype
from .promotion import check_arraylike, promote_dtypes
from .shaping import atleast_1d, atleast_2d, atleast_3d, axes_for_rank, expand_dims, ravel, transpose

ONE_ARRAY: Any = (np.ndarray, ArrayImpl, Array)

# ---- along an axis that is there


def concatenate(arrays: Any, axis: int | None = 0, dtype: Any = None) -> Any:
    """The arrays one after the other along `axis`; their elements in a row for None. Dtypes are promoted.

    One array stands for its slices along the first axis. Raises ValueError where there is nothing to join.
    """
    if isinstance(arrays, ONE_ARRAY):
        return _concatenate_slices(arrays, axis, dtype)
    arrays = array_arguments("concatenate", *arrays)
    if not arrays:
        raise ValueError("Need at least one array to concatenate.")
    if axis is None:
        return concatenate([ravel(a) for a in arrays], axis=0, dtype=dtype)
    if arrays[0].ndim == 0:
        raise ValueError("Zero-dimensional arrays cannot be concatenated.")
    axis = canonicalize_axis(axis, arrays[0].ndim)
    same = promote_dtypes(*arrays) if dtype is None else [with_dtype(a, dtype) for a in arrays]
    return joining.concatenate(same, axis)


def _concatenate_slices(array: Any, axis: int | None, dtype: Any) -> Any:
    """The slices of one array joined: a reshape that first brings the slicing axis next to `axis`."""
    array = with_dtype(array, dtype)
    if array.ndim == 0 or array.shape[0] == 0:
        raise ValueError("Need at least one array to concatenate.")
    if axis is None:
        return lax.reshape(array, (array.size,))
    if array.ndim == 1:
        raise ValueError("Zero-dimensional arrays cannot be concatenated.")
    axis, (slices, *sizes) = canonicalize_axis(axis, array.ndim - 1), array.shape
    sizes[axis] *= slices
    return lax.reshape(array, sizes, [*range(1, axis + 1), 0, *range(axis + 1, array.ndim)])


def concat(arrays: Sequence[Any], /, *, axis: int | None = 0) -> Any:
    """`concatenate`, under the name of the array API."""
    check_arraylike("concat", *arrays)
    return concatenate(arrays, axis=axis)


@partial(jit, static_argnames=("axis",))
def append(arr: Any, values: Any, axis: int | None = None) -> Any:
    """`arr` and then `values` along `axis`; both in a row for None."""
    if axis is None:
        return concatenate([ravel(arr), ravel(values)], 0)
    return concatenate([arr, values], axis=axis)


# ---- along a new axis


def stack(arrays: Any, axis: int = 0, out: None = None, dtype: Any = None) -> Any:
    """The arrays, all of one shape, along a new axis. Dtypes are promoted.

    One array stands for its slices along the first axis. Raises ValueError where shapes differ.
    """
    if not len(arrays):
        raise ValueError("Need at least one array to stack.")
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.stack is not supported.")
    if isinstance(arrays, ONE_ARRAY):
        axis = canonicalize_axis(axis, arrays.ndim)
        return concatenate(expand_dims(arrays, axis + 1), axis=axis, dtype=dtype)
    arrays = array_arguments("stack", *arrays)
    arrays = promote_dtypes(*arrays) if dtype is None else [with_dtype(a, dtype) for a in arrays]
    return joining.stack(arrays, axis=axis)


def _on_slices(name: str, rank: int) -> Callable[[Any], Any]:
    """What atleast_1d, ... does to each slice along the first axis, staged under its name."""

    def atleast(x: Any) -> Any:
        return lax.expand_dims(x, [axis + 1 for axis in axes_for_rank(x.ndim - 1, rank)])

    atleast.__name__ = name
    staged = jit(atleast)
    return lambda x: staged(to_array(x))


_slices_1d, _slices_2d, _slices_3d = (_on_slices(f"atleast_{rank}d", rank) for rank in (1, 2, 3))


def vstack(tup: Any, dtype: Any = None) -> Any:
    """The arrays, each with two axes at least, one below the other (along the first axis)."""
    if isinstance(tup, ONE_ARRAY):
        return concatenate(_slices_2d(tup), axis=0, dtype=dtype)
    check_arraylike("vstack", *tup)
    return concatenate([atleast_2d(x) for x in tup], axis=0, dtype=dtype)


def hstack(tup: Any, dtype: Any = None) -> Any:
    """The arrays side by side: along the second axis, or the first where they have only one."""
    if isinstance(tup, ONE_ARRAY):
        arrays = _slices_1d(tup)
        return concatenate(arrays, axis=0 if arrays.ndim == 2 else 1, dtype=dtype)
    check_arraylike("hstack", *tup)
    arrays = [atleast_1d(x) for x in tup]
    return concatenate(arrays, axis=0 if arrays[0].ndim == 1 else 1, dtype=dtype)


def dstack(tup: Any, dtype: Any = None) -> Any:
    """The arrays, each with three axes at least, one behind the other (along the third axis)."""
    if isinstance(tup, ONE_ARRAY):
        return concatenate(_slices_3d(tup), axis=2, dtype=dtype)
    check_arraylike("dstack", *tup)
    return concatenate([atleast_3d(x) for x in tup], axis=2, dtype=dtype)


def column_stack(tup: Any) -> Any:
    """Vectors as the columns of a matrix; matrices side by side."""
    if isinstance(tup, ONE_ARRAY):
        columns = tup if tup.ndim > 2 else lax.transpose(_slices_2d(tup), (0, 2, 1))
        return concatenate(columns, axis=1)
    arrays = array_arguments("column_stack", *tup)
    return concatenate([x if x.ndim > 1 else transpose(atleast_2d(x)) for x in arrays], axis=1)


@jit
def block(arrays: Any) -> Any:
    """One array of nested lists of blocks: the innermost lists are joined along the last axis, and so on outwards."""
    return _block(arrays)[0]


def _block(blocks: Any) -> tuple[Any, int]:
    """The array, and how deep the lists are nested (1 for an array)."""
    if isinstance(blocks, tuple):
        raise ValueError(f"jax.numpy.block does not allow tuples, got {blocks}")
    if not isinstance(blocks, list):
        return to_array(blocks), 1
    if not blocks:
        raise ValueError("jax.numpy.block does not allow empty list arguments")
    arrays, depths = zip(*map(_block, blocks), strict=True)
    if len(set(depths)) > 1:
        raise ValueError("Mismatched list depths in jax.numpy.block")
    rank = max(depths[0], *(x.ndim for x in arrays))
    return concatenate([lax.broadcast(x, (1,) * (rank - x.ndim)) for x in arrays], axis=-depths[0]), depths[0] + 1


# ---- parting


def _split(name: str, ary: Any, indices_or_sections: Any, axis: Any = 0) -> list[Any]:
    ary = array_argument(name, ary)
    axis = concrete_index(axis, f"in jax.numpy.{name} argument `axis`")
    sizes = _piece_sizes(name, indices_or_sections, ary.shape[axis])
    return joining.split_p.bind(ary, sizes=tuple(map(np.int64, sizes)), axis=canonicalize_axis(axis, ary.ndim))


def _piece_sizes(name: str, indices_or_sections: Any, size: int) -> list[int]:
    context = f"in jax.numpy.{name} argument 1"
    if isinstance(indices_or_sections, (tuple, list)) or np.ndim(indices_or_sections):
        return np.diff([0, *(concrete_index(i, context) for i in indices_or_sections), size]).tolist()
    sections = int(concrete(indices_or_sections, context))
    length, rest = divmod(size, sections)
    if rest and name != "array_split":
        raise ValueError(f"array split does not result in an equal division: rest is {rest}")
    return [length + 1] * rest + [length] * (sections - rest)


def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """The pieces of `ary` along `axis`: so many equal ones, or cut at these places.

    Raises ValueError where the axis cannot be cut into equal pieces.
    """
    return _split("split", ary, indices_or_sections, axis)


def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """`split`, where the first pieces may be longer by one."""
    return _split("array_split", ary, indices_or_sections, axis)


def vsplit(ary: Any, indices_or_sections: Any) -> list[Any]:
    """`split` along the first axis."""
    return _split("vsplit", ary, indices_or_sections, 0)


def hsplit(ary: Any, indices_or_sections: Any) -> list[Any]:
    """`split` along the second axis, or the first where there is only one."""
    return _split("hsplit", ary, indices_or_sections, 0 if typeof(array_argument("hsplit", ary)).ndim == 1 else 1)


def dsplit(ary: Any, indices_or_sections: Any) -> list[Any]:
    """`split` along the third axis."""
    return _split("dsplit", ary, indices_or_sections, 2)


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    """The slices of `x` along `axis`, without that axis."""
    return joining.unstack(array_argument("unstack", x), axis=axis)
