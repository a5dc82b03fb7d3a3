"""Fourier transforms: linear; transposed without a conjugate."""

import math
from functools import partial
from typing import Any

from ...layer1_core.aval import Shape, typeof
from ...layer1_core.jit import jit
from ...layer1_core.lax.elementwise import conj
from ...layer1_core.lax.fft import FftType, fft, fft_p
from ...layer1_core.lax.indexing import dynamic_update_slice
from ...layer1_core.lax.shaping import expand_dims, full_like
from ..families import deflinear


def _fft_transpose(ct: Any, *, fft_type: FftType, fft_lengths: Shape) -> list[Any]:
    match fft_type:
        case FftType.RFFT:
            return [_rfft_transpose(ct, fft_lengths)]
        case FftType.IRFFT:
            return [_irfft_transpose(ct, fft_lengths)]
    return [fft(ct, fft_type, fft_lengths)]  # its matrix is symmetric


@partial(jit, static_argnums=1)
def _rfft_transpose(ct: Any, lengths: Shape) -> Any:
    """The inverse transform but for its 1/n. That counts twice what RFFT leaves out: so half of it goes in."""
    counts = expand_dims(_counts(ct, typeof(ct).shape[-1], lengths, typeof(ct).dtype), range(typeof(ct).ndim - 1))
    return math.prod(lengths) * fft(conj(ct) / counts, FftType.IRFFT, lengths)


def _irfft_transpose(ct: Any, lengths: Shape) -> Any:
    x = fft(ct, FftType.RFFT, lengths)
    counts = expand_dims(_counts(ct, typeof(x).shape[-1], lengths, typeof(x).dtype), range(typeof(x).ndim - 1))
    return conj(1 / math.prod(lengths) * counts * x)


def _counts(like: Any, n: int, lengths: Shape, dtype: Any) -> Any:
    """How often each of `n` numbers of a half spectrum stands in the whole one: twice, but for the ends."""
    counts = full_like(like, 2.0, shape=(n,), dtype=dtype)
    counts = dynamic_update_slice(counts, full_like(like, 1.0, shape=(1,), dtype=dtype), (0,))
    if lengths[-1] % 2:
        return counts
    return dynamic_update_slice(counts, full_like(like, 1.0, shape=(1,), dtype=dtype), (n - 1,))


deflinear(fft_p, _fft_transpose)
