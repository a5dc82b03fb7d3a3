"""`jnp.float32` and its kin: names of dtypes that, called, make arrays."""

from typing import Any

import numpy as np

from .. import dtypes
from .array_creation import asarray


class _ScalarMeta(type):
    """The class of the scalar types: each equals its dtype, and calling it makes an array."""

    dtype: np.dtype

    def __hash__(cls) -> int:
        return hash(cls.dtype.type)

    def __eq__(cls, other: object) -> bool:
        return cls is other or cls.dtype.type == other

    def __ne__(cls, other: object) -> bool:
        return not cls == other

    def __call__(cls, x: Any) -> Any:
        return asarray(x, dtype=cls.dtype)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, cls.dtype.type)


def _scalar_type(name: str, dtype: Any = None) -> Any:
    return _ScalarMeta(name, (object,), {"dtype": np.dtype(dtype or name), "__module__": "jax.numpy"})


bool_ = _scalar_type("bool")
int8, int16, int32, int64 = map(_scalar_type, ("int8", "int16", "int32", "int64"))
uint8, uint16, uint32, uint64 = map(_scalar_type, ("uint8", "uint16", "uint32", "uint64"))
float16, float32, float64 = map(_scalar_type, ("float16", "float32", "float64"))
bfloat16 = _scalar_type("bfloat16", dtypes.bfloat16)
complex64, complex128 = map(_scalar_type, ("complex64", "complex128"))
int_, uint, float_, complex_ = int64, uint64, float64, complex128
single, double, csingle, cdouble = float32, float64, complex64, complex128
