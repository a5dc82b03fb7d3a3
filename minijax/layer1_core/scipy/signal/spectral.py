"""Spectra of a signal's overlapping pieces: short-time Fourier transforms and power densities."""

import itertools
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ... import dtypes
from ...jnp.arguments import array_argument, concrete
from ...jnp.array_creation import arange, array, asarray, ones, zeros
from ...jnp.choosing import where
from ...jnp.fft import fft, fftfreq, ifft, irfft, rfft, rfftfreq
from ...jnp.joining import concatenate, stack
from ...jnp.linalg.least_squares import lstsq
from ...jnp.mathematics import sqrt
from ...jnp.numbers import conjugate
from ...jnp.padding import pad
from ...jnp.products import matmul
from ...jnp.promotion import promote_dtypes_inexact
from ...jnp.quantiles import median
from ...jnp.rearranging import flip
from ...jnp.shaping import broadcast_to, moveaxis
from ...lax.dot import Precision
from ...lax.shaping import canonicalize_axis
from ...lazy import scipy_signal

# ---- trends


def detrend(
    data: Any, axis: int = -1, type: str = "linear", bp: int | Sequence[int] = 0, overwrite_data: None = None
) -> Any:
    """`data` less its mean along `axis`, or less the line that fits best, between each two of the breakpoints `bp`."""
    if overwrite_data is not None:
        raise NotImplementedError("overwrite_data argument not implemented.")
    if type not in ("constant", "linear"):
        raise ValueError("Trend type must be 'linear' or 'constant'.")
    (x,) = promote_dtypes_inexact(asarray(data))
    if type == "constant":
        return x - x.mean(axis, keepdims=True)
    n = x.shape[axis]
    breaks = np.unique(np.r_[0, bp, n])
    if breaks[0] < 0 or breaks[-1] > n:
        raise ValueError("Breakpoints must be non-negative and less than length of data along given axis.")
    x = moveaxis(x, axis, 0)
    rows = x.reshape(n, -1)
    pieces = [_less_line(rows[a:b]) for a, b in itertools.pairwise(breaks)]
    return moveaxis(concatenate(pieces, axis=0).reshape(x.shape), 0, axis)


def _less_line(x: Any) -> Any:
    """The columns of `x`, each less the line that fits it best."""
    n = x.shape[0]
    lines = stack([ones(n, x.dtype), arange(1, n + 1, dtype=x.dtype) / n], axis=1)
    coefficients = lstsq(lines, x)[0]
    return x - matmul(lines, coefficients, precision=Precision.HIGHEST)


# ---- windows and pieces


def _window(window: Any, nperseg: int | None, length: int, dtype: Any) -> tuple[Any, int]:
    """The window as an array, and the length of the pieces: its own, or the signal's where nothing else is said."""
    if isinstance(window, (str, tuple)):
        n = length if nperseg is None else nperseg
        if n > length:
            warnings.warn(f"nperseg={n} is greater than input_length={length}, using nperseg={length}", stacklevel=4)
            n = length
        return array(scipy_signal.get_window(window, n), dtype=dtype), n
    values = asarray(window, dtype=dtype)
    if values.ndim != 1:
        raise ValueError("window must be 1-D")
    if length < values.size:
        raise ValueError("window is longer than input signal")
    if nperseg not in (None, values.size):
        raise ValueError("value specified for nperseg is different from length of window")
    return values, values.size


def _padder(mode: str) -> Callable[[Any, int], Any]:
    return lambda x, n: pad(x, [(0, 0)] * (x.ndim - 1) + [(n, n)], mode)


def _odd_extension(x: Any, n: int) -> Any:
    """`x` with n elements on either side that continue it, turned about its end points."""
    if n < 1:
        return x
    if n > x.shape[-1] - 1:
        raise ValueError(
            f"The extension length n ({n}) is too big. It must not exceed x.shape[axis]-1, which is {x.shape[-1] - 1}."
        )
    before, after = flip(x[..., 1 : n + 1], axis=-1), flip(x[..., -(n + 1) : -1], axis=-1)
    return concatenate((2 * x[..., :1] - before, x, 2 * x[..., -1:] - after), axis=-1)


_EXTENSIONS: dict[str | None, Callable[[Any, int], Any]] = {
    "even": _padder("reflect"),
    "odd": _odd_extension,
    "constant": _padder("edge"),
    "zeros": _padder("constant"),
    None: lambda x, n: x,
}


def _trend_remover(kind: Any) -> Callable[[Any], Any]:
    if isinstance(kind, str):
        return lambda x: detrend(x, type=kind, axis=-1)
    if callable(kind):
        return kind
    if kind:
        raise ValueError(f"Unsupported detrend type: {kind}")
    return lambda x: x


def _piece_spectra(
    x: Any, window: Any, remove_trend: Callable[[Any], Any], step: int, nfft: int, onesided: bool
) -> Any:
    """The spectrum of each piece: [..., n] -> [..., pieces, frequencies]."""
    n = window.shape[0]
    starts = np.arange(0, x.shape[-1] - n + 1, step)
    pieces = window * remove_trend(x[..., starts[:, None] + np.arange(n)])
    return rfft(pieces.real, n=nfft) if onesided else fft(pieces, n=nfft)


# ---- spectra


def _segmentation(nperseg: int | None, noverlap: int | None, nfft: int | None) -> tuple[int, int]:
    """The overlap of the pieces and the size of the transforms: half of the pieces and theirs, if nothing is said."""
    assert nperseg is not None
    overlap = nperseg // 2 if noverlap is None else int(concrete(noverlap, "noverlap of windowed-FFT"))
    size = nperseg if nfft is None else int(concrete(nfft, "nfft of windowed-FFT"))
    if size < nperseg:
        raise ValueError("nfft must be greater than or equal to nperseg.")
    if overlap >= nperseg:
        raise ValueError("noverlap must be less than nperseg.")
    return overlap, size


def _spectra(
    x: Any, y: Any, fs: Any, window: Any, nperseg: int | None, noverlap: int | None, nfft: int | None,
    detrend_kind: Any, return_onesided: bool, scaling: str, axis: int, mode: str, boundary: str | None = None,
    padded: bool = False,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Frequencies, times, and the spectrum of each piece of x ("stft") or its product with y's ("psd")."""
    if boundary not in _EXTENSIONS:
        raise ValueError(f"Unknown boundary option '{boundary}', must be one of: {list(_EXTENSIONS)}")
    if nperseg is not None and int(concrete(nperseg, "nperseg of windowed-FFT")) < 1:
        raise ValueError("nperseg must be a positive integer")
    signals = promote_dtypes_inexact(*(array_argument("spectral_helper", s) for s in (x, y) if s is not None))
    axis = canonicalize_axis(axis, signals[0].ndim)
    values, nperseg = _window(window, nperseg, signals[0].shape[axis], signals[0].dtype)
    overlap, nfft = _segmentation(nperseg, noverlap, nfft)
    step, onesided = nperseg - overlap, _is_onesided(return_onesided, signals)
    signals = _same_length([moveaxis(s, axis, -1) if s.ndim > 1 else s for s in signals])
    signals = [_filled(_EXTENSIONS[boundary](s, nperseg // 2), nperseg, step, padded) for s in signals]
    remove_trend = _trend_remover(detrend_kind)
    spectra = [_piece_spectra(s, values, remove_trend, step, nfft, onesided) for s in signals]
    dtype = dtypes.complex_dtype(signals[0].dtype)
    real = dtypes.real_dtype(dtype)
    out = _scaled(spectra, _scale(values, fs, scaling, mode), mode, onesided, nfft).astype(dtype)
    time = arange(nperseg / 2, signals[0].shape[-1] - nperseg / 2 + 1, step, dtype=real) / fs
    time = time if boundary is None else time - (nperseg / 2) / fs
    frequencies = (rfftfreq if onesided else fftfreq)(nfft, 1 / fs, dtype=real)
    out = out.real if y is None and mode != "stft" else out
    return frequencies, time, moveaxis(out, -1, axis)


def _is_onesided(wanted: bool, signals: Sequence[Any]) -> bool:
    if wanted and any(s.dtype.kind == "c" for s in signals):
        warnings.warn("Input data is complex, switching to return_onesided=False", stacklevel=4)
        return False
    return wanted


def _same_length(signals: list[Any]) -> list[Any]:
    """The signals with zeros behind the shorter ones."""
    n = max(s.shape[-1] for s in signals)
    return [pad(s, [(0, 0)] * (s.ndim - 1) + [(0, n - s.shape[-1])]) if s.shape[-1] < n else s for s in signals]


def _filled(x: Any, nperseg: int, step: int, padded: bool) -> Any:
    """With `padded`, `x` with zeros behind it so that its last piece is complete."""
    missing = (-(x.shape[-1] - nperseg) % step) % nperseg if padded else 0
    return pad(x, [(0, 0)] * (x.ndim - 1) + [(0, missing)]) if missing else x


def _scale(window: Any, fs: Any, scaling: str, mode: str) -> Any:
    if scaling not in ("density", "spectrum"):
        raise ValueError(f"Unknown scaling: {scaling}")
    scale = 1.0 / (fs * (window * window).sum()) if scaling == "density" else 1.0 / window.sum() ** 2
    return sqrt(scale) if mode == "stft" else scale


def _scaled(spectra: Sequence[Any], scale: Any, mode: str, onesided: bool, nfft: int) -> Any:
    """A spectrum times `scale`; or conj(first) * last, with the frequencies that stand for two counted twice."""
    if mode == "stft":
        return spectra[0] * scale
    power = conjugate(spectra[0]) * spectra[-1] * scale
    if not onesided:
        return power
    return power.at[..., 1 : None if nfft % 2 else -1].mul(2)


def stft(
    x: Any,
    fs: Any = 1.0,
    window: Any = "hann",
    nperseg: int | None = 256,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = False,
    return_onesided: bool = True,
    boundary: str | None = "zeros",
    padded: bool = True,
    axis: int = -1,
) -> tuple[Any, Any, Any]:
    """(frequencies, times, spectra): the spectrum of each of the overlapping pieces of `x`."""
    return _spectra(
        x, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, "spectrum", axis, "stft", boundary,
        padded,
    )  # fmt: skip


def csd(
    x: Any,
    y: Any,
    fs: Any = 1.0,
    window: Any = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    average: str = "mean",
) -> tuple[Any, Any]:
    """(frequencies, density): the cross power density of `x` and `y`, averaged over pieces, by Welch's method."""
    frequencies, _, power = _spectra(
        x, y, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, "psd"
    )
    power = power if y is None else power + 0j
    if power.ndim < 2 or not power.size:
        return frequencies, power
    return frequencies, _average(power, average) if power.shape[-1] > 1 else power[..., 0]


def _average(power: Any, average: str) -> Any:
    if average == "mean":
        return power.mean(axis=-1)
    if average != "median":
        raise ValueError(f'average must be "median" or "mean", got {average}')
    middle = median(power.real, axis=-1)
    middle = middle + 1j * median(power.imag, axis=-1) if power.dtype.kind == "c" else middle
    even = np.arange(2.0, power.shape[-1], 2)  # the median of few values lies below their mean
    return middle / (1 + np.sum(1.0 / (even + 1) - 1.0 / even))


def welch(
    x: Any,
    fs: Any = 1.0,
    window: Any = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    average: str = "mean",
) -> tuple[Any, Any]:
    """(frequencies, density): the power density of `x`, averaged over overlapping pieces."""
    frequencies, power = csd(
        x, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average
    )
    return frequencies, power.real


# ---- back to the signal


def istft(
    Zxx: Any,
    fs: Any = 1.0,
    window: Any = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    input_onesided: bool = True,
    boundary: bool = True,
    time_axis: int = -1,
    freq_axis: int = -2,
) -> tuple[Any, Any]:
    """(times, x): the signal whose `stft` is nearest to `Zxx`."""
    z = array_argument("istft", Zxx)
    if z.ndim < 2:
        raise ValueError("Input stft must be at least 2d!")
    time_axis, freq_axis = canonicalize_axis(time_axis, z.ndim), canonicalize_axis(freq_axis, z.ndim)
    if freq_axis == time_axis:
        raise ValueError("Must specify differing time and frequency axes!")
    z = moveaxis(
        z.astype(dtypes.complex_dtype(z.dtype)), (freq_axis, time_axis), (-1, -2)
    )  # [..., pieces, frequencies]
    n, step, size = _inverse_segmentation(z.shape[-1], nperseg, noverlap, nfft, input_onesided)
    pieces = (irfft if input_onesided else ifft)(z, axis=-1, n=size)[..., :n]
    values = _inverse_window(window, n, pieces.dtype)
    x = _overlap_and_add(pieces * values.sum() * values, step)
    norm = _overlap_and_add(broadcast_to(values * values, pieces.shape[-2:]), step)
    if boundary:
        x, norm = x[..., n // 2 : -(n // 2)], norm[..., n // 2 : -(n // 2)]
    x = x / where(norm > 1e-10, norm, 1.0)
    x = moveaxis(x, -1, time_axis - (freq_axis < time_axis)) if x.ndim > 1 else x
    return arange(x.shape[0], dtype=dtypes.real_dtype(x.dtype)) / fs, x


def _inverse_segmentation(
    frequencies: int, nperseg: int | None, noverlap: int | None, nfft: int | None, onesided: bool
) -> tuple[int, int, int]:
    """The length of the pieces, the step from one to the next, and the size of the transforms."""
    default = 2 * (frequencies - 1) if onesided else frequencies
    n = int(concrete(nperseg or default, "nperseg: segment length of STFT"))
    if n < 1:
        raise ValueError("nperseg must be a positive integer")
    odd = onesided and n == default + 1
    size = default + odd if nfft is None else int(concrete(nfft, "nfft of STFT"))
    if size < n:
        raise ValueError(f"FFT length ({size}) must be longer than nperseg ({n}).")
    overlap = int(concrete(noverlap or n // 2, "noverlap of STFT"))
    if overlap >= n:
        raise ValueError("noverlap must be less than nperseg.")
    return n, n - overlap, size


def _inverse_window(window: Any, n: int, dtype: Any) -> Any:
    if isinstance(window, (str, tuple)):
        return array(scipy_signal.get_window(window, n), dtype=dtype)
    values = asarray(window)
    if values.ndim != 1:
        raise ValueError("window must be 1-D")
    if values.shape[0] != n:
        raise ValueError(f"window must have length of {n}")
    return values


def _overlap_and_add(pieces: Any, step: int) -> Any:
    """The sum of the pieces, each `step` behind the one before it: [..., pieces, n] -> [..., m]."""
    count, n = pieces.shape[-2:]
    places = step * np.arange(count)[:, None] + np.arange(n)
    out = zeros((*pieces.shape[:-2], step * (count - 1) + n), pieces.dtype)
    return out.at[..., places].add(pieces)
