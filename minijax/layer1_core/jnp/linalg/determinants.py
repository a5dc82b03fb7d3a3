"""Determinants: by their formulas for small matrices, by elimination for others; and the rules of their derivatives."""

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...custom_derivative import custom_jvp
from ...jit import jit
from ...lax import linalg as lax
from ...lax.shaping import broadcast_shapes, expand_dims
from .. import numbers
from ..array_creation import arange, array, asarray, ones, zeros_like
from ..choosing import where
from ..creation import diagonal, trace
from ..joining import concatenate
from ..mathematics import exp, log
from ..promotion import promote_dtypes_inexact
from ..reductions import count_nonzero
from ..shaping import broadcast_to
from ..taking import take_along_axis
from .factoring import inexact
from .solving import solve


class SlogdetResult(NamedTuple):
    """The sign of a determinant (a unit complex number for complex matrices) and the logarithm of its modulus."""

    sign: Any
    logabsdet: Any


# ---- sign and logarithm: the determinant itself may be too large or too small to be written


@partial(jit, static_argnames=("method",))
def slogdet(a: Any, *, method: str | None = None) -> SlogdetResult:
    """SlogdetResult(sign, logabsdet) of each square matrix; (0, -inf) for a singular one.

    `method` is "lu" (elimination, the default) or "qr". Raises ValueError for matrices that are not square.
    """
    a = inexact("slogdet", a)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"Argument to slogdet() must have shape [..., n, n], got {a.shape}")
    if method not in (None, "lu", "qr"):
        raise ValueError(f"Unknown slogdet method '{method}'. Supported methods are 'lu' (`None`), and 'qr'.")
    if method == "qr":
        return SlogdetResult(*_slogdet_qr(a))
    return SlogdetResult(*(_slogdet_small(a) if a.shape[-1] in (1, 2) else _slogdet_lu(a)))


@custom_jvp
def _slogdet_small(a: Any) -> tuple[Any, Any]:
    if a.shape[-1] == 1:
        det = a[..., 0, 0]
    else:
        a00, a01, a10, a11 = _entries_2x2(a)
        det = a00 * a11 - a01 * a10
    size = numbers.abs(det)
    return numbers.sign(det), numbers.real(log(size))


@custom_jvp
def _slogdet_lu(a: Any) -> tuple[Any, Any]:
    """P A = L U: the product of U's diagonal, negative where P exchanges rows an odd number of times."""
    lu, pivots, _ = lax.lu(a)
    diag = diagonal(lu, axis1=-2, axis2=-1)
    singular = (diag == array(0, dtype=a.dtype)).any(axis=-1)
    flips = count_nonzero(pivots != _row_numbers(pivots), axis=-1)
    if a.dtype.kind == "c":
        sign = (diag / numbers.abs(diag).astype(diag.dtype)).prod(axis=-1)
    else:
        sign = array(1, dtype=a.dtype)
        flips = flips + count_nonzero(diag < 0, axis=-1)
    sign = where(singular, array(0, dtype=a.dtype), sign * array(-2 * (flips % 2) + 1, dtype=a.dtype))
    total = log(numbers.abs(diag)).astype(a.dtype).sum(axis=-1)
    return sign, numbers.real(where(singular, array(-np.inf, dtype=a.dtype), total))


def _row_numbers(pivots: Any) -> Any:
    """0, 1, ..., along the last axis of `pivots`: what they are where no rows are exchanged."""
    return expand_dims(arange(pivots.shape[-1], dtype=pivots.dtype), range(pivots.ndim - 1))


@custom_jvp
def _slogdet_qr(a: Any) -> tuple[Any, Any]:
    """A = Q R: each Householder reflection in Q changes the sign."""
    if a.dtype.kind == "c":
        raise NotImplementedError("slogdet method='qr' not implemented for complex inputs")
    factors, taus = lax.geqrf(a)
    diag = diagonal(factors, axis1=-2, axis2=-1)
    total = log(numbers.abs(diag)).sum(axis=-1)
    sign = numbers.sign(diag).prod(axis=-1)
    return sign * where(taus[..., : a.shape[-1] - 1] != 0, -1, 1).prod(axis=-1).astype(sign.dtype), total


# ---- determinants


@jit
def det(a: Any) -> Any:
    """The determinant of each square matrix. Raises ValueError for other shapes."""
    a = inexact("det", a)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"Argument to _det() must have shape [..., n, n], got {a.shape}")
    return {2: _det_2x2, 3: _det_3x3}.get(a.shape[-1], _det)(a)


def _det_2x2(a: Any) -> Any:
    return a[..., 0, 0] * a[..., 1, 1] - a[..., 0, 1] * a[..., 1, 0]


def _entries_2x2(a: Any) -> tuple[Any, Any, Any, Any]:
    return a[..., 0, 0], a[..., 0, 1], a[..., 1, 0], a[..., 1, 1]


def _det_3x3(a: Any) -> Any:
    """The rule of Sarrus: three diagonals down, less three diagonals up."""

    def at(i: int, j: int) -> Any:
        return a[..., i, j]

    return (
        at(0, 0) * at(1, 1) * at(2, 2)
        + at(0, 1) * at(1, 2) * at(2, 0)
        + at(0, 2) * at(1, 0) * at(2, 1)
        - at(0, 2) * at(1, 1) * at(2, 0)
        - at(0, 0) * at(1, 2) * at(2, 1)
        - at(0, 1) * at(1, 0) * at(2, 2)
    )


@custom_jvp
def _det(a: Any) -> Any:
    sign, logarithm = slogdet(a)
    return sign * exp(logarithm).astype(sign.dtype)


# ---- rules: d log det A = tr(A^-1 dA), d det A = tr(adj(A) dA)


def _signed(sign: Any, logarithm: Any, rate: Any) -> Any:
    """((sign, logarithm), their tangents), from the tangent of the complex logarithm of the determinant."""
    if rate.dtype.kind == "c":
        real = numbers.real(rate)
        return (sign, logarithm), ((rate - real.astype(rate.dtype)) * sign, real)
    return (sign, logarithm), (zeros_like(sign), rate)


def _slogdet_small_jvp(primals: Any, tangents: Any) -> Any:
    (x,), (dx,) = primals, tangents
    sign, logarithm = _slogdet_small(x)
    if x.shape[-1] == 1:
        return _signed(sign, logarithm, dx[..., 0, 0] / x[..., 0, 0])
    x00, x01, x10, x11 = _entries_2x2(x)
    det = x00 * x11 - x01 * x10
    rate = dx[..., 0, 0] * x11 - dx[..., 0, 1] * x10 - dx[..., 1, 0] * x01 + dx[..., 1, 1] * x00
    return _signed(sign, logarithm, rate / det)


def _slogdet_jvp(primals: Any, tangents: Any) -> Any:
    (x,), (dx,) = primals, tangents
    sign, logarithm = slogdet(x)
    return _signed(sign, logarithm, trace(solve(x, dx), axis1=-1, axis2=-2))


_slogdet_small.defjvp(_slogdet_small_jvp)
_slogdet_lu.defjvp(_slogdet_jvp)
_slogdet_qr.defjvp(_slogdet_jvp)


@_det.defjvp
def _det_jvp(primals: Any, tangents: Any) -> Any:
    """Through the adjugate, not the inverse: it is right for singular matrices too."""
    (x,), (dx,) = primals, tangents
    det, adjugate_dx = _cofactor_solve(x, dx)
    return det, trace(adjugate_dx, axis1=-1, axis2=-2)


def _cofactor_solve(a: Any, b: Any) -> tuple[Any, Any]:
    """det(a), and adj(a) b = det(a) a^-1 b, which is finite where a has rank n - 1.

    With P a = L U, the last pivot of U is replaced by what makes the product of all pivots 1 (up to the sign of P):
    U'^-1 then has the cofactors that the small pivot would blow up. Where a rank below n - 1 leaves nothing but
    infinities, the result is 0.
    """
    (a,), (b,) = promote_dtypes_inexact(a), promote_dtypes_inexact(b)
    if a.shape[-1] == 1:
        return a[..., 0, 0], b
    lu, pivots, permutation = lax.lu(a)
    batch = broadcast_shapes(lu.shape[:-2], b.shape[:-2])
    x, lu = broadcast_to(b, (*batch, *b.shape[-2:])), broadcast_to(lu, (*batch, *lu.shape[-2:]))
    flips = count_nonzero(pivots != _row_numbers(pivots), axis=-1)
    sign = asarray(-2 * (flips % 2) + 1, dtype=a.dtype)
    partial_det = diagonal(lu, axis1=-2, axis2=-1).cumprod(axis=-1) * sign[..., None]
    lu = lu.at[..., -1, -1].set(1.0 / partial_det[..., -2])
    hopeless = _has_infinities(lu, x)
    x = where(hopeless, zeros_like(x), x)
    x = take_along_axis(x, broadcast_to(permutation, (*batch, a.shape[-1]))[..., None], axis=-2)
    x = lax.triangular_solve(lu, x, left_side=True, lower=True, unit_diagonal=True)
    x = concatenate((x[..., :-1, :] * partial_det[..., -1, None, None], x[..., -1:, :]), axis=-2)
    x = lax.triangular_solve(lu, x, left_side=True, lower=False)
    return partial_det[..., -1], where(hopeless, zeros_like(x), x)


def _has_infinities(lu: Any, x: Any) -> Any:
    """Whether solving with the upper triangle gives anything but finite numbers, for each matrix: [..., 1, 1]."""
    probe = lax.triangular_solve(lu, ones((*x.shape[:-1], 1), x.dtype), left_side=True, lower=False)
    return ~numbers.isfinite(probe).all(axis=(-2, -1), keepdims=True)
