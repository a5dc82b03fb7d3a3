"""`jax.custom_derivatives`: functions that bring their own derivative rules."""

# isort: off
# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: custom_jvp, which here only runs and records
from .layer1_core.custom_derivative import custom_jvp, custom_jvp_call_p
