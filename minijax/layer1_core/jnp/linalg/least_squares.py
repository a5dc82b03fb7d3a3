"""Least squares: the pseudo-inverse and the best solution of equations that have none. By singular values."""

from functools import partial
from typing import Any

import numpy as np

from ... import dtypes
from ...custom_derivative import custom_jvp
from ...jit import jit
from ...lax.dot import Precision
from ...lax.elementwise import conj
from ...lax.shaping import expand_dims
from ..arguments import array_arguments
from ..array_creation import array, asarray, empty, zeros
from ..choosing import where
from ..products import matmul
from ..promotion import promote_dtypes_inexact
from .factoring import adjoint, inexact, svd
from .norms import norm


def pinv(a: Any, rtol: Any = None, hermitian: bool = False, *, rcond: Any = None) -> Any:
    """The pseudo-inverse: the inverse where there is one, else least squares. Singular values up to `rtol` times the
    largest count as zero.
    """
    if rcond is not None and rtol is not None:
        raise ValueError("pinv: only one of rtol and rcond may be specified.")
    return _pinv(a, rtol if rcond is None else rcond, hermitian)


@partial(custom_jvp, nondiff_argnums=(1, 2))
@partial(jit, static_argnames="hermitian")
def _pinv(a: Any, rtol: Any = None, hermitian: bool = False) -> Any:
    a = inexact("pinv", a)
    m, n = a.shape[-2:]
    if not m or not n:
        return empty((*a.shape[:-2], n, m), a.dtype)
    if rtol is None:
        rtol = 10.0 * max(m, n) * array(dtypes.finfo(a.dtype).eps)
    rtol = asarray(rtol)
    u, s, vh = svd(conj(a) if a.dtype.kind == "c" else a, full_matrices=False, hermitian=hermitian)
    rtol = expand_dims(rtol[..., None], range(s.ndim - rtol.ndim - 1))
    s = where(s > rtol * s[..., 0:1], s, np.inf).astype(u.dtype)
    return matmul(vh.mT, u.mT / s[..., None], precision=Precision.HIGHEST).astype(a.dtype)


@_pinv.defjvp
def _pinv_jvp(rtol: Any, hermitian: bool, primals: Any, tangents: Any) -> tuple[Any, Any]:
    """d p = -p da p + p p^H da^H (1 - a p) + (1 - p a) da^H p^H p, associated so that intermediates stay small."""
    (a,), (da,) = primals, tangents
    p = pinv(a, rtol=rtol, hermitian=hermitian)
    if hermitian:
        a, da = (a + adjoint(a)) / 2, (da + adjoint(da)) / 2
    if a.shape[-2] >= a.shape[-1]:
        s, t = (p @ adjoint(p)) @ adjoint(da), (adjoint(da) @ adjoint(p)) @ p
        return p, -(p @ da) @ p + s - (s @ a) @ p + t - (p @ a) @ t
    s, t = p @ (adjoint(p) @ adjoint(da)), adjoint(da) @ (adjoint(p) @ p)
    return p, -p @ (da @ p) + s - s @ (a @ p) + t - p @ (a @ t)


def lstsq(a: Any, b: Any, rcond: Any = None, *, numpy_resid: bool = False) -> tuple[Any, Any, Any, Any]:
    """The x that minimises |a x - b|, the squared residuals, the rank of `a` and its singular values.

    Singular values below `rcond` times the largest count as zero. With `numpy_resid` the residuals are empty where
    NumPy's are.
    """
    a, b = array_arguments("jnp.linalg.lstsq", a, b)
    return _lstsq(a, b, rcond, numpy_resid=True) if numpy_resid else _jit_lstsq(a, b, rcond)


def _lstsq(a: Any, b: Any, rcond: Any, *, numpy_resid: bool = False) -> tuple[Any, Any, Any, Any]:
    a, b = promote_dtypes_inexact(a, b)
    if a.shape[0] != b.shape[0]:
        raise ValueError("Leading dimensions of input arrays must match")
    vector = b.ndim == 1
    b = b[:, None] if vector else b
    if a.ndim != 2:
        raise TypeError(f"{a.ndim}-dimensional array given. Array must be two-dimensional")
    if b.ndim != 2:
        raise TypeError(f"{b.ndim}-dimensional array given. Array must be one or two-dimensional")
    x, rank, s = _least_squares(a, b, rcond)
    if numpy_resid and (rank < a.shape[1] or a.shape[0] <= a.shape[1]):
        residuals = asarray([])
    else:
        residuals = norm(b - matmul(a, x, precision=Precision.HIGHEST), axis=0) ** 2
    return x.ravel() if vector else x, residuals, rank, s


_jit_lstsq = jit(partial(_lstsq, numpy_resid=False))


def _least_squares(a: Any, b: Any, rcond: Any) -> tuple[Any, Any, Any]:
    """The solution by the singular value decomposition, the rank and the singular values."""
    m, n = a.shape
    if not a.size:
        return zeros((n, *b.shape[1:]), dtype=a.dtype), array(0, dtype=int), empty(0, dtype=a.dtype)
    eps = dtypes.finfo(a.dtype).eps
    rcond = float(eps) * max(n, m) if rcond is None else where(rcond < 0, eps, rcond)
    u, s, vh = svd(a, full_matrices=False)
    kept = (s > 0) & (s >= array(rcond, dtype=s.dtype) * s[0])
    rank = kept.sum()
    inverse = where(kept, 1 / where(kept, s, 1).astype(a.dtype), 0)[:, None]
    coefficients = matmul(u.conj().T, b, precision=Precision.HIGHEST)
    return matmul(vh.conj().T, inverse * coefficients, precision=Precision.HIGHEST), rank, s
