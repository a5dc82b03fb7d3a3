"""`jax.extend`: for people who write interpreters of jaxprs, or primitives of their own."""

from . import core

__all__ = ["core"]
