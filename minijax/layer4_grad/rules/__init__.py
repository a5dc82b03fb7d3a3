"""The rules of the primitives of layer 1, one module a family, as in layer 1's lax, and those of calls to Python."""

from . import (
    calling,
    conv,
    converting,
    cumulative,
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
    without,
)
