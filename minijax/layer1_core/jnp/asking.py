"""Questions about arrays and dtypes, and the text of arrays."""

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import dtypes
from ..array import ArrayImpl
from ..aval import Shape, is_jax_type, typeof
from ..lax.shaping import canonicalize_axis
from ..trace import Tracer
from .array_creation import asarray

_FAMILY_OF = {bool: np.bool_, float: np.floating, complex: np.complexfloating}
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
    is_family = isinstance(kind, type) and issubclass(kind, np.generic) and kind.__subclasses__()
    names_dtype = kind is None or isinstance(kind, (str, type, np.dtype)) or hasattr(kind, "dtype")
    if is_family or not names_dtype:
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


def result_type_of(*args: Any, return_weak_type_flag: bool = False) -> Any:
    """`result_type`; where the flag asks for it, with whether the type that results is weak."""
    dtype, weak = dtypes.join(*map(_type_of, args))
    return (dtype, weak) if return_weak_type_flag else dtype


def scalar_type_of(x: Any) -> type:
    """The Python type of the elements of a number or an array: bool, int, float or complex."""
    dtype = _type_of(x)[0]
    return next((kind for kind in (bool, float, complex) if dtypes.issubdtype(dtype, _FAMILY_OF[kind])), int)


def itemsize_bits(dtype: Any) -> int:
    """How many bits an element of a dtype has."""
    return 8 * dtypes.as_dtype(dtype).itemsize


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


def _warn_of_lists(name: str, a: Any) -> None:
    if not (hasattr(a, "aval") or is_jax_type(a) or hasattr(a, "shape") or hasattr(a, "__jax_array__")):
        text = f"{name} requires ndarray or scalar arguments, got {type(a)} at position 0."
        warnings.warn(f"{text} In a future JAX release this will be an error.", DeprecationWarning, stacklevel=3)


def shape(a: Any) -> Shape:
    """The shape of an array; of nested lists too, with a warning."""
    _warn_of_lists("shape", a)
    return a.shape if hasattr(a, "shape") else np.shape(a)


def ndim(a: Any) -> int:
    """The number of axes of an array; of nested lists too, with a warning."""
    _warn_of_lists("ndim", a)
    return a.ndim if hasattr(a, "ndim") else np.ndim(a)


def size(a: Any, axis: int | Sequence[int] | None = None) -> int:
    """The number of elements, all or along `axis`; of nested lists too, with a warning."""
    _warn_of_lists("size", a)
    sizes = shape(a)
    if axis is None:
        return math.prod(sizes)
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    return math.prod(sizes[canonicalize_axis(d, len(sizes))] for d in axes)
