"""The operations that maths.py and its kin are made of, on NumPy scalars: they run without Numba.

instructions.py and tables.py have the same operations for the machine; a test holds the two together.
"""

import math

import numpy as np

from ..layer1_core.impl import elementwise as impl
from ..layer1_core.impl.converting import convert_element_type
from ..layer1_core.lazy import Lazy, scipy_special
from . import fused, quarter_turns

fractions = Lazy("fractions")


def select(which, this, other):
    return np.where(which, this, other)[()]  # of arrays too: see rounding.py of chapter 6


def clamp(low, x, high):
    return minimum(maximum(low, x), high)


def maximum(a, b):
    return np.maximum(a, b)


def minimum(a, b):
    return np.minimum(a, b)


def neg(x):
    return -x


def floor(x):
    return np.floor(x)


def rint(x):
    return np.rint(x)


def round_away(x):
    return impl.round_away(x)[()]


def quotient(x, y):
    """x / y without its fraction; all bits of x / 0 are 1."""
    dtype = y.dtype if hasattr(y, "dtype") else x.dtype
    return impl.div(np.asarray(x, dtype), np.asarray(y, dtype))[()]


def two_over_pi_0(j):
    """What counts of 2/pi for the floats of row j: see quarter_turns.py. The next three functions give its rest."""
    return quarter_turns.WINDOWS[0][j]


def two_over_pi_1(j):
    return quarter_turns.WINDOWS[1][j]


def two_over_pi_2(j):
    return quarter_turns.WINDOWS[2][j]


def two_over_pi_3(j):
    return quarter_turns.WINDOWS[3][j]


def sqrt(x):
    return np.sqrt(x)


def fma(a, b, c):
    """a * b + c, rounded once: through a wider float, or through fractions where there is none."""
    if np.result_type(a, b, c) == np.float32:  # a number in the text is Python's
        return np.float32(np.float64(a) * np.float64(b) + np.float64(c))
    total = a * b + c
    if total.ndim:
        return fused.fma(a, b, c)
    if not np.isfinite(total):
        return total
    a, b, c = (fractions.Fraction(float(x)) for x in (a, b, c))
    exact = a * b + c
    return np.float64(float(exact)) if exact else total * 0  # which keeps the sign of a zero


def library_log(x):
    """The natural logarithm of a float64 as the C library has it. (NumPy's own may have another last digit.)"""
    return scipy_special.xlogy(1.0, x)


def library_erf(x):
    """The error function of a float64 as the C library has it."""
    return np.vectorize(math.erf, otypes=[np.float64])(x)[()]


def library_pow(x, y):
    """x to the power y, of float64, as the C library has it: NumPy asks it for single numbers, not for all arrays."""
    x, y = np.broadcast_arrays(x, y)
    each = [a**b for a, b in zip(x.ravel(), y.ravel(), strict=True)]
    return np.array(each, np.float64).reshape(x.shape)[()]


def copysign(size, sign):
    return np.copysign(size, sign)


def horner(x, coefficients):
    """The polynomial with these coefficients, that of the highest power first."""
    if x.ndim and x.dtype == np.float64:
        return fused.horner(x, coefficients)
    total = coefficients[0]
    for c in coefficients[1:]:
        total = fma(total, x, c)
    return total


def to_float32(x):
    return np.float32(x)


def to_float64(x):
    return np.float64(x)


def to_uint32(x):
    """The lower 32 bits of a whole number; the nearest one to a float."""
    return convert_element_type(np.asarray(x), new_dtype=np.dtype("uint32"), weak_type=False)[()]


def to_uint64(x):
    return convert_element_type(np.asarray(x), new_dtype=np.dtype("uint64"), weak_type=False)[()]


def power_of_two(k):
    """2 to the k as a float as wide as k, for the k of normal floats."""
    place, bias = (23, 127) if k.dtype == np.int32 else (52, 1023)
    return from_bits((k + k.dtype.type(bias)) << k.dtype.type(place))


def bits(x):
    return x.view(np.int32 if x.dtype == np.float32 else np.int64)


def from_bits(k):
    return k.view(np.float32 if k.dtype == np.int32 else np.float64)
