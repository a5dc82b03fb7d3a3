"""The primitives by family, and the functions of `jax.lax` that bind them."""

from . import (
    conv,
    conv_transpose,
    converting,
    dot,
    elementwise,
    fft,
    gather,
    indexing,
    joining,
    linalg,
    reducing,
    scatter,
    shaping,
    sorting,
    special,
    windows,
)

__all__ = [
    "conv",
    "conv_transpose",
    "converting",
    "dot",
    "elementwise",
    "fft",
    "gather",
    "indexing",
    "joining",
    "linalg",
    "reducing",
    "scatter",
    "shaping",
    "sorting",
    "special",
    "windows",
]
