"""The operations that maths.py is made of, on NumPy scalars: so that its functions run without Numba.

instructions.py has the same operations for the machine; a test holds the two together.
"""

import math

import numpy as np


def select(which, this, other):
    return this if which else other


def clamp(low, x, high):
    return minimum(maximum(low, x), high)


def maximum(a, b):
    return np.maximum(a, b)


def minimum(a, b):
    return np.minimum(a, b)


def neg(x):
    return -x


def rint(x):
    return np.rint(x)


def fma(a, b, c):
    """a * b + c, rounded once (here through a wider float where there is one)."""
    wide = np.float64 if a.dtype == np.float32 else np.longdouble
    return type(a)(wide(a) * wide(b) + wide(c))


def to_int32(x):
    return np.int32(x)


def to_float32(x):
    return np.float32(x)


def power_of_two(k):
    """2 to the k, as float32, for k from -126 to 127."""
    return np.float32(math.ldexp(1.0, int(k)))


def bits(x):
    return np.float32(x).view(np.int32)


def from_bits(k):
    return np.int32(k).view(np.float32)
