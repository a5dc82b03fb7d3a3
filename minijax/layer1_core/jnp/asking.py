"""Questions about arrays and dtypes, and the text of arrays."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import dtypes
from ..array import ArrayImpl
from ..aval import Shape, typeof
from ..lax.shaping import canonicalize_axis
from ..trace import Tracer
from .array_creation import asarray

_KINDS: dict[str, tuple[type, ...]] = {
    "bool": (np.bool_,),
    "signed integer": (np.signedinteger,),
    "unsigned integer": (np.unsignedinteger,),
    "integral": (np.integer,),
    "real floating": (np.floating,),
    "complex floating": (np.complexfloating,),
    "numeric": (np.number,),
}


def isdtype(dtype: Any, kind: Any) -> bool:
    """Whether `dtype` is of a kind, such as 'integral' or 'real floating', or equals a dtype; a tuple asks for any.

    Raises ValueError for an unknown kind, TypeError for what is neither a kind nor a dtype.
    """
    if isinstance(kind, tuple):
        return any(isdtype(dtype, k) for k in kind)
    of = dtypes.as_dtype(dtype)
    if isinstance(kind, str) and kind in _KINDS:
        return any(dtypes.issubdtype(of, family) for family in _KINDS[kind])
    if isinstance(kind, type) and issubclass(kind, np.generic) and kind.__subclasses__():
        raise TypeError(f"Expected kind to be a dtype, string, or tuple; got kind={kind}")
    try:
        return of == dtypes.as_dtype(kind)
    except TypeError:
        raise ValueError(
            f"Unrecognized {kind=} expected one of {list(_KINDS)}, or a compatible input for jnp.dtype()"
        ) from None


def array_repr(arr: Any, max_line_width: int | None = None, precision: int | None = None,
               suppress_small: bool | None = None) -> str:  # fmt: skip
    """The text that NumPy gives to an array of its own, under this class's name."""
    text = np.array_repr(np.asarray(arr), max_line_width, precision, suppress_small)
    return text.replace("array(", f"{type(arr).__name__}(", 1) if isinstance(arr, ArrayImpl) else text


def array_str(a: Any, max_line_width: int | None = None, precision: int | None = None,
              suppress_small: bool | None = None) -> str:  # fmt: skip
    """The elements as text."""
    return np.array_str(np.asarray(a), max_line_width, precision, suppress_small)


def load(file: Any, *args: Any, **kwargs: Any) -> Any:
    """The array that NumPy reads from `file`."""
    out = np.load(file, *args, **kwargs)
    return asarray(out) if isinstance(out, np.ndarray) else out


def result_type(*args: Any) -> np.dtype:
    """The dtype that these values and dtypes promote to."""
    return dtypes.join(*map(_type_of, args))[0]


def _type_of(x: Any) -> tuple[np.dtype, bool]:
    if isinstance(x, type) and x in (int, float, complex):
        return dtypes.canonicalize_dtype(dtypes.PYTHON_DTYPES[x]), True
    if isinstance(x, (type, str, np.dtype)) or not (hasattr(x, "shape") or isinstance(x, (bool, int, float, complex))):
        return dtypes.canonicalize_dtype(dtypes.as_dtype(x)), False
    aval = typeof(x)
    return aval.dtype, aval.weak_type


def isscalar(element: Any) -> bool:
    """Whether `element` is a number or a 0-d array."""
    if isinstance(element, (np.ndarray, np.generic, Tracer, ArrayImpl)) or hasattr(element, "__jax_array__"):
        return np.ndim(element) == 0 if not isinstance(element, Tracer) else element.ndim == 0
    return isinstance(element, (bool, int, float, complex, str, bytes))


def iterable(y: Any) -> bool:
    """Whether `y` can be iterated over."""
    return hasattr(y, "__iter__") and np.ndim(y) > 0 if hasattr(y, "ndim") else hasattr(y, "__iter__")


def shape(a: Any) -> Shape:
    """The shape of an array, or of nested lists."""
    return a.shape if hasattr(a, "shape") else np.shape(a)


def ndim(a: Any) -> int:
    """The number of axes."""
    return len(shape(a))


def size(a: Any, axis: int | Sequence[int] | None = None) -> int:
    """The number of elements, all or along `axis`."""
    sizes = shape(a)
    if axis is None:
        return math.prod(sizes)
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    return math.prod(sizes[canonicalize_axis(d, len(sizes))] for d in axes)
