"""`jax.custom_derivatives`: functions that bring their own derivative rules."""

# isort: off
# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: custom_jvp, which here only runs and records
from .layer1_core.custom_derivative import custom_jvp, custom_jvp_call_p

# ---- chapter 4: rules for both modes
from .layer4_grad.closures import closure_convert, custom_gradient
from .layer4_grad.custom import zero_from_primal
from .layer4_grad.custom_vjp import custom_vjp, custom_vjp_call_p
from .layer4_grad.tangents import SymbolicZero
from .layer4_grad.vjp_rule import CustomVJPPrimal, custom_vjp_primal_tree_values
