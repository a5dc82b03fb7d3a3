"""Threefry-2x32 for kernels: the same function as `threefry.block`, of one pair in one 64-bit word, without branches.

A kernel computes the bits at an index where they are read, in the loop of their reader: nothing is written but what the
reader makes of them. The halves are cut out and put together again between rounds in the text only: LLVM sees through
it, and has 20 times four instructions on vectors of words.
"""

import numpy as np

from ..layer2_jit.scalars import to_uint32, to_uint64

u32, u64 = np.uint32, np.uint64
HALF = u64(32)
WORD = u32(32)
PARITY = u32(0x1BD11BDA)
R6, R13, R15, R16, R17, R24, R26, R29 = map(u64, (6, 13, 15, 16, 17, 24, 26, 29))
N0, N1, N2, N3, N4, N5 = map(u64, range(6))


def turned_uint32(x, by):
    """The bits of x turned to the left."""
    return (x << by) | (x >> (WORD - by))


def pair_uint64(x0, x1):
    """Two words as one: x0 is the upper half."""
    return (x0 << HALF) | x1


def upper_uint64(x):
    """The upper half of a word, as a number."""
    return x >> HALF


def swapped_uint64(x):
    """A word with its halves exchanged: in memory, which begins with the lower half, the upper one comes first then."""
    return (x << HALF) | (x >> HALF)


def round_uint64(x, by):
    """One round: (x0, x1) becomes (x0 + x1, x1 turned and xored with that)."""
    x1 = to_uint32(x)
    x0 = to_uint32(x >> HALF) + x1
    return pair_uint64(to_uint64(x0), to_uint64(turned_uint32(x1, to_uint32(by)) ^ x0))


def even_uint64(x):
    """Rounds 1 to 4, 9 to 12, 17 to 20."""
    return round_uint64(round_uint64(round_uint64(round_uint64(x, R13), R15), R26), R6)


def odd_uint64(x):
    """Rounds 5 to 8, 13 to 16."""
    return round_uint64(round_uint64(round_uint64(round_uint64(x, R17), R29), R16), R24)


def add_key_uint64(x, k0, k1, number):
    """Two words of the key are added, and how often that was done."""
    x0 = to_uint32(x >> HALF) + to_uint32(k0)
    x1 = to_uint32(x) + to_uint32(k1) + to_uint32(number)
    return pair_uint64(to_uint64(x0), to_uint64(x1))


def threefry2x32_uint64(key, counter):
    """The pair `counter` scrambled under the pair `key`."""
    k0, k1 = key >> HALF, to_uint64(to_uint32(key))
    k2 = to_uint64(to_uint32(k0) ^ to_uint32(k1) ^ PARITY)
    x = add_key_uint64(counter, k0, k1, N0)
    x = add_key_uint64(even_uint64(x), k1, k2, N1)
    x = add_key_uint64(odd_uint64(x), k2, k0, N2)
    x = add_key_uint64(even_uint64(x), k0, k1, N3)
    x = add_key_uint64(odd_uint64(x), k1, k2, N4)
    return add_key_uint64(even_uint64(x), k2, k0, N5)
