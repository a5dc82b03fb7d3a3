"""The partition rules of all primitives: what has none is computed whole."""

from . import dot, elementwise, gather, indexing, joining, linalg, programs, random, reducing, shaping, windows
