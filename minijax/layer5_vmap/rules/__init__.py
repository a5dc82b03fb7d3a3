"""The rules of the primitives of layer 1, one module a family, in the order of layer 1's lax."""

from . import (
    conv,
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
    windows,
)
