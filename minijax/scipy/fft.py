"""`jax.scipy.fft`: cosine transforms."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: cosine transforms
from ..layer1_core.scipy.fft import dct, dctn, idct, idctn
