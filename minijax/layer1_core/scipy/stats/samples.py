"""Statistics of samples: the most frequent value, ranks, the standard error of the mean."""

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ... import dtypes
from ...jit import jit
from ...jnp.applying import apply_along_axis
from ...jnp.arguments import array_argument
from ...jnp.array_creation import array
from ...jnp.choosing import where
from ...jnp.joining import concatenate
from ...jnp.mathematics import sqrt
from ...jnp.nan_reductions import nanstd
from ...jnp.numbers import isnan
from ...jnp.shaping import atleast_1d, moveaxis, ravel
from ...jnp.sorting import argsort, sort as jnp_sort
from ...jnp.taking import take_along_axis
from ..arguments import inexact


class ModeResult(NamedTuple):
    """The most frequent value, and how often it occurs."""

    mode: Any
    count: Any


def _check_nan_policy(name: str, nan_policy: str) -> None:
    """Raises for every policy but "propagate": whether there is a NaN is not known while tracing."""
    if nan_policy not in ("propagate", "omit", "raise"):
        raise ValueError(f"Illegal nan_policy value {nan_policy!r}; expected one of {{'propagate', 'omit', 'raise'}}")
    if nan_policy == "omit":
        raise NotImplementedError(f"Logic for `nan_policy` of {nan_policy} is not implemented")
    if nan_policy == "raise":
        raise NotImplementedError(
            f"In order to best JIT compile `{name}`, we cannot know whether `x` contains nans. "
            f"Please check if nans exist in `x` outside of the `{name}` function."
        )


@partial(jit, static_argnames=("axis", "nan_policy", "keepdims"))
def mode(a: Any, axis: int | None = 0, nan_policy: str = "propagate", keepdims: bool = False) -> ModeResult:
    """The most frequent value along `axis` (of all values for None), the least of several; and its count.

    In sorted order, each value's run is as long as the way from its first place to its last.
    """
    x = atleast_1d(array_argument("mode", a))
    _check_nan_policy("mode", nan_policy)
    x = moveaxis(ravel(x)[:, None] if axis is None else x[..., None], 0 if axis is None else axis, 0)
    values = jnp_sort(x, axis=0)
    same = values[:, None] == values[None, :]  # [n, n, ...]
    counts = same.sum(axis=0)
    best = counts.argmax(axis=0, keepdims=True)
    parts = [take_along_axis(part, best, axis=0)[0, ..., 0] for part in (values, counts)]
    return ModeResult(*(_kept(part, a, axis) if keepdims else part for part in parts))


def _kept(x: Any, a: Any, axis: int | None) -> Any:
    """`x` with the axes that were reduced as axes of size 1."""
    shape = atleast_1d(a).shape
    kept = [1 if axis is None or d == axis % len(shape) else n for d, n in enumerate(shape)]
    return x.reshape(kept)


@partial(jit, static_argnames=("method", "axis", "nan_policy"))
def rankdata(a: Any, method: str = "average", *, axis: int | None = None, nan_policy: str = "propagate") -> Any:
    """The rank of each value, from 1; `method` says which rank equal values get. NaN everywhere if there is one.

    "ordinal": one after the other; "dense": equal ones count once; "min", "max", "average" of the ordinal ranks.
    """
    a = array_argument("rankdata", a)
    _check_nan_policy("rankdata", nan_policy)
    if method not in ("average", "min", "max", "dense", "ordinal"):
        raise ValueError(f"unknown method '{method}'")
    if axis is not None:
        return apply_along_axis(rankdata, axis, a, method)
    a = ravel(a)
    return where(isnan(a).any(), np.nan, _ranks(a, method).astype(dtypes.canonicalize_dtype(float)))


def _ranks(a: Any, method: str) -> Any:
    order = argsort(a)
    place = argsort(order)
    if method == "ordinal":
        return place + 1
    if method == "dense":
        values = a[order]
        new = concatenate([array([True]), values[1:] != values[:-1]])
        return new.cumsum()[place]
    smaller, not_larger = ((a[None, :] < a[:, None]).sum(axis=1), (a[None, :] <= a[:, None]).sum(axis=1))
    return {"min": smaller + 1, "max": not_larger, "average": (smaller + not_larger + 1) / 2}[method]


@partial(jit, static_argnames=("axis", "nan_policy", "keepdims"))
def sem(a: Any, axis: int | None = 0, ddof: int = 1, nan_policy: str = "propagate", *, keepdims: bool = False) -> Any:
    """The standard error of the mean along `axis`: the standard deviation over the root of the count."""
    (x,) = inexact("sem", a)
    if nan_policy == "propagate":
        size = x.size if axis is None else x.shape[axis]
        return x.std(axis, ddof=ddof, keepdims=keepdims) / sqrt(size).astype(x.dtype)
    if nan_policy == "omit":
        count = (~isnan(x)).sum(axis, keepdims=keepdims)
        return nanstd(x, axis, ddof=ddof, keepdims=keepdims) / sqrt(count).astype(x.dtype)
    raise ValueError(f"{nan_policy} is not supported")
