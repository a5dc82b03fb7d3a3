"""Choosing: which of several values, element by element; and where a condition holds."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from .. import dtypes
from ..jit import jit
from ..lax import elementwise as lax
from ..lax.converting import convert
from ..lax.sorting import argmax
from ..staging import not_an_array
from .arguments import array_argument, array_arguments, concrete, concrete_index, to_array, with_dtype
from .array_creation import arange, array, asarray, zeros, zeros_like
from .cumulative import cumsum
from .grids import indices
from .joining import concatenate, stack
from .promotion import check_arraylike, promote_dtypes
from .selecting import _where
from .shaping import broadcast_arrays, ravel
from .ufuncs import maximum, minimum

# ---- by a condition


def where(condition: Any, x: Any = None, y: Any = None, /, *, size: int | None = None, fill_value: Any = None) -> Any:
    """`x` where `condition` is true, else `y`, all broadcast. With the condition alone, `nonzero` of it."""
    if x is None and y is None:
        check_arraylike("where", condition)
        return nonzero(condition, size=size, fill_value=fill_value)
    for value, name in ((condition, "condition"), (x, "x"), (y, "y")):
        if isinstance(value, str) and x is not None and y is not None:
            raise TypeError(not_an_array(_where.__wrapped__, value, name))
    check_arraylike("where", condition, x, y)
    if size is not None or fill_value is not None:
        raise ValueError("size and fill_value arguments cannot be used in three-term where function.")
    return _where(condition, x, y)


def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Any:
    """From the first of `choicelist` whose condition is true, else `default`, element by element."""
    if len(condlist) != len(choicelist):
        raise ValueError(f"condlist must have length equal to choicelist ({len(condlist)} vs {len(choicelist)})")
    if not condlist:
        raise ValueError("condlist must be non-empty")
    check_arraylike("select", *condlist, *choicelist, default)
    choices = promote_dtypes(*map(to_array, (default, *choicelist)))
    conditions = stack(broadcast_arrays(False, *condlist))
    first = argmax(convert(conditions, np.dtype(bool)), 0, np.int32)
    return lax.select_n(*broadcast_arrays(first, *choices))


@jit
def clip(arr: Any = None, /, min: Any = None, max: Any = None) -> Any:
    """`arr` with each element moved into the interval from `min` to `max`; where they cross, `max` it is."""
    if arr is None:
        raise ValueError("No input was provided to the clip function.")
    check_arraylike("clip", arr)
    bounds = [x for x in (arr, min, max) if x is not None]
    if any(dtypes.issubdtype(to_array(x).dtype, np.complexfloating) for x in bounds):
        raise ValueError(
            "Clip received a complex value either through the input or the min/max keywords. Complex values have no "
            "ordering and cannot be clipped. Please convert to a real value or array by taking the real or imaginary "
            "components via jax.numpy.real/imag respectively."
        )
    arr = arr if min is None else maximum(min, arr)
    return to_array(arr if max is None else minimum(max, arr))


def choose(a: Any, choices: Any, out: None = None, mode: str = "raise") -> Any:
    """The element of choices[a], for each element of `a`, all broadcast.

    `mode` says what a number out of bounds does: "raise" (`a` must be known), "wrap" or "clip".
    """
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.choose is not supported.")
    a, *choices = array_arguments("choose", a, *choices)
    if not dtypes.issubdtype(a.dtype, np.integer):
        raise ValueError("`a` array must be integer typed")
    numbers, *choices = broadcast_arrays(_numbers_of_choices(a, len(choices), mode), *choices)
    return array(choices)[(numbers, *indices(numbers.shape, sparse=True))]


def _numbers_of_choices(a: Any, n: int, mode: str) -> Any:
    if mode == "raise":
        context = (
            "The error occurred because jnp.choose was jit-compiled with mode='raise'. "
            "Use mode='wrap' or mode='clip' instead."
        )
        known = np.asarray(concrete(a, context))
        if np.any((known < 0) | (known >= n)):
            raise ValueError("invalid entry in choice array")
        return a
    if mode == "wrap":
        return a % n
    if mode == "clip":
        return clip(a, 0, n - 1)
    raise ValueError(f"mode={mode!r} not understood. Must be 'raise', 'wrap', or 'clip'")


def piecewise(x: Any, condlist: Any, funclist: Sequence[Any], *args: Any, **kw: Any) -> Any:
    """For each element of `x` the function, or the number, of the last condition that is true.

    One function more than conditions is the one for where none is true; else that is 0.
    """
    x, n = array_argument("piecewise", x), len(condlist)
    if len(funclist) not in (n, n + 1):
        raise ValueError(f"with {n} condition(s), either {n} or {n + 1} functions are expected; got {len(funclist)}")
    choices = [*funclist[n:], *funclist[:n]] if len(funclist) > n else [0, *funclist]
    numbers = {i: c for i, c in enumerate(choices) if not callable(c)}
    functions = frozenset((i, f) for i, f in enumerate(choices) if callable(f))
    return _piecewise(x, asarray(condlist, dtype=bool), numbers, functions, *args, **kw)


@partial(jit, static_argnames=("funcs",))
def _piecewise(
    x: Any,
    condlist: Any,
    consts: dict[int, Any],
    funcs: frozenset[tuple[int, Callable[..., Any]]],
    *args: Any,
    **kw: Any,
) -> Any:
    """All functions are applied to all of `x`; then one is chosen for each element."""
    marks = cumsum(concatenate([zeros_like(condlist[:1]), condlist], 0), 0)
    last, _ = broadcast_arrays(argmax(marks, 0, np.int32), x)
    results = {i: f(x, *args, **kw) for i, f in sorted(funcs)} | consts
    values = [with_dtype(results[i], x.dtype) for i in range(len(results))]
    return lax.select_n(*broadcast_arrays(last, *values))


# ---- where a condition holds


def nonzero(a: Any, *, size: int | None = None, fill_value: Any = None) -> tuple[Any, ...]:
    """The places of the elements that are not 0: for each axis an array, [N], of their indices along it.

    Traced code must give N as `size`. Places that are missing are `fill_value` (one, or one for each axis), else 0.
    """
    a = array_argument("nonzero", a)
    if a.ndim == 0:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use jnp.atleast_1d(scalar).nonzero() instead.")
    mask = a if a.dtype == bool else a != 0
    size = _known_size(mask.sum() if size is None else size)
    if a.size == 0 or size == 0:
        return tuple(zeros(size, int) for _ in a.shape)
    flat = cumsum(_count_each(cumsum(mask), size))
    strides = np.cumprod((1, *a.shape[:0:-1]))[::-1].astype(flat.dtype)
    places = tuple(flat // stride % n for stride, n in zip(strides, a.shape, strict=True))
    return places if fill_value is None else _filled(places, fill_value, arange(size) >= mask.sum())


def _known_size(size: Any) -> int:
    return concrete_index(
        size,
        "The size argument of jnp.nonzero must be statically specified to use jnp.nonzero within JAX transformations.",
    )


def _count_each(x: Any, length: int) -> Any:
    """How often each of 0, ..., length - 1 is in `x`."""
    return zeros(length, int).at[clip(x, 0)].add(np.array(1, dtypes.int_), mode="drop")


def _filled(places: tuple[Any, ...], fill_value: Any, missing: Any) -> tuple[Any, ...]:
    values = fill_value if isinstance(fill_value, tuple) else len(places) * (fill_value,)
    if any(np.shape(v) != () for v in values):
        raise ValueError(f"fill_value must be a scalar or a tuple of length {len(places)}; got {fill_value}")
    return tuple(where(missing, value, place) for value, place in zip(values, places, strict=True))


def flatnonzero(a: Any, *, size: int | None = None, fill_value: Any = None) -> Any:
    """The places of the elements that are not 0 in the flattened array."""
    return nonzero(ravel(a), size=size, fill_value=fill_value)[0]
