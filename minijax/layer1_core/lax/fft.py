"""Fourier transforms along the last axes."""

import enum
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from .. import dtypes
from ..aval import Shape, ShapedArray, shaped, typeof
from ..jit import jit
from .converting import convert
from .families import primitive


class FftType(enum.IntEnum):
    """Which transform: forward or inverse, and of what; R is for real numbers on the side of the signal."""

    FFT = 0
    IFFT = 1
    RFFT = 2
    IRFFT = 3


def _fft_rule(x: ShapedArray, *, fft_type: FftType, fft_lengths: Shape) -> ShapedArray:
    count = len(fft_lengths)
    if count > x.ndim:
        raise ValueError(
            f"FFT input shape {x.shape} must have at least as many input dimensions as fft_lengths {fft_lengths}."
        )
    batch, minor = x.shape[: x.ndim - count], x.shape[x.ndim - count :]
    _check_dtype(x, fft_type)
    _check_lengths(x, minor, fft_type, fft_lengths)
    if fft_type == FftType.RFFT:
        shape = *batch, *fft_lengths[:-1], fft_lengths[-1] // 2 + 1
        return shaped(shape, dtypes.complex_dtype(x.dtype), x.weak_type)
    if fft_type == FftType.IRFFT:
        return shaped((*batch, *fft_lengths), dtypes.real_dtype(x.dtype), x.weak_type)
    return x


def _check_dtype(x: ShapedArray, fft_type: FftType) -> None:
    if fft_type == FftType.RFFT:
        if x.dtype not in (np.float32, np.float64):
            raise ValueError(f"RFFT input must be float32 or float64, got {x.dtype}")
    elif x.dtype.kind != "c":
        name = "IRFFT" if fft_type == FftType.IRFFT else "FFT"
        raise ValueError(f"{name} input must be complex64 or complex128, got {x.dtype}")


def _check_lengths(x: ShapedArray, minor: Shape, fft_type: FftType, fft_lengths: Shape) -> None:
    if fft_type == FftType.IRFFT:
        if minor[:-1] != fft_lengths[:-1]:
            raise ValueError(
                f"IRFFT input shape {x.shape} minor dimensions must be equal to all except the last fft_length, "
                f"got {fft_lengths=}"
            )
    elif minor != fft_lengths:
        name = "RFFT" if fft_type == FftType.RFFT else "FFT"
        raise ValueError(f"{name} input shape {x.shape} minor dimensions must be equal to fft_lengths {fft_lengths}")


fft_p = primitive("fft", _fft_rule)


@partial(jit, static_argnums=(1, 2))
def fft(x: Any, fft_type: FftType | str, fft_lengths: Sequence[int]) -> Any:
    """The transform of `x` over its last axes, whose sizes are `fft_lengths`.

    Number k of n is the sum over j of x[j] exp(-2 pi i j k / n); the inverse has a plus there and divides by n.
    RFFT gives only the first n // 2 + 1 numbers, of which the others are conjugates; IRFFT takes them.
    Raises ValueError where dtype or shape do not fit the transform.
    """
    kind = _fft_type(fft_type)
    if kind == FftType.RFFT:
        if typeof(x).dtype.kind == "c":
            raise ValueError("only real valued inputs supported for rfft")
        x = convert(x, dtypes.to_inexact_dtype(typeof(x).dtype))
    else:
        x = convert(x, dtypes.complex_dtype(dtypes.to_inexact_dtype(typeof(x).dtype)))
    return fft_p.bind(x, fft_type=kind, fft_lengths=tuple(fft_lengths)) if len(fft_lengths) else x


def _fft_type(kind: Any) -> FftType:
    if isinstance(kind, FftType):
        return kind
    if not isinstance(kind, str):
        raise TypeError(f"Unknown FFT type value '{kind}'")
    if kind not in ("fft", "FFT", "ifft", "IFFT", "rfft", "RFFT", "irfft", "IRFFT"):
        raise ValueError(f"Unknown FFT type '{kind}'")
    return FftType[kind.upper()]
