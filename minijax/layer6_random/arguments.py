"""Arguments of samplers: a key, a shape, a dtype, parameters that go with the shape. Checked here, in JAX's words."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..layer1_core import dtypes
from ..layer1_core.aval import Shape, ShapedArray, canonicalize_shape, type_of_number, typeof
from ..layer1_core.errors import TypePromotionError
from ..layer1_core.jnp.array_creation import asarray
from ..layer1_core.lax.shaping import broadcast_shapes
from .keys import check_prng_key

Dtype = Any


def typed_key(name: str, key: Any) -> Any:
    """The key as a typed one. Raises TypeError or ValueError for what is not a single key."""
    return check_prng_key(name, key)[0]


# ---- dtypes


def float_dtype(name: str, dtype: Any) -> np.dtype:
    """The floating dtype that a user named; the default one for None. Raises ValueError for another kind."""
    return _of_family(name, float if dtype is None else dtype, np.floating, "a float dtype")


def inexact_dtype(name: str, dtype: Any) -> np.dtype:
    """The same, complex ones too."""
    return _of_family(name, float if dtype is None else dtype, np.inexact, "a float or complex dtype")


def int_dtype(name: str, dtype: Any) -> np.dtype:
    """The integer dtype that a user named."""
    return _of_family(name, int if dtype is None else dtype, np.integer, "an int dtype")


def _of_family(name: str, dtype: Any, family: type, told: str) -> np.dtype:
    dtype = dtypes.check_user_dtype_supported(dtype)
    if not dtypes.issubdtype(dtype, family):
        raise ValueError(f"dtype argument to `{name}` must be {told}, got {dtype}")
    return dtype


def type_of_parameter(x: Any) -> ShapedArray:
    """The type of a parameter, an array or a number. Raises TypeError for others, in other words for a string."""
    return typeof(x) if isinstance(x, str) else type_of_number(x)


def check_safe_to_cast(name: str, dtype: np.dtype, *parameters: Any) -> None:
    """Raises TypePromotionError for a parameter that promotion would not bring to `dtype`."""
    for x in parameters:
        aval = type_of_parameter(x)
        if dtypes.join((aval.dtype, aval.weak_type), (dtype, False))[0] != dtype:
            found = typeof(asarray(x)).dtype
            raise TypePromotionError(f"In arguments to {name}, cannot safely cast argument of type {found} to {dtype}")


# ---- shapes


def shape_of(shape: Any) -> Shape:
    """The shape that a user wrote; an integer stands for a vector. Raises for what is no shape."""
    shape = (shape,) if isinstance(shape, int) else shape
    iter(shape)  # Python's own error for what has no sizes, as JAX lets it through
    out = canonicalize_shape(shape)
    if any(n < 0 for n in out):
        raise ValueError(f"the sizes of a shape must not be negative, got {out}")
    return out


def check_shape(name: str, shape: Shape, *parameters: Sequence[int]) -> None:
    """Raises ValueError where parameters of these shapes do not go into `shape`."""
    if parameters:
        common = broadcast_shapes(shape, *parameters)
        if shape != common:
            raise ValueError(
                f"{name} parameter shapes must be broadcast-compatible with shape argument, and the result of "
                f"broadcasting the shapes must equal the shape argument, but got result {common} for shape argument "
                f"{shape}."
            )


def common_shape(name: str, shape: Any, *parameters: Any) -> Shape:
    """The shape that a user named, into which the parameters go; their common one for None."""
    shapes = [np.shape(x) for x in parameters]
    if shape is None:
        return broadcast_shapes(*shapes)
    shape = shape_of(shape)
    check_shape(name, shape, *shapes)
    return shape


def shape_or_none(shape: Any) -> Shape | None:
    return None if shape is None else shape_of(shape)


# ---- all of them


def standard(name: str, key: Any, shape: Any, dtype: Any) -> tuple[Any, Shape, np.dtype]:
    """Key, shape and floating dtype of a distribution without parameters."""
    key = typed_key(name, key)
    dtype = float_dtype(name, dtype)
    return key, shape_of(shape), dtype


def with_parameters(name: str, key: Any, shape: Any, dtype: Any, *parameters: Any) -> tuple[Any, Shape, np.dtype]:
    """Key, shape and floating dtype of one with parameters, which go into the shape and are cast to the dtype."""
    key = typed_key(name, key)
    dtype = float_dtype(name, dtype)
    shape = common_shape(name, shape, *parameters)
    check_safe_to_cast(name, dtype, *parameters)
    return key, shape, dtype


# ---- where the result goes


def _refuse(sampler: Callable[..., Any], args: tuple[Any, ...], out_sharding: Any) -> Any:
    raise NotImplementedError("samplers take an out_sharding from chapter 7 on, which brings meshes")


# How a draw is made that is to lie in a named way; the last one counts.
placed: list[Callable[..., Any]] = [_refuse]


def drawn(sampler: Callable[..., Any], *args: Any, out_sharding: Any = None) -> Any:
    """The draw of `sampler` at these arguments, with its parts where `out_sharding` says."""
    return sampler(*args) if out_sharding is None else placed[-1](sampler, args, out_sharding)
