"""`jax.test_util`: derivatives held against finite differences."""

# isort: off
# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 4: derivatives
from .layer4_grad.checking import check_grads, check_jvp, check_vjp
