"""`jax.scipy`: SciPy's functions on immutable arrays, traceable."""

# isort: off


# ---- chapter 1: special functions
from . import special

# ---- chapter 1: linear algebra
from . import linalg

# ---- chapter 1: statistics
from . import stats
