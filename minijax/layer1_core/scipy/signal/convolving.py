"""Convolution and correlation in any number of dimensions, directly or by Fourier transforms."""

from collections.abc import Sequence
from typing import Any

from ...jnp.arguments import array_arguments, axis_tuple
from ...jnp.fft import fftn, ifftn, irfftn, rfftn
from ...jnp.promotion import promote_dtypes_inexact
from ...jnp.rearranging import flip
from ...lax.conv import conv_general_dilated
from ...lax.indexing import dynamic_slice

_MODES = ("full", "same", "valid")


def convolve(in1: Any, in2: Any, mode: str = "full", method: str = "auto", precision: Any = None) -> Any:
    """The sums of products of `in1` with `in2` flipped and shifted: see numpy.convolve for `mode`."""
    if method == "fft":
        return fftconvolve(in1, in2, mode=mode)
    if method not in ("direct", "auto"):
        raise ValueError(f"Got {method=}; expected 'auto', 'fft', or 'direct'.")
    return _direct(in1, in2, mode, precision)


def correlate(in1: Any, in2: Any, mode: str = "full", method: str = "auto", precision: Any = None) -> Any:
    """`convolve` with `in2` conjugated and flipped back."""
    in1, in2 = array_arguments("correlate", in1, in2)
    return convolve(in1, flip(in2.conj()), mode, precision=precision, method=method)


def _direct(in1: Any, in2: Any, mode: str, precision: Any) -> Any:
    """As one convolution of the larger array with the smaller one."""
    if mode not in _MODES:
        raise ValueError("mode must be one of ['full', 'same', 'valid']")
    in1, in2 = promote_dtypes_inexact(*array_arguments("convolve", in1, in2))
    if in1.ndim != in2.ndim:
        raise ValueError("in1 and in2 must have the same number of dimensions")
    if in1.size == 0 or in2.size == 0:
        raise ValueError(f"zero-size arrays not supported in convolutions, got shapes {in1.shape} and {in2.shape}.")
    large, small = _by_size(in1, in2, "One input must be smaller than the other in every dimension.")
    padding = [_pad(mode, n, own) for n, own in zip(small.shape, in2.shape, strict=True)]
    small = flip(small)
    image, kernel = large[None, None], small[None, None]
    return conv_general_dilated(image, kernel, (1,) * small.ndim, padding, precision=precision)[0, 0]


def _by_size(in1: Any, in2: Any, complaint: str) -> tuple[Any, Any]:
    """The larger array and the smaller one. Raises ValueError where neither is larger along every axis."""
    pairs = list(zip(in1.shape, in2.shape, strict=True))
    if all(a <= b for a, b in pairs):
        return in2, in1
    if all(a >= b for a, b in pairs):
        return in1, in2
    raise ValueError(complaint)


def _pad(mode: str, n: int, own: int) -> tuple[int, int]:
    """The zeros before and after an axis: `n` is the smaller array's size there, `own` that of the second one."""
    if mode == "valid":
        return 0, 0
    if mode == "full":
        return n - 1, n - 1
    return n - 1 - (own - 1) // 2, n - own + (own - 1) // 2


def fftconvolve(in1: Any, in2: Any, mode: str = "full", axes: Sequence[int] | None = None) -> Any:
    """`convolve` along `axes` (all for None), as the inverse transform of the product of two transforms."""
    in1, in2 = promote_dtypes_inexact(*array_arguments("fftconvolve", in1, in2))
    if in1.ndim != in2.ndim:
        raise ValueError("in1 and in2 should have the same dimensionality")
    if mode not in _MODES:
        raise ValueError("mode must be one of ['same', 'full', 'valid']")
    axes = axis_tuple(axes, in1.ndim)
    used = sorted(axes)
    if any(in1.shape[d] != in2.shape[d] for d in range(in1.ndim) if d not in used):
        raise ValueError(f"mapped axes must have same shape; got {in1.shape=} {in2.shape=} {axes=}")
    if mode == "valid":
        complaint = "For 'valid' mode, One input must be at least as large as the other in every dimension."
        in1, in2 = _by_size(in1, in2, complaint)
    full = {d: in1.shape[d] + in2.shape[d] - 1 for d in used}
    out = _product_of_spectra(in1, in2, used, [full[d] for d in used])
    sizes, starts = list(in1.shape), [0] * in1.ndim
    for d in used:
        sizes[d] = {"full": full[d], "same": in1.shape[d], "valid": in1.shape[d] - in2.shape[d] + 1}[mode]
        starts[d] = (full[d] - sizes[d]) // 2
    return dynamic_slice(out, starts, sizes)


def _product_of_spectra(in1: Any, in2: Any, axes: Sequence[int], sizes: Sequence[int]) -> Any:
    if all(in1.shape[d] == 1 or in2.shape[d] == 1 for d in axes):
        return in1 * in2
    transform, inverse = (fftn, ifftn) if in1.dtype.kind == "c" else (rfftn, irfftn)
    return inverse(transform(in1, sizes, axes) * transform(in2, sizes, axes), sizes, axes)


# ---- two dimensions


def convolve2d(
    in1: Any, in2: Any, mode: str = "full", boundary: str = "fill", fillvalue: float = 0, precision: Any = None
) -> Any:
    """`convolve` of two matrices."""
    in1, in2 = _matrices("convolve2d", in1, in2, boundary, fillvalue)
    return _direct(in1, in2, mode, precision)


def correlate2d(
    in1: Any, in2: Any, mode: str = "full", boundary: str = "fill", fillvalue: float = 0, precision: Any = None
) -> Any:
    """`correlate` of two matrices, with SciPy's choice of which one is shifted over the other."""
    in1, in2 = _matrices("correlate2d", in1, in2, boundary, fillvalue)
    smaller = all(a <= b for a, b in zip(in1.shape, in2.shape, strict=True))
    if mode != "same" and smaller and not (mode == "valid" and in1.shape == in2.shape):
        out = _direct(flip(in2), in1.conj(), mode, precision)
        return out if mode == "valid" else out.conj()
    return flip(_direct(flip(in1), in2.conj(), mode, precision))


def _matrices(name: str, in1: Any, in2: Any, boundary: str, fillvalue: float) -> list[Any]:
    if boundary != "fill" or fillvalue != 0:
        raise NotImplementedError(f"{name}() only supports boundary='fill', fillvalue=0")
    arrays = array_arguments(name, in1, in2)
    if any(x.ndim != 2 for x in arrays):
        raise ValueError(f"{name}() only supports 2-dimensional inputs.")
    return arrays
