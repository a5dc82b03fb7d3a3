"""`jax.extend`: for people who write interpreters of jaxprs, or primitives of their own."""

# isort: off

# ---- chapter 1: jaxprs
from . import core

__all__ = ["core"]

# ---- chapter 6: implementations of keys
from . import random

__all__ += ["random"]
