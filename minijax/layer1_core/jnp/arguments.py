"""Arguments of jnp functions: as arrays, as integers known now, as axes."""

import operator
from collections.abc import Iterable, Sequence
from typing import Any

from .. import dtypes
from ..array import ArrayImpl
from ..basearray import Array
from ..errors import ConcretizationTypeError
from ..lax.converting import convert
from ..lax.shaping import canonicalize_axis
from ..trace import Tracer, pure
from .promotion import check_arraylike


def to_array(x: Any) -> Any:
    """`x` as an array: arrays and tracers stay, numbers and NumPy arrays become constants of the current trace."""
    if isinstance(x, (ArrayImpl, Array)):
        return x
    return x.__jax_array__() if hasattr(x, "__jax_array__") else pure(x)


def array_argument(name: str, x: Any) -> Any:
    """The one array argument of the function `name`. Raises TypeError for a list or another object."""
    check_arraylike(name, x)
    return to_array(x)


def array_arguments(name: str, *args: Any) -> list[Any]:
    """The array arguments of the function `name`, in order. Raises TypeError, naming the position."""
    check_arraylike(name, *args)
    return [to_array(x) for x in args]


def with_dtype(x: Any, dtype: Any, name: str = "astype") -> Any:
    """`x` as an array of the dtype that a user named; as it is where none was named."""
    if dtype is None:
        return to_array(x)
    return pure(convert(x, dtypes.check_user_dtype_supported(dtype, name), False))


# ---- values that must be known while tracing


def concrete(x: Any, context: str) -> Any:
    """The value of `x`. Raises ConcretizationTypeError for a tracer that knows none, saying `context`."""
    if not isinstance(x, Tracer):
        return x
    known = x.known_value()
    if known is None:
        raise ConcretizationTypeError(x, context)
    return known


def concrete_index(x: Any, context: str) -> int:
    """`x` as a Python integer known now. Raises ConcretizationTypeError for a tracer, TypeError for no integer."""
    return operator.index(concrete(x, context))


# ---- axes


def index_tuple(x: Any) -> tuple[int, ...]:
    """An integer or a sequence of integers as a tuple. Raises TypeError for anything else, tracers included."""
    context = "expected a static index or sequence of indices."
    try:
        return (concrete_index(x, context),)
    except ConcretizationTypeError:
        raise
    except TypeError:
        return tuple(concrete_index(i, context) for i in x)


def axis_tuple(axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes that `axis` names, counted from the front: all for None. Raises ValueError where one is twice."""
    axes = range(ndim) if axis is None else axis if isinstance(axis, Iterable) else (axis,)
    out = tuple(canonicalize_axis(a, ndim) for a in axes)
    if len(set(out)) != len(out):
        raise ValueError(f"duplicate value in 'axis': {axis}")
    return out


def at_axis(items: Sequence[Any], axis: int, value: Any) -> tuple[Any, ...]:
    """A tuple with the entry at `axis` replaced."""
    return (*items[:axis], value, *items[axis + 1 :])
