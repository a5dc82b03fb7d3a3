"""Questions about dtypes, and the text of arrays."""

from typing import Any

import numpy as np

from .. import dtypes
from ..array import ArrayImpl
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
