"""Fourier transforms, which run along the last axes."""

from typing import Any

from ...layer1_core.aval import Shape
from ...layer1_core.lax.fft import FftType, fft, fft_p
from ..batching import batching_rules, moveaxis
from ..families import Result, of_one


@batching_rules.rule(fft_p)
@of_one
def _fft_rule(x: Any, dim: int, *, fft_type: FftType, fft_lengths: Shape) -> Result:
    return fft(moveaxis(x, dim, 0), fft_type, fft_lengths), 0
