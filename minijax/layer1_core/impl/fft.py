"""What the Fourier transform computes, through NumPy's, which keeps single precision."""

from collections.abc import Sequence

import numpy as np

_TRANSFORMS = (np.fft.fftn, np.fft.ifftn, np.fft.rfftn, np.fft.irfftn)  # in the order of FftType


def fft(x: np.ndarray, *, fft_type: int, fft_lengths: Sequence[int]) -> np.ndarray:
    """The transform over the last axes: FFT, IFFT (which divides by the count), RFFT of real numbers, or IRFFT.

    The spectrum of n real numbers is its first n // 2 + 1 numbers, the others being their conjugates.
    """
    axes = tuple(range(-len(fft_lengths), 0))
    if x.size == 0:
        return _of_nothing(x, int(fft_type), fft_lengths)
    return _TRANSFORMS[int(fft_type)](x, fft_lengths, axes)


def _of_nothing(x: np.ndarray, fft_type: int, lengths: Sequence[int]) -> np.ndarray:
    """The zeros that an empty array gives: NumPy refuses it."""
    last = lengths[-1] // 2 + 1 if fft_type == 2 else lengths[-1]
    shape = *x.shape[: x.ndim - len(lengths)], *lengths[:-1], last
    complex_dtype = np.result_type(x, np.complex64)
    return np.zeros(shape, complex_dtype if fft_type < 3 else complex_dtype.type().real.dtype)
