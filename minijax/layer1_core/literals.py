"""Numbers and NumPy arrays that know their type: what a user's rule, and the results of `vjp`, show of those passed in.

JAX wraps a number that comes from outside so that `x.dtype` can be read. A wrapped one is a float, an int or a NumPy
array as before, and only prints as what it is.
"""

from typing import Any

import numpy as np

from .aval import typeof


class TypedNumber:
    """A Python number with a `dtype`: the part that the kinds of numbers share."""

    __slots__ = ()
    dtype: np.dtype

    def __new__(cls, value: Any, dtype: np.dtype) -> Any:
        number = super().__new__(cls, value)  # type: ignore[call-arg]
        number.dtype = dtype
        return number

    @property
    def value(self) -> Any:
        """The plain Python number."""
        return type(self).__mro__[2](self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.value}, dtype={self.dtype.name})"

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.value, self.dtype


class TypedInt(TypedNumber, int):
    """A Python int with a `dtype`."""


class TypedFloat(TypedNumber, float):
    """A Python float with a `dtype`. Printed by itself it is a float."""

    __str__ = float.__repr__


class TypedComplex(TypedNumber, complex):
    """A Python complex number with a `dtype`."""


class TypedNdArray(np.ndarray):
    """A NumPy array that was passed in. What is computed from it is a NumPy array again."""

    weak_type = False

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return array[()] if return_scalar else np.asarray(array)

    def __repr__(self) -> str:
        digits = np.array2string(np.asarray(self), separator=", ", prefix="TypedNdArray(")
        shape = f", shape={self.shape}" if not self.size and self.shape != (0,) else ""
        return f"TypedNdArray({digits}{shape}, dtype={self.dtype.name})"


_WITH_DTYPE = {int: TypedInt, float: TypedFloat, complex: TypedComplex}


def with_type(x: Any) -> Any:
    """`x` with its type, where it is a Python number or a NumPy array, which is converted to the type that it has here.

    >>> with_type(1.0)
    TypedFloat(1.0, dtype=float32)
    >>> with_type(np.arange(3))
    TypedNdArray([0, 1, 2], dtype=int32)
    """
    if type(x) in _WITH_DTYPE:
        return _WITH_DTYPE[type(x)](x, typeof(x).dtype)
    if isinstance(x, (np.ndarray, np.generic)):
        return np.asarray(x, typeof(x).dtype).view(TypedNdArray)
    return x
