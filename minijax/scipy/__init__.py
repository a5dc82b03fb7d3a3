"""`jax.scipy`: SciPy's functions on immutable arrays, traceable."""

# isort: off
# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: special functions
from . import special

# ---- chapter 1: linear algebra
from . import linalg
