"""`jax.stages`: the stages between a function and its execution."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)
from .layer1_core.stages import ArgInfo, Compiled, Lowered, Traced
