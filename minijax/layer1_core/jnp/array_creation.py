"""Making arrays: from Python and NumPy values, filled with one number, counting up."""

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import dtypes
from ..array import ArrayImpl
from ..aval import Shape, canonicalize_shape, is_jax_type, told, typeof
from ..basearray import Array
from ..device_put import device_put
from ..lax.converting import convert, copy_p, is_complex, real_part, without_high_bits
from ..lax.elementwise import add, eq, mul
from ..lax.joining import concatenate
from ..lax.shaping import broadcasted_iota, empty_p, expand_dims, made_like
from ..literals import TypedNumber
from ..placement import named
from ..trace import pure
from .arguments import concrete
from .promotion import broadcast_to_shape, check_arraylike

# ---- from values


def array(
    object: Any,
    dtype: Any = None,
    copy: bool | None = True,
    order: str | None = "K",
    ndmin: int = 0,
    *,
    device: Any = None,
    out_sharding: Any = None,
) -> Any:
    """The array of a number, a NumPy array, an array, or nested lists of these.

    Without `dtype` it is that of the elements; a single Python number keeps its weak type.
    Raises TypeError for what is not a number, ValueError for None and for ragged lists, OverflowError for an integer
    that does not fit.
    """
    if order not in (None, "K"):
        raise NotImplementedError("Only implemented for order='K'")
    if object is None:
        raise ValueError("None is not a valid value for jnp.array")
    if dtype is not None:
        dtype = dtypes.check_user_dtype_supported(dtype, "array")
    out = _from_value(object, dtype, bool(copy))
    if ndmin > typeof(out).ndim:
        out = expand_dims(out, range(ndmin - typeof(out).ndim))
    return device_put(out, out_sharding if device is None else device) if device or out_sharding else out


def _from_value(x: Any, dtype: Any, copy: bool) -> Any:
    """Dispatch on what `x` is: an array, a list, something that NumPy knows, or a number."""
    x = x.__jax_array__() if hasattr(x, "__jax_array__") else x
    if isinstance(x, (ArrayImpl, Array)):
        x = copy_p.bind(x) if copy else x
        return x if dtype is None else convert(x, dtype)
    if isinstance(x, (list, tuple)):
        return _from_list(x, dtype)
    if (type(x) in dtypes.PYTHON_DTYPES or isinstance(x, TypedNumber)) and dtype is None:
        return pure(x)
    if isinstance(x, (bool, int, float, complex)) and not isinstance(x, np.generic):
        return pure(_numpy_array(x, dtype))
    return _from_numpy(x, dtype)


def _from_list(x: Sequence[Any], dtype: Any) -> Any:
    x = _plain(x)
    leaves = list(_leaves(x))
    if dtype is None:
        dtype = _common_dtype(leaves)
    if not any(isinstance(leaf, (ArrayImpl, Array)) for leaf in leaves):
        return pure(_numpy_array(x, dtype))
    if not x:
        return pure(np.zeros((0,), dtype))
    rows = [expand_dims(convert(_element(element), dtype), (0,)) for element in x]
    return concatenate(rows, 0)


def _element(x: Any) -> Any:
    """An element of a list: a number as it is, so that it stays a literal."""
    return x if isinstance(x, (bool, int, float, complex, np.generic)) else _from_value(x, None, False)


def _leaves(x: Any) -> Any:
    for element in x:
        if isinstance(element, (list, tuple)):
            yield from _leaves(element)
        else:
            yield element


def _plain(x: Any) -> Any:
    """Nested lists with the arrays in the place of the objects that say they are arrays in another form."""
    if isinstance(x, (list, tuple)):
        return [_plain(element) for element in x]
    if isinstance(x, (np.ndarray, np.generic, ArrayImpl, Array)):
        return x
    return x.__jax_array__() if hasattr(x, "__jax_array__") else np.asarray(x) if hasattr(x, "__array__") else x


def _common_dtype(leaves: Sequence[Any]) -> Any:
    """The dtype that the elements of a list promote to; float32 for an empty one."""
    if any(leaf is None for leaf in leaves):
        raise ValueError("None is not a valid value for jnp.array")
    if not leaves:
        return dtypes.canonicalize_dtype(dtypes.float_)
    for leaf in leaves:
        if not (isinstance(leaf, (ArrayImpl, Array, bool, int, float, complex)) or hasattr(leaf, "dtype")):
            raise TypeError(_not_numeric(leaf))
        if isinstance(leaf, (np.ndarray, np.generic)) and not dtypes.is_supported(leaf.dtype):
            raise TypeError(_not_numeric(leaf))
    return dtypes.join(*[(a.dtype, a.weak_type) for a in map(typeof, leaves)])[0]


def _not_numeric(x: Any) -> str:
    dtype = np.asarray(x).dtype
    name = dtype.str if dtype.kind in "US" else dtype
    return (
        f"Value '{x}' with dtype {name} is not a valid JAX array type. "
        "Only arrays of numeric types are supported by JAX."
    )


def _numpy_array(x: Any, dtype: Any) -> np.ndarray:
    """`x` as NumPy makes it, with its errors; floats beyond the range become infinite without a warning."""
    with np.errstate(all="ignore"):
        return np.array(x, dtype)


def _from_numpy(x: Any, dtype: Any) -> Any:
    value = np.asarray(x)
    if hasattr(x, "filled"):
        typeof(x)  # raises: a masked array
    if value.dtype.kind == "U" and dtype is not None:
        return pure(_numpy_array(x, dtype))  # digits: jnp.float32("1.5")
    if not dtypes.is_supported(value.dtype):
        raise TypeError(_not_numeric(x))
    with np.errstate(all="ignore"):
        return pure(value.astype(dtypes.canonicalize_dtype(value.dtype) if dtype is None else dtype))


def asarray(a: Any, dtype: Any = None, order: str | None = None, *, copy: bool | None = None, device: Any = None,
            out_sharding: Any = None) -> Any:  # fmt: skip
    """`array` without a copy where `a` is an array of that dtype already."""
    if dtype is not None:
        dtype = dtypes.check_user_dtype_supported(dtype, "asarray")
    return array(a, dtype=dtype, copy=bool(copy), order=order, device=device, out_sharding=out_sharding)


def copy(a: Any, order: str | None = None) -> Any:
    """A new array with the elements of `a`."""
    check_arraylike("copy", a)
    return array(a, copy=True, order=order)


def astype(x: Any, dtype: Any, /, *, copy: bool = False, device: Any = None) -> Any:
    """`x` converted to `dtype`, by value; `x` itself where it has it."""
    check_arraylike("astype", x)
    dtype = dtypes.check_user_dtype_supported(float if dtype is None else dtype, "astype")
    if is_complex(x) and dtype.kind not in "cb":
        warnings.warn(
            "Casting from complex to real dtypes will soon raise a ValueError. Please first use jnp.real or jnp.imag "
            "to take the real/imaginary component of your input.",
            DeprecationWarning,
            stacklevel=2,
        )
        x = real_part(x)
    out = pure(convert(x, dtype, False))
    out = copy_p.bind(out) if copy and out is x else out
    return out if device is None else device_put(out, device)


def from_dlpack(external_array: Any, /, *, device: Any = None, copy: bool | None = None) -> Any:
    """An array over (or copied from) anything that speaks DLPack. Raises TypeError for what does not."""
    if not hasattr(external_array, "__dlpack__"):
        raise TypeError("The array passed to from_dlpack must have __dlpack__ and __dlpack_device__ methods.")
    return array(np.from_dlpack(external_array), device=device)


def frombuffer(buffer: Any, dtype: Any = float, count: int = -1, offset: int = 0) -> Any:
    """The bytes of `buffer` read as numbers of `dtype`."""
    return asarray(np.frombuffer(buffer, dtypes.as_dtype(dtype), count, offset))


# ---- filled with one number


def _shape(shape: Any) -> Shape:
    return canonicalize_shape(shape if isinstance(shape, (tuple, list)) or np.ndim(shape) else (shape,))


def _checked_shape(shape: Any) -> Shape:
    out = _shape(shape)
    if any(n < 0 for n in out):
        raise TypeError(f"broadcast_in_dim shape must have every element be nonnegative, got {out}.")
    return out


def _on(x: Any, device: Any) -> Any:
    return x if device is None else device_put(x, device)


def _filled(shape: Shape, value: Any, dtype: Any, weak: bool = False, out_sharding: Any = None) -> Any:
    if dtypes.is_extended(dtype):
        return dtype.full(shape, value)
    return pure(broadcast_to_shape(convert(value, dtype, weak), shape, out_sharding))


def zeros(shape: Any, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> Any:
    """Zeros."""
    dtype = dtypes.check_user_dtype_supported(float if dtype is None else dtype, "zeros")
    return _on(_filled(_checked_shape(shape), 0, dtype, out_sharding=out_sharding), device)


def ones(shape: Any, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> Any:
    """Ones."""
    dtype = dtypes.check_user_dtype_supported(float if dtype is None else dtype, "ones")
    return _on(_filled(_checked_shape(shape), 1, dtype, out_sharding=out_sharding), device)


def empty(shape: Any, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> Any:
    """An array whose elements are not specified (zeros, as it happens)."""
    dtype = dtypes.check_user_dtype_supported(float if dtype is None else dtype, "empty")
    if dtypes.is_extended(dtype):
        return zeros(shape, dtype, device=device, out_sharding=out_sharding)
    where = named(out_sharding, "empty")
    return _on(empty_p.bind(shape=_checked_shape(shape), dtype=dtype, out_sharding=where), device)


def full(shape: Any, fill_value: Any, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> Any:
    """An array filled with `fill_value`, a number or an array that broadcasts to `shape`.

    Without `dtype`, an integer that does not fit loses its high bits.
    """
    _check_fill_value("full", fill_value)
    shape = _checked_shape(shape)
    aval = typeof(fill_value)
    weak = dtype is None and aval.weak_type
    if weak and type(fill_value) is int:
        fill_value = without_high_bits(fill_value, aval.dtype)
    dtype = aval.dtype if dtype is None else dtypes.check_user_dtype_supported(dtype, "full")
    return _on(_filled(shape, fill_value, dtype, weak, out_sharding), device)


def _check_fill_value(name: str, fill_value: Any) -> None:
    if isinstance(fill_value, str):
        np.dtype(fill_value)  # raises: it names no dtype
    check_arraylike(name, fill_value)


def _like(a: Any, dtype: Any, shape: Any, name: str) -> tuple[Shape, Any, bool]:
    """Shape, dtype and weak type of an array like `a`."""
    if not hasattr(a, "shape") or not hasattr(a, "dtype"):
        check_arraylike(name, a)
        a = typeof(a)
    weak = dtype is None and bool(getattr(a, "weak_type", False))
    dtype = dtypes.canonicalize_dtype(a.dtype) if dtype is None else dtypes.check_user_dtype_supported(dtype, name)
    return (a.shape if shape is None else _checked_shape(shape)), dtype, weak


def _place_of(a: Any, shape: Any, device: Any) -> Any:
    """Where an array like `a` goes: to `device`, or to where `a` is committed, if no other `shape` is named."""
    if device is not None or shape is not None or not isinstance(a, ArrayImpl) or told(a.aval) is not None:
        return device
    return a.sharding if a.committed else None


def _divided_as(a: Any, shape: Shape, device: Any) -> Any:
    """The `out_sharding` of an array like `a`, where types say how `a` is divided."""
    return told(a.aval) if device is None and hasattr(a, "aval") and a.aval.shape == shape else None


def _filled_like(a: Any, value: Any, dtype: Any, shape: Any, device: Any, name: str, out_sharding: Any = None) -> Any:
    place = _place_of(a, shape, device)
    shape, dtype, weak = _like(a, dtype, shape, name)
    divided = out_sharding or (_divided_as(a, shape, device) if shape else None)
    return _on(made_like(_filled(shape, value, dtype, weak, divided), a), place)


def full_like(a: Any, fill_value: Any, dtype: Any = None, shape: Any = None, *, device: Any = None) -> Any:
    """An array filled with `fill_value`, of the shape and dtype of `a`."""
    _check_fill_value("full_like", fill_value)
    return _filled_like(a, fill_value, dtype, shape, device, "full_like")


def zeros_like(a: Any, dtype: Any = None, shape: Any = None, *, device: Any = None, out_sharding: Any = None) -> Any:
    """Zeros, of the shape and dtype of `a`."""
    return _filled_like(a, 0, dtype, shape, device, "zeros_like", out_sharding)


def ones_like(a: Any, dtype: Any = None, shape: Any = None, *, device: Any = None, out_sharding: Any = None) -> Any:
    """Ones, of the shape and dtype of `a`."""
    return _filled_like(a, 1, dtype, shape, device, "ones_like", out_sharding)


def empty_like(prototype: Any, dtype: Any = None, shape: Any = None, *, device: Any = None) -> Any:
    """An array whose elements are not specified, of the shape and dtype of `prototype`."""
    place = _place_of(prototype, shape, device)
    shape, dtype, _ = _like(prototype, dtype, shape, "empty_like")
    return made_like(empty(shape, dtype, device=place, out_sharding=_divided_as(prototype, shape, device)), prototype)


# ---- counting


def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None, *, device: Any = None,
           out_sharding: Any = None) -> Any:  # fmt: skip
    """start, start + step, ... below stop. With one argument, 0, 1, ... below it.

    Raises ConcretizationTypeError for a traced bound: the length of the result would depend on its value.
    """
    for i, x in enumerate((start, stop, step)):
        if not (x is None or isinstance(x, str) or is_jax_type(x) or hasattr(x, "__jax_array__")):
            raise TypeError(f"arange requires ndarray, scalar, or None arguments, got {type(x)} at position {i}.")
    if dtype is not None:
        dtype = dtypes.check_user_dtype_supported(dtype, "arange")
    if stop is None and step is None:
        start, stop, step = _bound(start, "stop"), None, None
        counts = _count(start)
        dtype = _bound_dtype([start]) if dtype is None else dtype
        return _on(broadcasted_iota(dtype, (max(counts, 0),), 0, out_sharding=out_sharding), device)
    start, stop, step = _bound(start, "start"), _bound(stop, "stop"), _bound(step, "step")
    start, stop = (0, start) if stop is None else (start, stop)
    dtype = _bound_dtype([start, stop] + [step] * (step is not None)) if dtype is None else dtype
    size = max(_count(stop - start if step is None else (stop - start) / step), 0)
    return _on(_arithmetic_sequence(start, step, size, dtype, out_sharding), device)


def _arithmetic_sequence(start: Any, step: Any, size: int, dtype: Any, out_sharding: Any = None) -> Any:
    """start + step * (0, 1, ...); narrow floats, which cannot count far, are computed in float32."""
    if step is None:
        out = broadcasted_iota(dtype, (size,), 0, out_sharding=out_sharding)
        return out if start == 0 else add(convert(start, dtype), out)
    wide = np.dtype(np.float32) if dtypes.issubdtype(dtype, np.floating) and dtype.itemsize < 4 else dtype
    out = mul(convert(step, wide), broadcasted_iota(wide, (size,), 0, out_sharding=out_sharding))
    return convert(add(convert(start, wide), out), dtype)


def _count(x: Any) -> int:
    return x if isinstance(x, int) else math.ceil(x)


def _bound(x: Any, name: str) -> Any:
    """A bound of arange as a Python number."""
    if x is None:
        return None
    x = concrete(x, f"It arose in the jnp.arange argument '{name}'")
    if isinstance(x, str):
        raise TypeError(f"data type '{x}' not understood")
    if np.ndim(x):
        raise ValueError(f"jax.numpy.arange: arguments must be scalars; got {name}={x}")
    if np.iscomplexobj(x):
        raise ValueError(
            "Passing complex start/stop/step to jnp.arange is no longer supported starting in JAX v0.10.0."
        )
    return x.item() if hasattr(x, "item") else x


def _bound_dtype(bounds: Sequence[Any]) -> Any:
    return dtypes.join(*[(a.dtype, a.weak_type) for a in map(typeof, bounds)])[0]


def eye(N: int, M: int | None = None, k: Any = 0, dtype: Any = None, *, device: Any = None) -> Any:
    """Ones on the k-th diagonal of an [N, M] array of zeros."""
    dtype = dtypes.check_user_dtype_supported(float if dtype is None else dtype, "eye")
    if any(isinstance(n, int) and n < 0 for n in (N, M)):
        raise ValueError(f"negative dimensions are not allowed, got {N} and {M}")
    shape = canonicalize_shape((N,), "argument of 'N' jnp.eye()")
    shape += shape if M is None else canonicalize_shape((M,), "argument 'M' of jnp.eye()")
    if typeof(k).shape or typeof(k).dtype.kind not in "biu":
        raise ValueError(f"k must be a scalar integer; got {k}")
    rows, columns = broadcasted_iota(np.int32, shape, 0), broadcasted_iota(np.int32, shape, 1)
    diagonal = eq(add(rows, convert(k, np.dtype("int32"))), columns)
    return _on(convert(diagonal, dtype), device)


def identity(n: int, dtype: Any = None) -> Any:
    """The [n, n] identity matrix."""
    return eye(n, dtype=dtype)
