"""What rules are made of: constants of the type of an operand, and broadcasting undone."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...layer1_core import dtypes
from ...layer1_core.aval import Shape, ShapedArray, place_in_mesh, told, typeof
from ...layer1_core.lax.elementwise import eq, select
from ...layer1_core.lax.reducing import reduce_sum
from ...layer1_core.lax.shaping import as_typed, broadcast_in_dim, full_like, reshape

_PYTHON_TYPES = {"b": bool, "i": int, "u": int, "f": float, "c": complex}


def const(x: Any, value: Any) -> Any:
    """The number `value` with the dtype of `x`: a Python number where `x` is a weakly typed scalar."""
    aval = typeof(x)
    python_type = _PYTHON_TYPES.get(aval.dtype.kind)
    if aval.weak_type and not aval.shape and python_type:
        value = python_type(value)
        return value if typeof(value).dtype == aval.dtype else np.array(value, aval.dtype)
    return np.array(value, aval.dtype)


def zero(x: Any) -> Any:
    """The scalar 0 of the dtype of `x`."""
    return _scalar(x, 0)


def one(x: Any) -> Any:
    """The scalar 1 of the dtype of `x`."""
    return _scalar(x, 1)


def _scalar(x: Any, value: int) -> Any:
    """A scalar of the dtype of `x`; on its mesh, where the type of `x` tells of one."""
    place, out = told(typeof(x), ()), full_like(x, value, shape=())
    return out if place is None else as_typed(out, typeof(out).update(sharding=place))


def zeros(x: Any) -> Any:
    """Zeros in the shape and the dtype of `x`."""
    return full_like(x, 0)


def ones(x: Any) -> Any:
    """Ones in the shape and the dtype of `x`."""
    return full_like(x, 1)


def is_complex(x: Any) -> bool:
    return dtypes.issubdtype(typeof(x).dtype, np.complexfloating)


def replace_zero(x: Any) -> Any:
    """`x` with ones for its zeros: to divide by where the quotient is not used."""
    return select(eq(x, const(x, 0)), ones(x), x)


# ---- broadcasting


def unbroadcast(aval: ShapedArray, ct: Any) -> Any:
    """The cotangent of an operand of type `aval` that was broadcast: the sum over the axes along which it was.

    >>> unbroadcast(typeof(1.0), np.ones((3,), "float32"))
    Array(3., dtype=float32)
    """
    shape = typeof(ct).shape
    if shape == aval.shape:
        return ct
    if not aval.shape:
        return reduce_sum(ct, range(len(shape)))
    axes = [d for d, (n, size) in enumerate(zip(shape, aval.shape, strict=True)) if n != size]
    return reshape(reduce_sum(ct, axes) if axes else ct, aval.shape, out_sharding=place_in_mesh(aval))


def broadcast_to(shape: Shape, x: Any, place: Any = None) -> Any:
    """`x`, of equal rank or a scalar, broadcast to `shape`, and divided as `place` says."""
    own = typeof(x).shape
    if own == shape:
        return x
    if not own:
        return broadcast_in_dim(x, shape, (), out_sharding=place)
    dims = [d for d, (n, size) in enumerate(zip(own, shape, strict=True)) if n == size]
    return broadcast_in_dim(reshape(x, [own[d] for d in dims]), shape, dims, out_sharding=place)


def inverse(permutation: Sequence[int]) -> list[int]:
    """The permutation that undoes this one.

    >>> inverse([2, 0, 1])
    [1, 2, 0]
    """
    return sorted(range(len(permutation)), key=lambda i: permutation[i])
