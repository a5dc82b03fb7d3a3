"""`jax.scipy.cluster`: vector quantization."""

# ---- chapter 1: vector quantization
from . import vq
