"""Rearranging: the elements of an array in another order along its axes, or several times."""

import operator
from functools import partial
from typing import Any

import numpy as np

from ..jit import jit
from ..lax import elementwise, indexing as slicing, joining, shaping as lax
from ..lax.converting import convert
from ..lax.shaping import canonicalize_axis
from .arguments import array_argument, at_axis, concrete, concrete_index, index_tuple, to_array
from .array_creation import array, full, zeros
from .cumulative import cumsum
from .promotion import check_arraylike
from .shaping import broadcast_to, ravel, reshape, transpose
from .taking import take
from .ufuncs import remainder

# ---- turning round


@partial(jit, static_argnames=("axis",))
def _flip(m: Any, axis: tuple[int, ...] | None = None) -> Any:
    return slicing.rev(m, range(m.ndim) if axis is None else [canonicalize_axis(a, m.ndim) for a in axis])


def flip(m: Any, axis: Any = None) -> Any:
    """`m` with the elements along these axes (all for None) in reverse order."""
    m = array_argument("flip", m)
    axis = concrete(axis, "The axis argument must be known statically.")
    return _flip(m, axis=None if axis is None else index_tuple(axis))


def fliplr(m: Any) -> Any:
    """`m` with its columns in reverse order."""
    return _flip(array_argument("fliplr", m), axis=(1,))


def flipud(m: Any) -> Any:
    """`m` with its rows in reverse order."""
    return _flip(array_argument("flipud", m), axis=(0,))


@partial(jit, static_argnames=("k", "axes"))
def rot90(m: Any, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Any:
    """`m` turned k times by 90 degrees in the plane of two axes, from the first towards the second."""
    m = array_argument("rot90", m)
    if m.ndim < 2:
        raise ValueError(
            "rot90 requires its first argument to have ndim at least two, but got first argument of "
            f"shape {m.shape}, which has ndim {m.ndim}"
        )
    first, second = (canonicalize_axis(axis, m.ndim) for axis in axes)
    if first == second:
        raise ValueError("Axes must be different")
    if k % 4 == 0:
        return m
    if k % 4 == 2:
        return flip(flip(m, first), second)
    order = list(range(m.ndim))
    order[first], order[second] = second, first
    return transpose(flip(m, second), order) if k % 4 == 1 else flip(transpose(m, order), second)


# ---- shifting


@partial(jit, static_argnums=(1, 2))
def _roll_static(a: Any, shift: tuple[int, ...], axis: tuple[int, ...]) -> Any:
    for ax, s in zip(*np.broadcast_arrays(axis, shift), strict=True):
        ax, size = int(ax), a.shape[ax]
        if size:
            cut = int(-s % size)
            parts = slicing.slice_in_dim(a, cut, size, axis=ax), slicing.slice_in_dim(a, 0, cut, axis=ax)
            a = joining.concatenate(parts, ax)
    return a


@partial(jit, static_argnums=(2,))
def _roll_dynamic(a: Any, shift: Any, axis: tuple[int, ...]) -> Any:
    """Each shift is the start of a window of the array joined to itself."""
    shape = lax.broadcast_shapes(shift.shape, np.shape(axis))
    if len(shape) != 1:
        raise ValueError("'shift' and 'axis' arguments to roll must be scalars or 1D arrays")
    for s, ax in zip(joining.unstack(broadcast_to(shift, shape)), np.broadcast_to(axis, shape), strict=True):
        ax, size = int(ax), np.asarray(a.shape[ax], np.int32)
        s = remainder(convert(s, np.dtype(np.int32)), elementwise.max(size, np.int32(1)))
        twice = joining.concatenate((a, a), ax)
        a = slicing.dynamic_slice_in_dim(twice, elementwise.sub(size, s), int(size), axis=ax)
    return a


def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """`a` with its elements moved `shift` places along `axis` (in the flattened array for None), round the end."""
    a = array_argument("roll", a)
    if axis is None:
        return reshape(roll(ravel(a), shift, 0), a.shape)
    axis = tuple(canonicalize_axis(ax, a.ndim) for ax in index_tuple(axis))
    try:
        known = index_tuple(shift)
    except TypeError:
        return _roll_dynamic(a, to_array(shift), axis)
    return _roll_static(a, known, axis)


# ---- several times


def tile(A: Any, reps: Any) -> Any:
    """`A` repeated reps[i] times along each axis i; new axes come first."""
    a, reps = array_argument("tile", A), index_tuple(reps)
    reps = (1,) * (a.ndim - len(reps)) + reps
    return joining.tile(lax.expand_dims(a, range(len(reps) - a.ndim)) if len(reps) > a.ndim else a, reps)


def repeat(
    a: Any, repeats: Any, axis: int | None = None, *, total_repeat_length: int | None = None, out_sharding: Any = None
) -> Any:
    """`a` with each element along `axis` (of the flattened array for None) `repeats` times.

    Traced `repeats` need `total_repeat_length`: the length of the result.
    """
    check_arraylike("repeat", a, repeats)
    a, axis = (ravel(a), 0) if axis is None else (to_array(a), axis)
    axis = concrete_index(axis, "'axis' argument of jnp.repeat()")
    if total_repeat_length is not None:
        return _repeat_each(a, ravel(repeats), axis, total_repeat_length)
    repeats = concrete(
        repeats,
        "When jit-compiling jnp.repeat, the total number of repeats must be static. "
        "To fix this, either specify a static value for `repeats`, or pass a static value to `total_repeat_length`.",
    )
    if np.ndim(repeats) == 0 and a.ndim:
        return _repeat_all(a, operator.index(repeats), canonicalize_axis(axis, a.ndim))
    repeats = np.ravel(repeats)
    counts = np.broadcast_to(repeats, [a.shape[axis]]) if a.ndim else repeats
    return _repeat_each(a, to_array(counts), axis, int(np.sum(counts)))


def _repeat_all(a: Any, repeats: int, axis: int) -> Any:
    """Every element equally often: along a new axis, which is then made one with `axis`."""
    sizes = (*a.shape[: axis + 1], repeats, *a.shape[axis + 1 :])
    spread = lax.broadcast_in_dim(a, sizes, [i for i in range(len(sizes)) if i != axis + 1])
    return reshape(spread, at_axis(a.shape, axis, a.shape[axis] * repeats))


def _repeat_each(a: Any, repeats: Any, axis: int, length: int) -> Any:
    """Element i repeats[i] times: add one at the place where each element begins, and take by the running sum."""
    if a.ndim == 0:
        if repeats.shape == (1,):
            return full([length], a)
        raise ValueError(
            "`repeat` with a scalar parameter `a` is only implemented for scalar values of the parameter `repeats`."
        )
    repeats = broadcast_to(repeats, (a.shape[axis],))
    if length == 0:
        return reshape(array([], dtype=a.dtype), at_axis(a.shape, axis % a.ndim, 0))
    if a.shape[axis] == 0:
        return a
    starts = cumsum(roll(repeats, 1).at[0].set(0))
    begins = zeros([length], dtype=np.int32).at[starts].add(1)
    return take(a, cumsum(begins) - 1, axis=axis)
