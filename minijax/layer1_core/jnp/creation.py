"""Making matrices: triangles, diagonals, Vandermonde's, values of a function at every index; and their indices."""

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import dtypes
from ..array import ArrayImpl
from ..aval import canonicalize_shape, told, typeof
from ..basearray import Array
from ..jit import jit
from ..lax import elementwise as lax
from ..lax.converting import convert
from ..lax.joining import stack as lax_stack
from ..lax.shaping import broadcasted_iota, canonicalize_axis, iota, pad, reshape
from ..trace import pure
from ..tree import tree_map
from .arguments import array_argument, concrete, concrete_index
from .array_creation import arange, asarray, eye, ones, zeros, zeros_like
from .choosing import nonzero
from .promotion import check_arraylike, const
from .reductions import sum
from .selecting import _where
from .shaping import broadcast_to, expand_dims, moveaxis, ravel
from .ufuncs import power

# ---- triangles


def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = None) -> Any:
    """An [N, M] array of ones at and below the k-th diagonal, zeros above."""
    dtype = np.dtype(np.float32) if dtype is None else dtypes.check_user_dtype_supported(dtype, "tri")
    shape = (N, N if M is None else M)
    k = k if isinstance(k, (Array, ArrayImpl)) else operator.index(k)
    rows = broadcasted_iota(np.int32, shape, 0)
    below = lax.ge(lax.add(rows, convert(k, np.dtype(np.int32))), broadcasted_iota(np.int32, shape, 1))
    return convert(below, dtype)


@functools.partial(jit, static_argnames=("k",))
def tril(m: Any, k: int = 0) -> Any:
    """The matrix (or each of the matrices) `m` with zeros above the k-th diagonal."""
    return _triangle("tril", m, lambda n, p: tri(n, p, k, bool), lower=True)


@functools.partial(jit, static_argnames=("k",))
def triu(m: Any, k: int = 0) -> Any:
    """The matrix (or each of the matrices) `m` with zeros below the k-th diagonal."""
    return _triangle("triu", m, lambda n, p: tri(n, p, k - 1, bool), lower=False)


def _triangle(name: str, m: Any, mask: Callable[[int, int], Any], lower: bool) -> Any:
    m = array_argument(name, m)
    if m.ndim < 2:
        raise ValueError(f"Argument to jax.numpy.{name} must be at least 2D")
    inside = broadcast_to(mask(*m.shape[-2:]), m.shape, out_sharding=told(m.aval))
    zero = zeros_like(m)
    return lax.select(inside, m, zero) if lower else lax.select(inside, zero, m)


def mask_indices(
    n: int, mask_func: Callable[[Any, int], Any], k: int = 0, *, size: int | None = None
) -> tuple[Any, Any]:
    """Rows and columns of the elements that `mask_func(ones((n, n)), k)` keeps."""
    i, j = nonzero(mask_func(ones((n, n)), k), size=size)
    return i, j


def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Any, Any]:
    """Rows and columns of the upper triangle of an [n, m] matrix, from the k-th diagonal on."""
    return _triangle_indices("triu_indices", triu, n, k, m)


def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Any, Any]:
    """Rows and columns of the lower triangle of an [n, m] matrix, up to the k-th diagonal."""
    return _triangle_indices("tril_indices", tril, n, k, m)


def _triangle_indices(name: str, triangle: Any, n: Any, k: Any, m: Any) -> tuple[Any, Any]:
    n, k = concrete_index(n, f"n argument of jnp.{name}"), concrete_index(k, f"k argument of jnp.{name}")
    m = n if m is None else concrete_index(m, f"m argument of jnp.{name}")
    size = _upper_size(n, m, k) if triangle is triu else _upper_size(m, n, -k)
    i, j = nonzero(triangle(ones((n, m)), k=k), size=size)
    return i, j


def _upper_size(n: int, m: int, k: int) -> int:
    """How many elements an [n, m] matrix has at and above its k-th diagonal."""
    return int(np.clip(m - k - np.arange(n), 0, m).sum())


def triu_indices_from(arr: Any, k: int = 0) -> tuple[Any, Any]:
    """Rows and columns of the upper triangle of `arr`."""
    return triu_indices(*_matrix_sizes("triu_indices_from", arr, k))


def tril_indices_from(arr: Any, k: int = 0) -> tuple[Any, Any]:
    """Rows and columns of the lower triangle of `arr`."""
    return tril_indices(*_matrix_sizes("tril_indices_from", arr, k))


def _matrix_sizes(name: str, arr: Any, k: int) -> tuple[int, int, int]:
    shape = arr.shape if hasattr(arr, "shape") else array_argument(name, arr).shape
    if len(shape) != 2:
        raise ValueError("Only 2-D inputs are accepted")
    return shape[0], k, shape[1]


# ---- diagonals


@functools.partial(jit, static_argnames=("offset", "axis1", "axis2"))
def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The elements a[..., i, i + offset] of the matrices along axis1 and axis2, along a new last axis."""
    a = array_argument("diagonal", a)
    if a.ndim < 2:
        raise ValueError("diagonal requires an array of at least two dimensions.")
    offset = concrete_index(offset, "'offset' argument of jnp.diagonal()")
    n, m = a.shape[axis1], a.shape[axis2]
    length = max(0, min(n + min(offset, 0), m - max(offset, 0)))
    i, j = arange(length), arange(abs(offset), abs(offset) + length)
    a = moveaxis(a, (axis1, axis2), (-2, -1))
    return a[..., i, j] if offset >= 0 else a[..., j, i]


@functools.partial(jit, static_argnames=("axis1", "axis2", "dtype"))
def trace(a: Any, offset: Any = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: None = None) -> Any:
    """The sum of the elements of the diagonal of the matrices along axis1 and axis2."""
    a = array_argument("trace", a)
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.trace is not supported.")
    if canonicalize_axis(axis1, a.ndim) == canonicalize_axis(axis2, a.ndim):
        raise ValueError(f"axis1 and axis2 can not be same. axis1={axis1} and axis2={axis2}")
    dtype = None if dtype is None else dtypes.check_user_dtype_supported(dtype, "trace")
    n, m = a.shape[axis1], a.shape[axis2]
    a = moveaxis(a, (axis1, axis2), (-2, -1))
    a = _where(eye(n, m, k=offset, dtype=bool), a, zeros_like(a))
    return sum(a, axis=(-2, -1), dtype=dtype)


def diag(v: Any, k: int = 0) -> Any:
    """The k-th diagonal of a matrix, or the matrix that has the vector `v` there."""
    return _diag(array_argument("diag", v), operator.index(k))


@functools.partial(jit, static_argnames=("k",))
def _diag(v: Any, k: int) -> Any:
    if v.ndim == 2:
        return diagonal(v, offset=k)
    if v.ndim != 1:
        raise ValueError("diag input must be 1d or 2d")
    n = v.shape[0] + abs(k)
    zero = convert(0, v.dtype, v.aval.weak_type)
    v = pad(v, zero, ((max(0, -k), max(0, k), 0),))
    return _where(eye(n, k=k, dtype=bool), v[:, None], zero)


def diagflat(v: Any, k: int = 0) -> Any:
    """The matrix with the flattened `v` on its k-th diagonal."""
    check_arraylike("diagflat", v)
    v = ravel(v)
    n = v.shape[0] + abs(k)
    out = zeros(n * n, v.dtype)
    i = arange(0, v.shape[0])
    places = i + k + i * n if k >= 0 else i + (i - k) * n
    return out.at[places].set(v).reshape(n, n)


def diag_indices(n: int, ndim: int = 2) -> tuple[Any, ...]:
    """The indices of the diagonal of an array with `ndim` axes of size n, one array for each."""
    n = concrete_index(n, "'n' argument of jnp.diag_indices()")
    ndim = concrete_index(ndim, "'ndim' argument of jnp.diag_indices()")
    if n < 0:
        raise ValueError(f"n argument to diag_indices must be nonnegative, got {n}")
    if ndim < 0:
        raise ValueError(f"ndim argument to diag_indices must be nonnegative, got {ndim}")
    return (iota(dtypes.canonicalize_dtype(dtypes.int_), n),) * ndim


def diag_indices_from(arr: Any) -> tuple[Any, ...]:
    """The indices of the diagonal of `arr`, whose axes must all have one size."""
    shape = array_argument("diag_indices_from", arr).shape
    if len(shape) < 2:
        raise ValueError("input array must be at least 2-d")
    if len(set(shape)) != 1:
        raise ValueError("All dimensions of input must be of equal length")
    return diag_indices(shape[0], ndim=len(shape))


# ---- other matrices


@functools.partial(jit, static_argnames=("N", "increasing"))
def vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    """The matrix of the powers x**(N - 1), ..., x, 1 (or the other way round) as columns."""
    x = array_argument("vander", x)
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array")
    n = x.shape[0] if N is None else concrete_index(N, "'N' argument of jnp.vander()")
    if n < 0:
        raise ValueError("N must be nonnegative")
    exponents = iota(x.dtype, n)
    exponents = exponents if increasing else lax.sub(const(exponents, n - 1), exponents)
    return power(x[..., None], expand_dims(exponents, (0,)))


def one_by_one(function: Callable[..., Any], sizes: tuple[int, ...], dtype: Any) -> Any:
    """The results of `function` at every index, one call each, stacked."""
    indices = [[pure(np.asarray(i, dtype)) for i in index] for index in np.ndindex(*sizes)]
    results = [function(*index) for index in indices]
    return tree_map(lambda *xs: reshape(lax_stack(xs), (*sizes, *typeof(xs[0]).shape)), *results)


# How a function of scalars is applied at every index: one by one, until layer 5 enters its vmap.
mappers: list[Callable[..., Any]] = [one_by_one]


def fromfunction(function: Callable[..., Any], shape: Any, *, dtype: Any = float, **kwargs: Any) -> Any:
    """The array of `function(i, j, ...)` at every index (i, j, ...) of an array of this shape."""
    sizes = canonicalize_shape(concrete(shape, "shape argument of jnp.fromfunction()"))
    dtype = dtypes.check_user_dtype_supported(dtype, "arange")
    return mappers[-1](functools.partial(function, **kwargs), sizes, dtype)


# ---- from text, files and iterators


def fromstring(string: str, dtype: Any = float, count: int = -1, *, sep: str) -> Any:
    """The numbers that a text lists, parted by `sep`."""
    return asarray(np.fromstring(string, dtype=dtypes.as_dtype(dtype), count=count, sep=sep))


_IMPURE = (
    "jnp.{0}() is not implemented because it may be non-pure and thus unsafe for use with JIT and other JAX "
    "transformations. Consider using jnp.asarray(np.{0}(...)) instead, although care should be taken if np.{0} is used "
    "within a jax transformations because of its potential side-effect of consuming the {1}; for more information see "
    "https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions"
)


def fromfile(*args: Any, **kwargs: Any) -> Any:
    """Not there: reading a file is a side effect. Raises NotImplementedError, which says what to do instead."""
    raise NotImplementedError(_IMPURE.format("fromfile", "file object"))


def fromiter(*args: Any, **kwargs: Any) -> Any:
    """Not there: reading an iterator is a side effect. Raises NotImplementedError, which says what to do instead."""
    raise NotImplementedError(_IMPURE.format("fromiter", "iterable object"))
