"""The sharding rules of the primitives of layers 1 to 6, one module a family, as in layer 1's `lax`."""

from . import (
    collectives,
    dot,
    elementwise,
    gather,
    indexing,
    joining,
    linalg,
    programs,
    random,
    reducing,
    shaping,
    windows,
    without,
)
