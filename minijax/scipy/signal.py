"""`jax.scipy.signal`: convolution and spectra."""

# isort: off
# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: convolution
from ..layer1_core.scipy.signal.convolving import convolve, convolve2d, correlate, correlate2d, fftconvolve

# ---- chapter 1: spectra
from ..layer1_core.scipy.signal.spectral import csd, detrend, istft, stft, welch
