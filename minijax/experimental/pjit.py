"""`jax.experimental.pjit`: `jax.jit` by its old name."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 7
from ..layer1_core.jit import jit as pjit
