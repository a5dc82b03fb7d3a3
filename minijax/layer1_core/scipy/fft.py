"""jax.scipy.fft: cosine transforms of type 2 and their inverses."""

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..jnp.arguments import array_argument, axis_tuple
from ..jnp.array_creation import arange, zeros_like
from ..jnp.fft import fft, ifft
from ..jnp.joining import concatenate
from ..jnp.mathematics import exp
from ..jnp.promotion import promote_dtypes_inexact
from ..jnp.shaping import moveaxis
from ..lax.elementwise import complex as lax_complex
from ..lax.indexing import rev
from ..lax.shaping import canonicalize_axis, pad as lax_pad


def dct(x: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """out[k] = 2 sum_j x[j] cos(pi k (2 j + 1) / 2 n), along `axis` padded to size n; orthogonal for `norm` "ortho"."""
    return _along("dct", _dct, x, type, n, axis, norm)


def idct(x: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse of `dct`."""
    return _along("idct", _idct, x, type, n, axis, norm)


def dctn(
    x: Any,
    type: int = 2,
    s: Sequence[int] | int | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Any:
    """`dct` along several axes: all for None, or the last ones for sizes `s`."""
    return _along_axes("dctn", _dct, x, type, s, axes, norm)


def idctn(
    x: Any,
    type: int = 2,
    s: Sequence[int] | int | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Any:
    """The inverse of `dctn`."""
    return _along_axes("idctn", _idct, x, type, s, axes, norm)


def _checked(name: str, x: Any, type: int, norm: str | None) -> Any:
    x = array_argument(name, x)
    if type != 2:
        raise NotImplementedError("Only DCT type 2 is implemented.")
    if norm not in (None, "backward", "ortho"):
        raise ValueError(f"jax.scipy.fft.{name}: norm={norm!r} is not implemented")
    return promote_dtypes_inexact(x)[0]


def _along(name: str, transform: Any, x: Any, type: int, n: int | None, axis: int, norm: str | None) -> Any:
    x = _checked(name, x, type, norm)
    axis = canonicalize_axis(axis, x.ndim)
    x = moveaxis(x, axis, -1)
    if n is not None:
        x = lax_pad(x, x.dtype.type(0), [(0, 0, 0)] * (x.ndim - 1) + [(0, n - x.shape[-1], 0)])
    if x.dtype.kind == "c":
        out = lax_complex(transform(x.real, norm), transform(x.imag, norm))
    else:
        out = transform(x, norm)
    return moveaxis(out, -1, axis)


def _along_axes(name: str, transform: Any, x: Any, type: int, s: Any, axes: Any, norm: str | None) -> Any:
    x = _checked(name, x, type, norm)
    sizes = None if s is None else [operator.index(s)] if hasattr(s, "__index__") else list(s)
    if sizes is not None and len(sizes) > x.ndim:
        raise ValueError(f"s must have at most x.ndim ({x.ndim}) elements, got {len(sizes)}")
    axes = range(x.ndim - len(sizes), x.ndim) if axes is None and sizes is not None else axis_tuple(axes, x.ndim)
    for axis, n in zip(axes, sizes or [None] * len(axes), strict=False):
        x = _along(name, transform, x, type, n, axis, norm)
    return x


def _dct(x: Any, norm: str | None) -> Any:
    """Along the last axis, by a transform of the even elements followed by the odd ones backwards."""
    n = x.shape[-1]
    mixed = concatenate([x[..., ::2], rev(x[..., 1::2], (x.ndim - 1,))], axis=-1)
    out = 2 * (fft(mixed) * _quarter_turns(n, x.dtype)).real
    return out / _lengths(n, x.dtype) if norm == "ortho" else out


def _idct(x: Any, norm: str | None) -> Any:
    n = x.shape[-1]
    lengths = _lengths(n, x.dtype)
    x = x / lengths if norm == "ortho" else x / lengths / lengths
    mixed = ifft(x / _quarter_turns(n, x.dtype) * (2 * n)).real
    half = (n + 1) // 2
    return (
        zeros_like(mixed).at[..., ::2].set(mixed[..., :half]).at[..., 1::2].set(rev(mixed[..., half:], (x.ndim - 1,)))
    )


def _quarter_turns(n: int, dtype: Any) -> Any:
    """exp(-i pi k / 2 n)."""
    return exp(-0.5j * np.pi * arange(n, dtype=dtype) / n)


def _lengths(n: int, dtype: Any) -> np.ndarray:
    """The lengths of the rows of the transform as a matrix."""
    return np.sqrt(np.where(np.arange(n) == 0, 4, 2) * n).astype(dtype)
