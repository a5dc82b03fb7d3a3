"""Functions of slices: apply_along_axis, apply_over_axes."""

from collections.abc import Callable, Sequence
from typing import Any

from ..lax.shaping import canonicalize_axis
from .arguments import array_argument
from .joining import stack, unstack
from .shaping import expand_dims, moveaxis, reshape


def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """`func1d` of each vector along `axis`, [N]; the axes of its result stand where `axis` was."""
    arr = array_argument("apply_along_axis", arr)
    axis = canonicalize_axis(axis, arr.ndim)
    around = (*arr.shape[:axis], *arr.shape[axis + 1 :])
    vectors = reshape(moveaxis(arr, axis, -1), (-1, arr.shape[axis]))
    results = stack([func1d(v, *args, **kwargs) for v in unstack(vectors)])
    own = range(len(around), len(around) + results.ndim - 1)
    return moveaxis(reshape(results, (*around, *results.shape[1:])), own, range(axis, axis + len(own)))


def apply_over_axes(func: Callable[[Any, int], Any], a: Any, axes: Sequence[int]) -> Any:
    """func(a, axis) for each axis in turn; an axis that it takes away comes back with size 1."""
    a = array_argument("apply_over_axes", a)
    for axis in axes:
        b = func(a, axis)
        if b.ndim not in (a.ndim, a.ndim - 1):
            raise ValueError("function is not returning an array of the correct shape")
        a = b if b.ndim == a.ndim else expand_dims(b, axis)
    return a
