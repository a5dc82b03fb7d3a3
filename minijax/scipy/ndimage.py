"""`jax.scipy.ndimage`: values between the pixels of an image."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: interpolation
from ..layer1_core.scipy.ndimage import map_coordinates
