"""`jax.ad_checkpoint`: what a checkpointed function saves, and names for it."""

# isort: off
# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 4: derivatives
from .layer4_grad.checkpoint import checkpoint, remat
from .layer4_grad.naming import checkpoint_name
from .layer4_grad.policies import Recompute, Saveable, checkpoint_policies
from .layer4_grad.saved import print_saved_residuals
