"""Fourier transforms, which run along the last axes."""

from collections.abc import Sequence
from typing import Any

from ...layer1_core.aval import Shape
from ...layer1_core.lax.fft import FftType, fft, fft_p
from ..batching import batching_rules, moveaxis
from ..families import Dims, Result


@batching_rules.rule(fft_p)
def _fft_rule(args: Sequence[Any], dims: Dims, *, fft_type: FftType, fft_lengths: Shape) -> Result:
    (x,), (dim,) = args, dims
    return fft(moveaxis(x, dim, 0), fft_type, fft_lengths), 0
