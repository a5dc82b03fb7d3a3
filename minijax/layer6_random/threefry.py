"""Threefry-2x32 by hand: a pair of words is scrambled under a key, which is a pair of words too.

    (x0, x1)  ->  20 rounds of add, turn, xor; after every fourth, the key is added  ->  (y0, y1)

It is a one-to-one map of the 2**64 pairs for each key: different counters never give the same pair. There is no state:
the i-th random number is computed from the key and from i alone.
Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011).
"""

from typing import Any

import numpy as np

ROTATIONS = (13, 15, 26, 6), (17, 29, 16, 24)  # how far each round turns: four rounds, then the next four, then again
PARITY = np.uint32(0x1BD11BDA)  # the third word of the key is the xor of the first two and of this
CHUNK = 8192  # words that are scrambled together: what a core's nearest cache holds

Words = Any  # uint32: a NumPy scalar or array


def turned(x: Words, by: int) -> Words:
    """The bits of `x` turned to the left: what leaves at the top comes in at the bottom."""
    return (x << np.uint32(by)) | (x >> np.uint32(32 - by))


def mix(x0: Words, x1: Words, by: int) -> tuple[Words, Words]:
    """One round. It can be undone, so no two pairs become one."""
    x0 = x0 + x1
    return x0, turned(x1, by) ^ x0


def block(k0: Words, k1: Words, x0: Words, x1: Words) -> tuple[Words, Words]:
    """The pair (x0, x1) scrambled under the key (k0, k1). Sums are those of uint32: they wrap around.

    >>> tuple(int(y) for y in block(*map(np.uint32, (0, 0, 0, 0))))
    (1797259609, 2579123966)
    """
    keys = k0, k1, k0 ^ k1 ^ PARITY
    with np.errstate(over="ignore"):
        x0, x1 = x0 + k0, x1 + k1
        for i in range(5):
            for by in ROTATIONS[i % 2]:
                x0, x1 = mix(x0, x1, by)
            x0, x1 = x0 + keys[(i + 1) % 3], x1 + keys[(i + 2) % 3] + np.uint32(i + 1)
    return x0, x1


def scrambled(k0: np.ndarray, k1: np.ndarray, x0: np.ndarray, x1: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`block` on arrays of any shapes that go together, a chunk after the other."""
    operands = np.broadcast_arrays(k0, k1, x0, x1)
    shape, flat = operands[0].shape, [np.ravel(x) if x.strides.count(0) < x.ndim else x.flat[:1] for x in operands]
    if operands[0].size <= CHUNK:
        y0, y1 = block(*operands)
        return np.asarray(y0), np.asarray(y1)
    out = np.empty((2, operands[0].size), np.uint32)
    for start in range(0, operands[0].size, CHUNK):
        part = slice(start, start + CHUNK)
        out[0, part], out[1, part] = block(*(x[part] if x.size > 1 else x for x in flat))
    return out[0].reshape(shape), out[1].reshape(shape)


def counters(start: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The numbers `start`, `start` + 1, ... as pairs of words: (upper half, lower half)."""
    numbers = np.arange(count, dtype=np.uint64) + np.uint64(start)
    return (numbers >> np.uint64(32)).astype(np.uint32), numbers.astype(np.uint32)
