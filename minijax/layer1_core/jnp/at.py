"""x.at[index]: an array with some elements updated, as a new array; and reads with a mode.

Each method is one scatter: the mirror of the gather that reads x[index]. A place out of bounds is not written.
"""

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .. import config, dtypes
from ..aval import typeof
from ..lax import indexing as slicing, scatter as scattering, shaping
from ..lax.converting import convert
from ..lax.scatter import ScatterDimensionNumbers
from ..placement import placed
from .array_creation import asarray, ones_like
from .gathering import Plan, plan_gather
from .index_parsing import expand_masks, parse
from .indexing import take_at
from .promotion import promote_dtypes
from .shaping import broadcast_to, squeeze
from .ufuncs import divide, power

# ---- the update


def scatter_update(
    x: Any, index: Any, y: Any, scatter: Callable[..., Any], *, mode: Any = None, wrap: bool = True, **promises: bool
) -> Any:
    """`x` with `scatter` (lax.scatter, lax.scatter_add, ...) of `y`, broadcast, at x[index]. The dtype stays.

    `wrap` says whether negative integers count from the end; `promises` are what the caller knows of the indices.
    Warns where `y` does not fit the dtype of `x`.
    """
    x = asarray(x)
    aval, y = x.aval, _update_of_dtype(y, x.dtype)
    entries = expand_masks(parse(index, x.shape), x.shape)
    _warn_of_lossy_update(y, aval)
    plan = plan_gather(entries, aval, wrap)
    if 0 in plan.shape:
        return x
    x, y = promote_dtypes(x, y)
    y = _windows(y, plan)
    x = shaping.expand_dims(x, plan.masks) if plan.masks else x
    out = _scatter(x, plan, y, scatter, mode, **promises)
    out = shaping.squeeze(out, plan.masks) if plan.masks else out
    return convert(out, aval.dtype, aval.weak_type)


def _update_of_dtype(y: Any, dtype: Any) -> Any:
    """`y` as an array: an integer that fits into `dtype` as that, since the default dtype may be narrower."""
    fits = isinstance(y, int) and dtypes.issubdtype(dtype, np.integer) and y in _range_of(dtype)
    return asarray(y, dtype=dtype) if fits else asarray(y)


def _range_of(dtype: Any) -> range:
    return range(int(dtypes.iinfo(dtype).min), int(dtypes.iinfo(dtype).max) + 1)


def _warn_of_lossy_update(y: Any, aval: Any) -> None:
    mine = typeof(y)
    if mine.dtype == aval.dtype or dtypes.join((mine.dtype, mine.weak_type), (aval.dtype, False))[0] == aval.dtype:
        return
    warnings.warn(
        "scatter inputs have incompatible types: cannot safely cast value "
        f"from dtype={mine.dtype} to dtype={aval.dtype} with "
        f"jax_numpy_dtype_promotion={config.numpy_dtype_promotion.value}. "
        "In future JAX releases this will result in an error.",
        FutureWarning,
        stacklevel=4,
    )


def _windows(y: Any, plan: Plan) -> Any:
    """`y` as the windows that the scatter writes: broadcast to x[index], without new axes, turned as x is."""
    y = squeeze(broadcast_to(y, plan.shape, out_sharding=plan.place), axis=plan.added)
    return slicing.rev(y, plan.turned) if plan.turned else y


def _scatter(x: Any, plan: Plan, y: Any, scatter: Callable[..., Any], mode: Any, *, indices_are_sorted: bool = False,
             unique_indices: bool = False) -> Any:  # fmt: skip
    return scatter(
        x, plan.places, y, ScatterDimensionNumbers(*plan.dimension_numbers), mode=mode,
        indices_are_sorted=indices_are_sorted or plan.plain, unique_indices=unique_indices or plan.plain,
    )  # fmt: skip


# ---- x.at


class _IndexUpdateHelper:
    """What `x.at` is: index it, and call a method of what comes out."""

    __slots__ = ("array",)

    def __init__(self, array: Any):
        self.array = array

    def __getitem__(self, index: Any) -> "_IndexUpdateRef":
        return _IndexUpdateRef(self.array, index)

    def __repr__(self) -> str:
        return f"_IndexUpdateHelper({self.array!r})"


def _updater(name: str, doc: str, update: Callable[..., Any]) -> Callable[..., Any]:
    """A method `name(values, ...)` that gives `update(array, index, values, **options)`."""

    def method(
        self: "_IndexUpdateRef",
        values: Any,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: Any = None,
        out_sharding: Any = None,
        wrap_negative_indices: bool = True,
    ) -> Any:
        updated = partial(
            update, indices_are_sorted=indices_are_sorted, unique_indices=unique_indices, mode=mode,
            wrap=wrap_negative_indices,
        )  # fmt: skip
        args = self.array, self.index, values
        return updated(*args) if out_sharding is None else placed(updated, args, out_sharding)

    method.__name__, method.__qualname__, method.__doc__ = name, f"_IndexUpdateRef.{name}", doc
    return method


def _with(scatter: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, index, y, **options: scatter_update(x, index, y, scatter, **options)


def _through_factors(combine: Callable[..., Any]) -> Callable[..., Any]:
    """An update without a scatter of its own: `combine` of all of `x` and an array that is 1 elsewhere."""

    def update(x: Any, index: Any, y: Any, **options: Any) -> Any:
        return combine(x, scatter_update(ones_like(x), index, y, scattering.scatter_mul, **options))

    return update


class _IndexUpdateRef:
    """What `x.at[index]` is: each method gives a new array."""

    __slots__ = ("array", "index")

    def __init__(self, array: Any, index: Any):
        self.array, self.index = array, index

    def __repr__(self) -> str:
        return f"_IndexUpdateRef({self.array!r}, {self.index!r})"

    def get(
        self,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: Any = None,
        fill_value: Any = None,
        out_sharding: Any = None,
        wrap_negative_indices: bool = True,
    ) -> Any:
        """x[index], with a rule for places out of bounds: "clip" reads the nearest, "fill" the fill value."""
        return take_at(
            self.array, self.index, mode=mode, fill_value=fill_value, wrap=wrap_negative_indices,
            out_sharding=out_sharding, indices_are_sorted=indices_are_sorted, unique_indices=unique_indices,
        )  # fmt: skip

    def apply(
        self,
        func: Callable[[Any], Any],
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: Any = None,
        wrap_negative_indices: bool = True,
    ) -> Any:
        """`x` with `func(x[index])` at index; `func` takes and gives a scalar. A place named twice gets it twice."""

        def scatter(x: Any, places: Any, y: Any, numbers: Any, **options: Any) -> Any:
            return scattering.scatter_apply(x, places, func, numbers, update_shape=typeof(y).shape, **options)

        zero = np.zeros((), typeof(self.array).dtype)
        return scatter_update(
            self.array, self.index, zero, scatter, indices_are_sorted=indices_are_sorted,
            unique_indices=unique_indices, mode=mode, wrap=wrap_negative_indices,
        )  # fmt: skip

    set = _updater(
        "set", "`x` with `values` at index. A place named twice gets one of them.", _with(scattering.scatter)
    )
    add = _updater(
        "add", "`x` with `values` added at index, as often as a place is named.", _with(scattering.scatter_add)
    )
    subtract = _updater("subtract", "`x` with `values` subtracted at index.", _with(scattering.scatter_sub))
    multiply = _updater("multiply", "`x` with the elements at index times `values`.", _with(scattering.scatter_mul))
    mul = multiply
    divide = _updater("divide", "`x` with the elements at index divided by `values`.", _through_factors(divide))
    power = _updater("power", "`x` with the elements at index to the power of `values`.", _through_factors(power))
    min = _updater("min", "`x` with the lesser of `x` and `values` at index.", _with(scattering.scatter_min))
    max = _updater("max", "`x` with the greater of `x` and `values` at index.", _with(scattering.scatter_max))
