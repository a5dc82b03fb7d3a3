"""`jax.scipy`: SciPy's functions on immutable arrays, traceable."""

# isort: off


# ---- chapter 1: special functions, linear algebra, statistics
from . import special, linalg, stats

# ---- chapter 1: signals, images, clusters
from . import cluster, fft, integrate, ndimage, signal
