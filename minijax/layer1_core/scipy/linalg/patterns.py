"""Matrices with a pattern: block diagonal, Toeplitz and its kin, companions of polynomials, famous examples."""

import math
import operator
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ... import dtypes
from ...jit import jit
from ...jnp.arguments import array_argument, array_arguments
from ...jnp.array_creation import arange, eye, full as jnp_full, ones, zeros, zeros_like
from ...jnp.choosing import where
from ...jnp.joining import block, concatenate
from ...jnp.mathematics import exp, sqrt
from ...jnp.numbers import conjugate
from ...jnp.padding import pad as jnp_pad
from ...jnp.products import dot
from ...jnp.promotion import promote_dtypes
from ...jnp.rearranging import flip
from ...jnp.shaping import atleast_1d, atleast_2d, broadcast_shapes, broadcast_to
from ...lax.shaping import broadcasted_iota, pad
from ..arguments import inexact
from ..special.gamma import comb


@jit
def block_diag(*arrs: Any) -> Any:
    """The matrix with the given ones along its diagonal and zeros elsewhere. Vectors are rows."""
    arrays = promote_dtypes(*(arrs or (zeros((1, 0)),)))
    for i, a in enumerate(arrays):
        if np.ndim(a) > 2:
            raise ValueError(
                f"Arguments to jax.scipy.linalg.block_diag must have at most 2 dimensions, got {a} at argument {i}."
            )
    rows = [atleast_2d(a) for a in arrays]
    width, before, padded = sum(a.shape[1] for a in rows), 0, []
    for a in rows:
        after = width - before - a.shape[1]
        padded.append(pad(a, a.dtype.type(0), ((0, 0, 0), (before, after, 0))))
        before += a.shape[1]
    return concatenate(padded, axis=0)


# ---- constant along diagonals


def _column_and_row(name: str, c: Any, r: Any, default: Callable[[Any], Any]) -> Sequence[Any]:
    """Both as arrays; a row that is not given is `default` of the column."""
    if r is not None:
        return array_arguments(name, c, r)
    c = array_argument(name, c)
    return c, default(c)


def toeplitz(c: Any, r: Any = None) -> Any:
    """The matrix with first column `c` and first row `r` (by default the conjugate of c), constant along diagonals."""
    c, r = _column_and_row("toeplitz", c, r, conjugate)
    c, r = _same_batch(atleast_1d(c), atleast_1d(r))
    m, n = c.shape[-1], r.shape[-1]
    numbers = concatenate((c[..., ::-1], r[..., 1:]), axis=-1)  # from the last diagonal below to the last above
    return numbers[..., m - 1 - np.arange(m)[:, None] + np.arange(n)]


def hankel(c: Any, r: Any = None) -> Any:
    """The matrix with first column `c` and last row `r` (by default zeros), constant along antidiagonals."""
    c, r = _column_and_row("hankel", c, r, zeros_like)
    for name, x in (("c", c), ("r", r)):
        if x.ndim == 0:
            raise ValueError(f"hankel: {name} must be at least 1-dimensional, got a scalar.")
    c, r = _same_batch(c, r)
    m, n = c.shape[-1], r.shape[-1]
    return concatenate((c, r[..., 1:]), axis=-1)[..., np.arange(m)[:, None] + np.arange(n)]


def _same_batch(c: Any, r: Any) -> tuple[Any, Any]:
    batch = broadcast_shapes(c.shape[:-1], r.shape[:-1])
    return broadcast_to(c, batch + c.shape[-1:]), broadcast_to(r, batch + r.shape[-1:])


def circulant(c: Any) -> Any:
    """The matrix with first column `c`, each column being the one before it moved down by one, round the end."""
    c = atleast_1d(array_argument("circulant", c))
    n = c.shape[-1]
    return c[..., (np.arange(n)[:, None] - np.arange(n)) % n]


@partial(jit, static_argnames=("n", "mode"))
def convolution_matrix(a: Any, n: int, mode: str = "full") -> Any:
    """The matrix whose product with a vector of length n is its convolution with `a`, in numpy.convolve's `mode`."""
    n = operator.index(n)
    if n <= 0:
        raise ValueError(f"n must be a positive integer; got {n}.")
    a = array_argument("convolution_matrix", a)
    if a.ndim == 0:
        raise ValueError("convolution_matrix: a must be at least 1-dimensional, got a scalar.")
    m = a.shape[-1]
    if m < 1:
        raise ValueError(f"len(a) must be at least 1; got shape {a.shape}.")
    if mode not in ("full", "valid", "same"):
        raise ValueError(f"mode must be one of 'full', 'valid', 'same'; got {mode!r}.")
    widths = [(0, 0)] * (a.ndim - 1) + [(0, n - 1)]
    first_column, first_row = jnp_pad(a, widths), jnp_pad(flip(a, axis=-1), widths)
    size, cut = m + n - 1, min(n, m) - 1
    top, bottom = {"full": (0, 0), "same": (cut // 2, cut - cut // 2), "valid": (cut, cut)}[mode]
    return toeplitz(first_column[..., top : size - bottom], first_row[..., size - n - top : size - top])


# ---- of polynomials and populations


def companion(a: Any) -> Any:
    """The matrix whose eigenvalues are the roots of the polynomial with coefficients `a`, highest first."""
    a = atleast_1d(*inexact("companion", a))
    if a.shape[-1] < 2:
        raise ValueError(f"The length of `a` along the last axis must be at least 2; got shape {a.shape}.")
    return _under_row(-a[..., 1:] / a[..., :1], ones(a.shape[:-1] + (a.shape[-1] - 2,), a.dtype))


def leslie(f: Any, s: Any) -> Any:
    """The growth of a population by age: fertilities `f` in the first row, survival rates `s` below the diagonal."""
    f, s = map(atleast_1d, array_arguments("leslie", f, s))
    if f.shape[-1] < 2:
        raise ValueError(f"The length of f along the last axis must be at least 2; got shape {f.shape}.")
    if s.shape[-1] != f.shape[-1] - 1:
        raise ValueError(
            "Incorrect lengths for f and s. The length of s along the last axis must be one less than the length of "
            f"f; got f shape {f.shape} and s shape {s.shape}."
        )
    return _under_row(*_same_batch(*promote_dtypes(f, s)))


def _under_row(row: Any, below: Any) -> Any:
    """The square matrix with this first row and these numbers below its diagonal."""
    n = row.shape[-1]
    under = eye(n, dtype=row.dtype)[: n - 1] * below[..., None].astype(row.dtype)
    return concatenate([row[..., None, :], under], axis=-2)


def fiedler(a: Any) -> Any:
    """The matrix of the distances |a[i] - a[j]|."""
    a = atleast_1d(array_argument("fiedler", a))
    return abs(a[..., None] - a[..., None, :])


def fiedler_companion(a: Any) -> Any:
    """A matrix with five diagonals whose eigenvalues are the roots of the polynomial with coefficients `a`."""
    a = atleast_1d(*inexact("fiedler_companion", a))
    n = a.shape[-1] - 1
    if n < 0:
        raise ValueError(
            "fiedler_companion requires the last axis of 'a' to have nonzero length, "
            f"but got an array of shape {a.shape}."
        )
    a = a / a[..., :1]
    numbers = concatenate([-a, zeros_like(a[..., :1]), ones(a.shape[:-1] + (1,), a.dtype)], axis=-1)  # [-a, 0, 1]
    return numbers[..., _fiedler_pattern(n)]


def _fiedler_pattern(n: int) -> np.ndarray:
    """For each place of the matrix, which coefficient stands there; n + 1 for a zero, n + 2 for a one."""
    place = np.full((n, n), n + 1)
    for i in range(n):
        for j in range(n):
            if i == j == 0:
                place[i, j] = 1
            elif (i, j) == (1, 0) or (j == i + 2 and i % 2 == 0) or (j == i - 2 and i % 2 == 1 and i >= 3):
                place[i, j] = n + 2
            elif j == i + 1 and i % 2 == 0:
                place[i, j] = i + 2
            elif j == i - 1 and i % 2 == 0 and i >= 2:
                place[i, j] = i + 1
    return place


# ---- famous examples


@partial(jit, static_argnames=("n",))
def hilbert(n: int) -> Any:
    """1 / (i + j + 1): hard to invert."""
    a = broadcasted_iota(float, (n, 1), 0)
    return 1 / (a + a.T + 1)


@partial(jit, static_argnames=("n",))
def invhilbert(n: int) -> Any:
    """The inverse of `hilbert(n)`, by a formula."""
    a = arange(n, dtype=dtypes.canonicalize_dtype(float))
    i, j = a[:, None], a[None, :]
    s = i + j
    return (-1.0) ** s * (s + 1.0) * comb(n + i, n - j - 1) * comb(n + j, n - i - 1) * comb(s, i) ** 2


def _check_kind(kind: str | None, word: str) -> str:
    known = ["symmetric", "lower", "upper"]
    kind = kind or "symmetric"
    if kind not in known:
        raise ValueError(f"Expected kind to be {word} of: {known}; got {kind}")
    return kind


@partial(jit, static_argnames=("n", "kind"))
def pascal(n: int, kind: str | None = None) -> Any:
    """The binomial coefficients as a lower triangle, as an upper one, or (the default) as their product."""
    kind = _check_kind(kind, "on")
    a = arange(n, dtype=np.float32)
    lower = comb(a[:, None], a[None, :])
    return {"lower": lower, "upper": lower.T}[kind] if kind != "symmetric" else dot(lower, lower.T)


@partial(jit, static_argnames=("n", "kind"))
def invpascal(n: int, kind: str | None = None) -> Any:
    """The inverse of `pascal(n, kind)`, by a formula."""
    kind = _check_kind(kind, "one")
    a = arange(n, dtype=dtypes.canonicalize_dtype(float))
    i, j = a[:, None], a[None, :]
    lower = (-1.0) ** (i - j) * comb(i, j)
    return {"lower": lower, "upper": lower.T}[kind] if kind != "symmetric" else dot(lower.T, lower)


@partial(jit, static_argnames=("n", "full"))
def helmert(n: int, full: bool = False) -> Any:
    """Orthonormal rows, each the contrast of one coordinate to those before it; with `full`, first their mean."""
    if n < 1:
        raise ValueError(f"n must be a positive integer; got {n}.")
    i, j = arange(n - 1)[:, None], arange(n)[None, :]
    k = (i + 1).astype(dtypes.canonicalize_dtype(float))
    length = sqrt(k * (k + 1))
    rows = where(j <= i, 1.0 / length, where(j == i + 1, -k / length, zeros_like(length)))
    return concatenate([jnp_full((1, n), 1.0 / sqrt(n), dtype=rows.dtype), rows], axis=0) if full else rows


@partial(jit, static_argnames=("n", "dtype"))
def hadamard(n: int, dtype: Any = int) -> Any:
    """1 and -1 in orthogonal rows; n is a power of 2."""
    if n < 1 or not math.log2(n).is_integer():
        raise ValueError(f"n must be a positive power of 2; got {n}.")
    h = ones((1, 1), dtype=dtype)
    for _ in range(int(math.log2(n))):
        h = block([[h, h], [h, -h]])
    return h


@partial(jit, static_argnames=("n", "scale", "dtype"))
def dft(n: int, scale: str | None = None, *, dtype: Any = None) -> Any:
    """The matrix whose product with a vector is its Fourier transform; divided by sqrt(n) or n by `scale`."""
    if scale not in (None, "sqrtn", "n"):
        raise ValueError(f"scale must be None, 'sqrtn', or 'n'; got {scale!r}.")
    dtype = dtypes.canonicalize_dtype(complex) if dtype is None else dtypes.check_user_dtype_supported(dtype, "dft")
    if not dtypes.issubdtype(dtype, np.complexfloating):
        raise ValueError(f"dtype must be a complex floating-point type; got {dtype}.")
    a = arange(n, dtype=dtype)
    omegas = exp(-2j * np.pi * a[:, None] * a[None, :] / n)
    return omegas / (sqrt(n) if scale == "sqrtn" else n) if scale else omegas
