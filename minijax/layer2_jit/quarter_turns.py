"""2/pi, by which an angle becomes a number of quarter turns: as many digits as the largest float needs."""

import numpy as np

BITS = 1280  # after the point


def _atan_of_one_over(n: int, unit: int) -> int:
    """atan(1/n) in parts of `unit`: 1/n - 1/(3 n**3) + 1/(5 n**5) - ..."""
    power, total, k = unit // n, 0, 1
    while power:
        total += (-power if k & 2 else power) // k
        power, k = power // (n * n), k + 2
    return total


def _two_over_pi() -> int:
    """2/pi in parts of 2**BITS; pi is 16 atan(1/5) - 4 atan(1/239) (Machin)."""
    unit = 1 << BITS + 64
    pi = 16 * _atan_of_one_over(5, unit) - 4 * _atan_of_one_over(239, unit)
    return (2 * unit << BITS) // pi


TWO_OVER_PI = _two_over_pi()


def without_first(bits: int, count: int, power: int = 0) -> tuple[np.float64, ...]:
    """2/pi without its first bits after the point, times 2**power, as the sum of so many floats, the largest first."""
    rest, unit, found = TWO_OVER_PI & ((1 << BITS - bits) - 1), 1 << BITS - power, []
    for _ in range(count):
        found.append(np.float64(rest / unit))
        above, below = found[-1].as_integer_ratio()
        rest -= above * unit // below
    return tuple(found)


# Row j is for the floats from 2**(16 j - 1023) on, 16 powers of two, times 2**(1008 - 16 j). Their last bit is worth
# 2**(16 j - 1075) or more, so with the first 16 j - 1077 bits of 2/pi they make multiples of 4.
WINDOWS = tuple(zip(*(without_first(max(0, 16 * j - 1077), 4, 16 * j - 1008) for j in range(128)), strict=True))
