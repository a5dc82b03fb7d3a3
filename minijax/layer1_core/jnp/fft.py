"""jax.numpy.fft: discrete Fourier transforms along one, two or any axes, of complex and of real arrays."""

import operator
from collections.abc import Sequence
from typing import Any

from .. import dtypes
from ..aval import Shape
from ..device_put import device_put
from ..lax.fft import FftType, fft as lax_fft
from .arguments import array_argument
from .array_creation import arange, array, asarray
from .mathematics import sqrt
from .numbers import conj
from .padding import pad
from .promotion import promote_dtypes_inexact
from .rearranging import roll
from .shaping import moveaxis

Axes = Sequence[int] | None

# ---- the transform along given axes


def _transform(name: str, kind: FftType, a: Any, s: Sequence[int] | None, axes: Axes, norm: str | None) -> Any:
    """The transform of `kind` along `axes` (all for None), after cutting or padding them to the sizes `s`.

    The axes are moved to the end, transformed, and moved back. Raises ValueError in the name of jax.numpy.fft.NAME.
    """
    full_name = f"jax.numpy.fft.{name}"
    a = array_argument(full_name, a)
    s = _checked_sizes(s, axes)
    used = range(a.ndim if s is None else len(s)) if axes is None else axes
    if len(set(used)) != len(used):
        raise ValueError(f"{full_name} does not support repeated axes. Got axes {axes}.")
    last = tuple(range(a.ndim - len(used), a.ndim))
    a = a if axes is None else moveaxis(a, axes, last)
    a, sizes = _fit(a, kind, s, last)
    out = _transform_last(a, kind, sizes)
    if norm is not None:
        out = out * _factor(array(sizes, dtype=out.dtype), name, norm)
    return out if axes is None else moveaxis(out, last, axes)


def _checked_sizes(s: Sequence[int] | None, axes: Axes) -> Shape | None:
    if s is None:
        return None
    sizes = tuple(map(operator.index, s))
    if any(n <= 0 for n in sizes):
        raise ValueError("Shape should be positive.")
    if axes is not None and len(sizes) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    return sizes


def _fit(a: Any, kind: FftType, s: Shape | None, last: tuple[int, ...]) -> tuple[Any, Shape]:
    """`a` with its last axes cut or padded with zeros to what a result of sizes `s` needs, and those sizes."""
    own = tuple(a.shape[d] for d in last)
    if s is None:
        return a, (*own[:-1], max(0, 2 * (own[-1] - 1))) if kind == FftType.IRFFT and own else own
    wanted = (*s[:-1], s[-1] // 2 + 1) if kind == FftType.IRFFT else s
    shape = (*a.shape[: a.ndim - len(last)], *wanted)
    a = a[tuple(slice(n) for n in shape)]
    return pad(a, [(0, n - m) for n, m in zip(shape, a.shape, strict=True)]), s


def _transform_last(a: Any, kind: FftType, sizes: Shape) -> Any:
    """The transform along the last axes. The primitive takes three at a time: the others are brought behind."""
    if len(sizes) <= 3:
        return lax_fft(a, kind, sizes)
    n = 2 if len(sizes) == 4 else 3
    first = range(a.ndim - len(sizes), a.ndim - n)
    behind = range(a.ndim - len(sizes) + n, a.ndim)
    if kind in (FftType.FFT, FftType.RFFT):
        a = moveaxis(lax_fft(a, kind, sizes[-n:]), first, behind)
        return moveaxis(_transform_last(a, FftType.FFT, sizes[:-n]), behind, first)
    a = _transform_last(moveaxis(a, first, behind), FftType.IFFT, sizes[:-n])
    return lax_fft(moveaxis(a, behind, first), kind, sizes[-n:])


def _factor(sizes: Any, name: str, norm: str) -> Any:
    """What a transform is multiplied with so that it has the norm that was asked for."""
    if norm == "backward":
        return array(1)
    (sizes,) = promote_dtypes_inexact(sizes)
    if norm not in ("ortho", "forward"):
        raise ValueError(f'Invalid norm value {norm}; should be "backward","ortho" or "forward".')
    size = sizes.prod()
    size = sqrt(size) if norm == "ortho" else size
    return size if name.startswith("i") else 1 / size


# ---- along any axes


def fftn(a: Any, s: Any = None, axes: Axes = None, norm: str | None = None) -> Any:
    """The transform of `a` along `axes`, after cutting or padding them to the sizes `s`."""
    return _transform("fftn", FftType.FFT, a, s, axes, norm)


def ifftn(a: Any, s: Any = None, axes: Axes = None, norm: str | None = None) -> Any:
    """The inverse of `fftn`."""
    return _transform("ifftn", FftType.IFFT, a, s, axes, norm)


def rfftn(a: Any, s: Any = None, axes: Axes = None, norm: str | None = None) -> Any:
    """`fftn` of a real array: only the half of the last axis that is not the conjugate of the other."""
    return _transform("rfftn", FftType.RFFT, a, s, axes, norm)


def irfftn(a: Any, s: Any = None, axes: Axes = None, norm: str | None = None) -> Any:
    """The inverse of `rfftn`; `s` says whether the last axis had an even (the default) or an odd size."""
    return _transform("irfftn", FftType.IRFFT, a, s, axes, norm)


# ---- along one axis


def _check_axis(name: str, axis: Any) -> None:
    if isinstance(axis, (list, tuple)):
        full = f"jax.numpy.fft.{name}"
        raise ValueError(f"{full} does not support multiple axes. Please use {full}n. Got axis = {axis!r}.")


def _transform_1d(name: str, kind: FftType, a: Any, n: int | None, axis: Any, norm: str | None) -> Any:
    _check_axis(name, axis)
    return _transform(name, kind, a, None if n is None else [n], None if axis is None else [axis], norm)


def fft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """out[k] = sum_j a[j] exp(-2 pi i j k / n), along `axis` cut or padded to size n."""
    return _transform_1d("fft", FftType.FFT, a, n, axis, norm)


def ifft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse of `fft`."""
    return _transform_1d("ifft", FftType.IFFT, a, n, axis, norm)


def rfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """`fft` of a real array: the first n // 2 + 1 elements, of which the others are conjugates."""
    return _transform_1d("rfft", FftType.RFFT, a, n, axis, norm)


def irfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse of `rfft`, of size n (by default even)."""
    return _transform_1d("irfft", FftType.IRFFT, a, n, axis, norm)


def hfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The real transform of an array that is its own conjugate when reversed, given by its first half."""
    a = conj(a)
    _check_axis("hfft", axis)
    size = (a.shape[axis] - 1) * 2 if n is None else n
    return _transform_1d("hfft", FftType.IRFFT, a, n, axis, norm) * size


def ihfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse of `hfft`."""
    _check_axis("ihfft", axis)
    a = asarray(a)
    size = a.shape[axis] if n is None else n
    return conj(_transform_1d("ihfft", FftType.RFFT, a, n, axis, norm)) * (1 / size)


# ---- along two axes


def _transform_2d(name: str, kind: FftType, a: Any, s: Any, axes: Sequence[int], norm: str | None) -> Any:
    if len(axes) != 2:
        raise ValueError(f"jax.numpy.fft.{name} only supports 2 axes. Got axes = {axes!r}.")
    return _transform(name, kind, a, s, axes, norm)


def fft2(a: Any, s: Any = None, axes: Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """`fftn` along two axes."""
    return _transform_2d("fft2", FftType.FFT, a, s, axes, norm)


def ifft2(a: Any, s: Any = None, axes: Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """`ifftn` along two axes."""
    return _transform_2d("ifft2", FftType.IFFT, a, s, axes, norm)


def rfft2(a: Any, s: Any = None, axes: Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """`rfftn` along two axes."""
    return _transform_2d("rfft2", FftType.RFFT, a, s, axes, norm)


def irfft2(a: Any, s: Any = None, axes: Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """`irfftn` along two axes."""
    return _transform_2d("irfft2", FftType.IRFFT, a, s, axes, norm)


# ---- which frequency an element stands for


def _check_numbers(name: str, n: Any, d: Any) -> None:
    if isinstance(n, (list, tuple)):
        raise ValueError(f"The n argument of jax.numpy.fft.{name} only takes an int. Got n = {list(n)}.")
    if isinstance(d, (list, tuple)):
        raise ValueError(f"The d argument of jax.numpy.fft.{name} only takes a single value. Got d = {list(d)}.")


def fftfreq(n: int, d: Any = 1.0, *, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of the elements of an `fft` of size n, for samples at distances `d`: 0, 1/nd, ..., -1/nd."""
    result_dtype = dtype or dtypes.canonicalize_dtype(dtypes.float_)
    _check_numbers("fftfreq", n, d)
    dtype = dtypes.to_inexact_dtype(dtypes.check_user_dtype_supported(result_dtype, "fftfreq"))
    dtype = dtypes.real_dtype(dtype)
    i = arange(n, dtype=dtype, device=device)
    k = (i + n // 2) % n - n // 2
    return (k.astype(dtype) / array(d * n, dtype=dtype, device=device)).astype(result_dtype)


def rfftfreq(n: int, d: Any = 1.0, *, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of the elements of an `rfft` of size n, for samples at distances `d`: 0, 1/nd, ..., 1/2d."""
    dtype = dtype or dtypes.canonicalize_dtype(dtypes.float_)
    _check_numbers("rfftfreq", n, d)
    out = arange(0, n // 2 + 1, dtype=dtype) / array(d * n, dtype=dtype)
    return out if device is None else device_put(out, device)


def _half_sizes(x: Any, axes: Any) -> tuple[Any, Any]:
    """Half the size of each of `axes` (one number for one axis), and the axes."""
    if axes is None:
        return [n // 2 for n in x.shape], tuple(range(x.ndim))
    if isinstance(axes, int):
        return x.shape[axes] // 2, axes
    return [x.shape[d] // 2 for d in axes], axes


def fftshift(x: Any, axes: Any = None) -> Any:
    """`x` rolled so that frequency 0 is in the middle of `axes` (all for None)."""
    x = array_argument("fftshift", x)
    return roll(x, *_half_sizes(x, axes))


def ifftshift(x: Any, axes: Any = None) -> Any:
    """The inverse of `fftshift`."""
    x = array_argument("ifftshift", x)
    shift, axes = _half_sizes(x, axes)
    return roll(x, -shift if isinstance(shift, int) else [-n for n in shift], axes)
