"""Folding: the one way in which all reductions of jax.numpy go, from their arguments to a reducing primitive."""

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import dtypes
from ..aval import typeof
from ..lax import elementwise as lax, reducing
from ..lax.converting import convert
from ..lax.reducing import extreme
from ..lax.shaping import expand_dims
from .arguments import array_argument, axis_tuple, concrete
from .promotion import check_argument, promote_dtypes_numeric
from .selecting import _where

Axis = int | Sequence[int] | None  # None: all axes


class Reduction(NamedTuple):
    """A kind of reduction: its name, the functions of lax for it, and where it starts."""

    name: str
    reduce: Callable[[Any, Sequence[int]], Any]
    combine: Callable[[Any, Any], Any]
    start: Any  # what folding nothing gives; of max and min, which give nothing then, the other extreme
    prepare: Callable[[Any], Any] = lambda x: x
    has_identity: bool = True
    counts: bool = False  # integers narrower than the default are added up in it, and narrow floats in float32
    of_truth: "Reduction | None" = None  # what it is where truth values are asked for


def as_numbers(x: Any) -> Any:
    return promote_dtypes_numeric(x)[0] if typeof(x).dtype == dtypes.bool_ else x


def as_truth(x: Any) -> Any:
    x = lax.real(x) if dtypes.issubdtype(typeof(x).dtype, np.complexfloating) else x
    return convert(x, np.dtype(bool))


def as_integers(x: Any) -> Any:
    dtype = typeof(x).dtype
    if dtype.kind not in "biu":
        raise ValueError(f"integer argument required; got dtype={dtype}")
    return x


MAX = Reduction("max", reducing.reduce_max, lax.max, -math.inf, has_identity=False)
MIN = Reduction("min", reducing.reduce_min, lax.min, math.inf, has_identity=False)
ALL = Reduction("all", reducing.reduce_and, lax.bitwise_and, True, as_truth)
ANY = Reduction("any", reducing.reduce_or, lax.bitwise_or, False, as_truth)
SUM = Reduction("sum", reducing.reduce_sum, lax.add, 0, as_numbers, counts=True, of_truth=ANY)
PROD = Reduction("prod", reducing.reduce_prod, lax.mul, 1, as_numbers, counts=True, of_truth=ALL)


def _named(name: str) -> Callable[..., Any]:
    """A function of this name, for the message about a wrong argument: in JAX each reduction is jitted by itself."""

    def reduction() -> None: ...

    reduction.__qualname__ = f"_reduce_{name}"
    return reduction


_JITTED = {kind.name: _named(kind.name) for kind in (MAX, MIN, ALL, ANY, SUM, PROD)}


def fold(
    kind: Reduction, a: Any, axis: Axis, dtype: Any = None, out: None = None, keepdims: bool = False,
    initial: Any = None, where: Any = None, promote_integers: bool = True,
) -> Any:  # fmt: skip
    """`a` folded along `axis`: converted, masked by `where`, reduced, combined with `initial`."""
    check_argument(_JITTED[kind.name], a, "a")
    axis = static_axes(axis)
    if out is not None:
        raise NotImplementedError(f"The 'out' argument to jnp.{kind.name} is not supported.")
    a, where = array_argument(kind.name, a), check_where(kind.name, where)
    _check_identity(kind, initial, where)
    a = kind.prepare(a)
    axes = axis_tuple(axis, typeof(a).ndim)
    if initial is None and not kind.has_identity and not all(typeof(a).shape[d] for d in axes):
        raise ValueError(f"zero-size array to reduction operation {kind.name} which has no identity")
    result_dtype, dtype = _dtypes(kind, typeof(a).dtype, dtype, promote_integers)
    kind = kind.of_truth if kind.of_truth and dtype == np.bool_ else kind
    a = convert(a, dtype)
    a = a if where is None else _where(where, a, start_value(kind.start, dtype))
    result = kind.reduce(a, axes)
    result = result if initial is None else kind.combine(_initial(initial, dtype), result)
    return convert(expand_dims(result, axes) if keepdims else result, result_dtype)


def static_axes(axis: Any) -> Any:
    """The `axis` argument as Python integers: one, a tuple, or None. Raises TypeError for anything else."""
    if axis is None:
        return None
    axis = concrete(axis, "The axis argument must be known statically.")
    try:
        return operator.index(axis)
    except TypeError:
        return tuple([operator.index(i) for i in axis])


def check_where(name: str, where: Any) -> Any:
    """The mask of a reduction as an array; None where there is none. Raises ValueError for other dtypes than bool."""
    if where is None:
        return None
    where = array_argument(name, where)
    if typeof(where).dtype != np.bool_:
        raise ValueError(f"jnp.{name}: where must be None or a boolean array; got where.dtype={typeof(where).dtype!r}.")
    return where


def _check_identity(kind: Reduction, initial: Any, where: Any) -> None:
    if initial is None and not kind.has_identity and where is not None:
        raise ValueError(
            f"reduction operation {kind.name} does not have an identity, "
            "so to use a where mask one has to specify 'initial'"
        )


# ---- dtypes


def _dtypes(kind: Reduction, of: np.dtype, dtype: Any, promote_integers: bool) -> tuple[np.dtype, np.dtype]:
    """The dtype of the result, and the one to compute in."""
    if dtype is not None:
        result = dtypes.check_user_dtype_supported(dtype, kind.name)
        return result, result
    result = wide_integer(of) if kind.counts and promote_integers else of
    return result, wide_float(result) if kind.counts else result


def wide_integer(dtype: np.dtype) -> np.dtype:
    """The dtype of sums of `dtype`: truth values and narrow integers take the width of the default integer."""
    if dtype.kind not in "biu":
        return dtype
    default = dtypes.canonicalize_dtype(dtypes.uint_ if dtype.kind == "u" else dtypes.int_)
    return default if dtype.itemsize < default.itemsize else dtype


_NARROW_FLOATS = frozenset((np.dtype(np.float16), np.dtype(dtypes.bfloat16)))


def wide_float(dtype: np.dtype) -> np.dtype:
    """float32 for the narrower floats."""
    return np.dtype(np.float32) if dtype in _NARROW_FLOATS else dtype


# ---- what it starts from


def start_value(start: Any, dtype: np.dtype) -> Any:
    """The start of a reduction in `dtype`; for an infinity, integers take their own extreme."""
    if dtype.kind in "biu" and isinstance(start, float) and math.isinf(start):
        start = extreme(dtype, largest=start > 0)
    return convert(start, dtype)


def _initial(initial: Any, dtype: np.dtype) -> Any:
    shape = typeof(initial).shape
    if shape:
        raise ValueError(f"initial value must be a scalar. Got array of shape {shape}")
    return convert(initial, dtype)
