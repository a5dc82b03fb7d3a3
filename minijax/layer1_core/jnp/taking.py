"""Taking elements by number or by mask, and putting them: take, take_along_axis, compress, put, place and their kin."""

import operator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from .. import dtypes
from ..aval import Shape
from ..jit import jit
from ..lax import gather as gathers, shaping as lax
from ..lax.converting import convert
from ..lax.gather import GatherScatterMode
from ..lax.joining import tile
from ..lax.shaping import canonicalize_axis
from .arguments import array_arguments, at_axis, concrete
from .array_creation import array, astype
from .choosing import clip, where
from .grids import indices as coordinates
from .index_parsing import count_from_end, index_dtype
from .locating import unravel_index
from .promotion import check_arraylike
from .selecting import _where
from .shaping import broadcast_to, expand_dims, moveaxis, ravel, reshape
from .sorting import argsort
from .ufuncs import remainder

# ---- by number


def take(
    a: Any, indices: Any, axis: int | None = None, out: None = None, mode: str | None = None,
    unique_indices: bool = False, indices_are_sorted: bool = False, fill_value: Any = None,
) -> Any:  # fmt: skip
    """The slices of `a` along `axis` (of the flattened array for None) with these numbers.

    A number out of bounds gives `fill_value`: by default NaN, the least integer, the greatest unsigned one, or True;
    in mode "clip" the nearest slice, in mode "wrap" the slice that is so many further round.
    """
    return _take(
        a, indices, None if axis is None else operator.index(axis), out, mode, unique_indices=unique_indices,
        indices_are_sorted=indices_are_sorted, fill_value=fill_value,
    )  # fmt: skip


@partial(jit, static_argnames=("axis", "mode", "unique_indices", "indices_are_sorted", "fill_value"))
def _take(
    a: Any, indices: Any, axis: int | None = None, out: None = None, mode: str | None = None,
    unique_indices: bool = False, indices_are_sorted: bool = False, fill_value: Any = None,
) -> Any:  # fmt: skip
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.take is not supported.")
    a, indices = array_arguments("take", a, indices)
    a, axis = (ravel(a), 0) if axis is None else (a, canonicalize_axis(axis, a.ndim))
    indices, gather_mode = _indices_for_mode(indices, a.shape[axis], mode)
    if a.shape[axis] == 0:
        if indices.size:
            raise IndexError("Cannot do a non-empty jnp.take() from an empty axis.")
        return a
    if indices.size == 0:
        return lax.full_like(a, 0, shape=(*a.shape[:axis], *indices.shape, *a.shape[axis + 1 :]))
    before, after = range(axis), range(axis + indices.ndim, a.ndim + indices.ndim - 1)
    numbers = gathers.GatherDimensionNumbers((*before, *after), (axis,), (axis,))
    places = lax.expand_dims(indices, (indices.ndim,))
    return gathers.gather(
        a, places, numbers, at_axis(a.shape, axis, 1), mode=gather_mode, unique_indices=unique_indices,
        indices_are_sorted=indices_are_sorted, fill_value=fill_value,
    )  # fmt: skip


def _indices_for_mode(indices: Any, n: int, mode: str | None) -> tuple[Any, GatherScatterMode]:
    """The indices into an axis of size n as gather wants them, and its mode."""
    if mode in (None, "fill"):
        return _where(indices < 0, indices + n, indices), GatherScatterMode.FILL_OR_DROP
    if mode == "raise":
        raise NotImplementedError("The 'raise' mode to jnp.take is not supported.")
    if mode == "wrap":
        return remainder(indices, np.asarray(n, indices.dtype)), GatherScatterMode.PROMISE_IN_BOUNDS
    if mode == "clip":
        return indices, GatherScatterMode.CLIP
    raise ValueError(f"Invalid mode '{mode}' for np.take")


@partial(jit, static_argnames=("axis", "mode", "fill_value", "wrap_negative_indices"))
def take_along_axis(
    arr: Any, indices: Any, axis: int | None = -1, mode: Any = None, fill_value: Any = None, *,
    wrap_negative_indices: bool | None = None,
) -> Any:  # fmt: skip
    """The elements of `arr` whose place along `axis` is `indices`, and along the other axes where the index stands.

    Other axes are broadcast. Out of bounds gives the fill value, as in `take`. It reads what argsort and argmax wrote.
    """
    a, indices = array_arguments("take_along_axis", arr, indices)
    if not dtypes.issubdtype(indices.dtype, np.integer):
        raise TypeError(f"take_along_axis indices must be of integer type, got {indices.dtype}")
    if axis is None and indices.ndim != 1:
        raise ValueError(f"take_along_axis indices must be 1D if axis=None, got shape {indices.shape}")
    a, axis = (ravel(a), 0) if axis is None else (a, axis)
    if a.ndim != indices.ndim:
        raise ValueError(f"indices and arr must have the same number of dimensions; {indices.ndim} vs. {a.ndim}")
    axis = canonicalize_axis(axis, a.ndim)
    shape = lax.broadcast_shapes(indices.shape, at_axis(a.shape, axis, 1))
    if a.shape[axis] == 0:
        return lax.full(shape, 0, a.dtype)
    if mode != "promise_in_bounds" if wrap_negative_indices is None else wrap_negative_indices:
        indices = count_from_end(convert(indices, index_dtype((a.shape[axis],))), a.shape[axis])
    plan = _plan_along_axis(a.shape, indices.shape, axis)
    places = reshape(indices, (*(shape[d] for d in plan.place_axes), 1))
    a = lax.squeeze(a, plan.squeezed)
    return gathers.gather(
        a, places, plan.numbers(), tuple(plan.window), mode="fill" if mode is None else mode, fill_value=fill_value
    )


@dataclass
class _AlongAxis:
    """The gather of take_along_axis: what becomes of each axis of the array and of the indices."""

    squeezed: list[int] = field(default_factory=list)  # axes of the array: it has size 1, the indices not
    place_axes: list[int] = field(default_factory=list)  # axes of the indices that the gather keeps
    offset_dims: list[int] = field(default_factory=list)
    operand_batch: list[int] = field(default_factory=list)
    indices_batch: list[int] = field(default_factory=list)
    window: list[int] = field(default_factory=list)
    along: int = 0

    def numbers(self) -> gathers.GatherDimensionNumbers:
        return gathers.GatherDimensionNumbers(
            tuple(self.offset_dims), (self.along,), (self.along,), tuple(self.operand_batch), tuple(self.indices_batch)
        )


def _plan_along_axis(shape: Shape, indices_shape: Shape, axis: int) -> _AlongAxis:
    """Along an axis where the indices have size 1 the window is the whole axis; where both run, it is a batch axis."""
    plan = _AlongAxis()
    for d, (n, m) in enumerate(zip(shape, indices_shape, strict=True)):
        if d == axis:
            plan.along = len(plan.window)
            plan.window.append(1)
        elif m == 1:
            plan.offset_dims.append(d)
            plan.window.append(n)
            continue
        elif n == 1:
            plan.squeezed.append(d)
        else:
            plan.operand_batch.append(len(plan.window))
            plan.indices_batch.append(len(plan.place_axes))
            plan.window.append(min(n, 1))
        plan.place_axes.append(d)
    return plan


# ---- by mask


def compress(
    condition: Any, a: Any, axis: int | None = None, *, size: int | None = None, fill_value: Any = 0, out: None = None
) -> Any:
    """The slices of `a` along `axis` (elements of the flattened array for None) where `condition`, [N], is true.

    With `size` there are so many: the rest are `fill_value`. Without it the condition must be known.
    """
    condition, a, fill_value = array_arguments("compress", condition, a, fill_value)
    condition = astype(condition, bool)
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.compress is not supported.")
    if condition.ndim != 1:
        raise ValueError("condition must be a 1D array")
    a, axis = (ravel(a), 0) if axis is None else (moveaxis(a, axis, 0), axis)
    condition, extra = condition[: a.shape[0]], condition[a.shape[0] :]
    a = a[: condition.shape[0]]
    if size is None:
        return moveaxis(a[_known_mask(condition, extra)], 0, axis)
    if not 0 <= size <= a.shape[0]:
        raise ValueError(
            "size must be positive and not greater than the size of the array axis; "
            f"got size={size} for a.shape[axis]={a.shape[0]}"
        )
    chosen = where(expand_dims(condition, range(1, a.ndim)), a, array(fill_value, dtype=a.dtype))
    return moveaxis(chosen[argsort(condition, stable=True, descending=True)][:size], 0, axis)


def _known_mask(condition: Any, extra: Any) -> Any:
    context = (
        "The size argument of jnp.compress must be specified in order to use jnp.compress within JAX transformations "
        "like jax.jit, jax.vmap, and jax.grad. For more information, refer to the jnp.compress documentation."
    )
    condition = concrete(condition, context)
    if np.any(np.asarray(concrete(extra, context))):
        raise ValueError("condition contains entries that are out of bounds")
    return condition


def extract(condition: Any, arr: Any, *, size: int | None = None, fill_value: Any = 0) -> Any:
    """The elements of `arr` where `condition` is true, in a row."""
    check_arraylike("extreact", condition, arr, fill_value)
    return compress(ravel(condition), ravel(arr), size=size, fill_value=fill_value)


# ---- putting


_IN_PLACE = (
    "jax.numpy.{} cannot modify arrays in-place, because JAX arrays are immutable. "
    "Pass inplace=False to instead return an updated array."
)


def tile_to_size(flat: Any, size: int) -> Any:
    """The first `size` elements of `flat`, [N], from the start again where they do not suffice."""
    flat = tile(flat, (-(-size // flat.size),)) if flat.size < size else flat
    return flat[:size] if flat.size > size else flat


def place(arr: Any, mask: Any, vals: Any, *, inplace: bool = True) -> Any:
    """`arr` with `vals`, one after the other and from the start again, where `mask` is true."""
    arr, mask, vals = array_arguments("place", arr, mask, vals)
    vals = ravel(vals)
    if inplace:
        raise ValueError(_IN_PLACE.format("place"))
    if arr.size != mask.size:
        raise ValueError("place: arr and mask must be the same size")
    if not vals.size:
        raise ValueError("Cannot place values from an empty array")
    if not arr.size:
        return arr
    (places,) = where(ravel(mask), size=mask.size, fill_value=mask.size)
    vals = tile_to_size(vals, len(places))
    return reshape(ravel(arr).at[places].set(vals, mode="drop"), arr.shape)


def put(a: Any, ind: Any, v: Any, mode: str | None = None, *, inplace: bool = True) -> Any:
    """`a` with `v`, from the start again where it does not suffice, at these places of the flattened array."""
    if inplace:
        raise ValueError(_IN_PLACE.format("put"))
    a, ind, v = array_arguments("put", a, ind, v)
    ind, v = ravel(ind), ravel(v)
    if not a.size or not ind.size or not v.size:
        return a
    v, scatter_mode = tile_to_size(v, len(ind)), "promise_in_bounds"
    if mode is None:
        scatter_mode = "drop"
    elif mode == "clip":
        ind = clip(ind, 0, a.size - 1)
    elif mode == "wrap":
        ind = remainder(ind, a.size)
    elif mode == "raise":
        raise NotImplementedError("The 'raise' mode to jnp.put is not supported.")
    else:
        raise ValueError(f"mode should be one of 'wrap' or 'clip'; got mode={mode!r}")
    return a.at[unravel_index(ind, a.shape)].set(v, mode=scatter_mode)


@partial(jit, static_argnames=("axis", "inplace", "mode"))
def put_along_axis(
    arr: Any, indices: Any, values: Any, axis: int | None, inplace: bool = True, *, mode: str | None = None
) -> Any:
    """`arr` with `values` at the elements that take_along_axis would read."""
    if inplace:
        raise ValueError(
            "jax.numpy.put_along_axis cannot modify arrays in-place, because JAX arrays"
            "are immutable. Pass inplace=False to instead return an updated array."
        )
    arr, indices, values = array_arguments("put_along_axis", arr, indices, values)
    shape = arr.shape
    arr, axis = (ravel(arr), 0) if axis is None else (arr, axis)
    if arr.ndim != indices.ndim:
        raise ValueError(
            "put_along_axis arguments 'arr' and 'indices' must have same ndim. "
            f"Got arr.ndim={arr.ndim} and indices.ndim={indices.ndim}."
        )
    values = _as_values(values, indices)
    index = at_axis(coordinates(arr.shape, sparse=True), axis % arr.ndim, indices)
    return reshape(arr.at[index].set(values, mode=mode), shape)


def _as_values(values: Any, indices: Any) -> Any:
    try:
        return broadcast_to(values, indices.shape)
    except ValueError:
        raise ValueError(
            "put_along_axis argument 'values' must be broadcastable to 'indices'. "
            f"Got values.shape={values.shape} and indices.shape={indices.shape}."
        ) from None
