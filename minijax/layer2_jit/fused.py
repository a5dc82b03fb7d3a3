"""a * b + c of arrays of float64, rounded once, as the machine's instruction has it: for what NumPy interprets.

A product is kept as a sum of two floats (Dekker, 1971), and so is the sum of it and c (Knuth): what rounding took from
both is added at last. That sum is rounded too, which could matter once in 2**50 times.
"""

from typing import Any

import numpy as np

SPLIT = 134217729.0  # 2**27 + 1


def halves(x: Any) -> tuple[Any, Any]:
    """A float64 as a sum of two with half its digits each."""
    scaled = x * SPLIT
    upper = scaled - (scaled - x)
    return upper, x - upper


def fma(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """a * b + c. Where that is not finite, it is what NumPy has."""
    total = a * b + c
    return np.where(np.isfinite(total), _fused(a, b, halves(b), c), total)


def horner(x: np.ndarray, coefficients: tuple[Any, ...]) -> np.ndarray:
    """The polynomial with these coefficients, that of the highest power first, of numbers below 2**900."""
    parts, total = halves(x), coefficients[0]
    for c in coefficients[1:]:
        total = _fused(total, x, parts, c)
    return total


def _fused(a: Any, b: np.ndarray, parts: tuple[Any, Any], c: Any) -> np.ndarray:
    (a1, a2), (b1, b2) = halves(a), parts
    product = a * b
    lost = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2
    total = product + c
    kept = total - product
    return total + (((product - (total - kept)) + (c - kept)) + lost)
