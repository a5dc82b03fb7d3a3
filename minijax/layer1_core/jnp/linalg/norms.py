"""Norms of vectors and matrices, and what singular values tell: rank and condition."""

from functools import partial
from typing import Any

import numpy as np

from ... import dtypes
from ...jit import jit
from ...lax.converting import scalar
from ...lax.shaping import canonicalize_axis
from .. import numbers
from ..arguments import array_argument
from ..choosing import where
from ..mathematics import sqrt
from ..promotion import promote_dtypes_inexact
from ..shaping import expand_dims, moveaxis
from ..ufuncs import power
from .factoring import inexact, svd, svdvals
from .solving import inv

Axis = int | tuple[int, ...] | None


@partial(jit, static_argnames=("ord", "axis", "keepdims"))
def norm(x: Any, ord: Any = None, axis: Axis = None, keepdims: bool = False) -> Any:
    """The length of `x`: of all its elements, of the vectors along one axis, or of the matrices along two.

    `ord` says which length: 1, 2, inf, -inf, any number; for matrices also "fro" (the default) and "nuc".
    Raises ValueError for an order or a number of axes that has no meaning.
    """
    x = inexact("norm", x)
    if axis is None and ord is None:
        return _euclidean(x, None, keepdims)
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    match tuple(canonicalize_axis(d, x.ndim) for d in axes):
        case (d,):
            return vector_norm(x, ord=2 if ord is None else ord, axis=(d,), keepdims=keepdims)
        case (row, column):
            return _matrix_norm(x, ord, row, column, keepdims)
        case improper:
            raise ValueError(
                f"Improper number of axes for norm: axis={improper!r}. Pass one axis to compute a vector-norm, "
                "or two axes to compute a matrix-norm."
            )


def _euclidean(x: Any, axis: Axis, keepdims: bool) -> Any:
    """The square root of the sum of squared moduli."""
    return sqrt(numbers.real(x * numbers.conj(x)).sum(axis=axis, keepdims=keepdims))


def vector_norm(x: Any, /, *, axis: Axis = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """The length of the vectors along `axis` (of all elements for None): (sum |x|^ord)^(1/ord) and its limits."""
    x = array_argument("jnp.linalg.vector_norm", x)
    where_to = {"axis": axis, "keepdims": keepdims}
    if ord is None or ord == 2:
        return _euclidean(x, axis, keepdims)
    if isinstance(ord, str):
        hint = {"inf": "Use 'jax.numpy.inf' instead.", "-inf": "Use '-jax.numpy.inf' instead."}.get(ord, "")
        raise ValueError(f"Invalid order '{ord}' for vector norm.{hint}")
    if ord == 0:
        return (x != 0).sum(dtype=dtypes.finfo(x.dtype).dtype, **where_to)
    size = numbers.abs(x)
    if ord == np.inf:
        return size.max(initial=0, **where_to)
    if ord == -np.inf:
        return size.min(**where_to)
    if ord == 1:
        return size.sum(**where_to)
    order = scalar(ord, size.dtype)
    return power((size**order).sum(**where_to), scalar(1.0 / order, size.dtype))


def _matrix_norm(x: Any, ord: Any, row: int, column: int, keepdims: bool) -> Any:
    if ord is None or ord in ("f", "fro"):
        return _euclidean(x, (row, column), keepdims)
    if ord in (1, -1):
        return _extreme_sum(x, row, column, ord == 1, keepdims)
    if ord in (np.inf, -np.inf):
        return _extreme_sum(x, column, row, ord == np.inf, keepdims)
    if ord not in ("nuc", 2, -2):
        raise ValueError(f"Invalid order '{ord}' for matrix norm.")
    s = svd(moveaxis(x, (row, column), (-2, -1)), compute_uv=False)
    out = s.sum(axis=-1) if ord == "nuc" else s.max(axis=-1, initial=0) if ord == 2 else s.min(axis=-1)
    return expand_dims(out, (row, column)) if keepdims else out


def _extreme_sum(x: Any, summed: int, other: int, largest: bool, keepdims: bool) -> Any:
    """The largest (or smallest) of the sums of |x| along one axis."""
    sums = numbers.abs(x).sum(axis=summed, keepdims=keepdims)
    other -= not keepdims and other > summed
    return sums.max(axis=other, keepdims=keepdims, initial=0) if largest else sums.min(axis=other, keepdims=keepdims)


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """The norm of each matrix; see `norm`."""
    return norm(array_argument("jnp.linalg.matrix_norm", x), ord=ord, keepdims=keepdims, axis=(-2, -1))


# ---- what singular values tell


@partial(jit, static_argnames=("hermitian",))
def matrix_rank(M: Any, rtol: Any = None, *, hermitian: bool = False, tol: Any = None) -> Any:
    """How many singular values are above `rtol`. For None: above rounding errors of the largest one."""
    M = array_argument("jnp.linalg.matrix_rank", M)
    if tol is not None and rtol is not None:
        raise ValueError("matrix_rank: only one of tol or rtol may be specified.")
    rtol = rtol if tol is None else tol
    (M,) = promote_dtypes_inexact(M)
    if M.ndim < 2:
        return (M != 0).any().astype(np.int32)
    s = svd(M, full_matrices=False, compute_uv=False, hermitian=hermitian)
    if rtol is None:
        rtol = s.max(-1) * np.max(M.shape[-2:]).astype(s.dtype) * dtypes.finfo(s.dtype).eps
    return (s > expand_dims(rtol, np.ndim(rtol))).sum(axis=-1)


@partial(jit, static_argnames=["p"])
def cond(x: Any, p: Any = None) -> Any:
    """By how much errors grow when equations with the matrix `x` are solved: its norm times that of its inverse."""
    x = array_argument("cond", x)
    if x.ndim < 2:
        raise ValueError(f"jnp.linalg.cond: input array must be at least 2D; got arr.shape={x.shape!r}")
    if 0 in x.shape[-2:]:
        raise ValueError(f"jnp.linalg.cond: input array must not be empty; got arr.shape={x.shape!r}")
    if p in (None, 2):
        s = svdvals(x)
        return s[..., 0] / s[..., -1]
    if p == -2:
        s = svdvals(x)
        ratio = s[..., -1] / s[..., 0]
    elif x.shape[-2] != x.shape[-1]:
        raise ValueError(f"jnp.linalg.cond: for p={p!r}, array must be square; got arr.shape={x.shape!r}")
    else:
        ratio = norm(x, ord=p, axis=(-2, -1)) * norm(inv(x), ord=p, axis=(-2, -1))
    return where(numbers.isnan(ratio) & ~numbers.isnan(x).any(axis=(-2, -1)), np.inf, ratio)
