"""What the reducing primitives compute, in NumPy: one number out for all the numbers along some axes.

Floats narrower than float32 are summed and multiplied in float32 and rounded once at the end, as XLA does:
300 ones of bfloat16 add up to 300, where a bfloat16 counter would stop at 256.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..evaluate import interpret
from ..jaxpr import Jaxpr
from ..lax.reducing import extreme

Axes = Sequence[int]  # (0, 2): the axes that disappear


def accumulator(dtype: np.dtype) -> np.dtype:
    """The dtype to add up in: float32 for narrower floats, otherwise the operand's own, so that integers wrap."""
    narrow = dtype.kind not in "biuc" and dtype.itemsize < 4
    return np.dtype(np.float32) if narrow else dtype


def lowest(dtype: np.dtype) -> np.generic:
    """What `max` leaves every number of the dtype unchanged with: -inf, or the least integer, or False."""
    return dtype.type(extreme(dtype, largest=False))


def highest(dtype: np.dtype) -> np.generic:
    """What `min` leaves every number of the dtype unchanged with: inf, or the largest integer, or True."""
    return dtype.type(extreme(dtype, largest=True))


def reduce_sum(x: np.ndarray, *, axes: Axes, out_sharding=None) -> np.ndarray:
    """The sum along `axes`; 0 where there is nothing to add."""
    return np.asarray(np.add.reduce(x, tuple(axes), accumulator(x.dtype)), x.dtype)


def reduce_prod(x: np.ndarray, *, axes: Axes) -> np.ndarray:
    """The product along `axes`; 1 where there is nothing to multiply."""
    return np.asarray(np.multiply.reduce(x, tuple(axes), accumulator(x.dtype)), x.dtype)


def reduce_max(x: np.ndarray, *, axes: Axes, out_sharding=None) -> np.ndarray:
    """The largest number along `axes`; NaN if there is one, the dtype's lowest where there is nothing."""
    found = np.asarray(np.maximum.reduce(x, tuple(axes), initial=lowest(x.dtype)), x.dtype)
    return with_zeros(found, x, 0.0, lambda same: same.any(tuple(axes)))


def reduce_min(x: np.ndarray, *, axes: Axes, out_sharding=None) -> np.ndarray:
    """The smallest number along `axes`; NaN if there is one, the dtype's highest where there is nothing."""
    found = np.asarray(np.minimum.reduce(x, tuple(axes), initial=highest(x.dtype)), x.dtype)
    return with_zeros(found, x, -0.0, lambda same: same.any(tuple(axes)))


def with_zeros(found: np.ndarray, x: np.ndarray, zero: float, each: Callable[[np.ndarray], Any]) -> np.ndarray:
    """The largest or smallest among numbers of `x`; where zeros of both signs are, it is `zero`.

    `each` puts truth values for all numbers together as the numbers were.
    """
    if x.dtype.kind in "biu" or found.all():
        return found
    same = (x == 0) & (np.signbit(x) == np.signbit(zero))
    return np.where((found == 0) & each(same), x.dtype.type(zero), found)


def reduce_and(x: np.ndarray, *, axes: Axes) -> np.ndarray:
    """The bits that all numbers along `axes` have; every bit where there is nothing."""
    return np.asarray(np.bitwise_and.reduce(x, tuple(axes)), x.dtype)


def reduce_or(x: np.ndarray, *, axes: Axes) -> np.ndarray:
    """The bits that some number along `axes` has."""
    return np.asarray(np.bitwise_or.reduce(x, tuple(axes)), x.dtype)


def reduce_xor(x: np.ndarray, *, axes: Axes) -> np.ndarray:
    """The bits that an odd count of the numbers along `axes` have."""
    return np.asarray(np.bitwise_xor.reduce(x, tuple(axes)), x.dtype)


# ---- reduction by any function


def reduce(*operands: np.ndarray, computation: object, jaxpr: Jaxpr, dimensions: Axes) -> list[np.ndarray]:
    """Several arrays folded together by the program `jaxpr`, which runs on many pairs at once.

    The first half is combined with the second until one element is left: the program is associative.
    """
    arrays, starts = operands[: len(operands) // 2], operands[len(operands) // 2 :]
    program = interpret(jaxpr)
    rows = [to_rows(x, dimensions) for x in arrays]  # [N, kept axes...]
    while (n := len(rows[0])) > 1:
        half = n // 2
        pairs = program([x[:half] for x in rows] + [x[half : 2 * half] for x in rows])
        rows = [np.concatenate([pair, x[2 * half :]]) for pair, x in zip(pairs, rows, strict=True)]
    starts = [np.broadcast_to(start, x.shape[1:]) for start, x in zip(starts, rows, strict=True)]
    return list(starts) if not n else program([*starts, *(x[0] for x in rows)])


def to_rows(x: np.ndarray, axes: Axes) -> np.ndarray:
    """x with `axes` made one, in front."""
    kept = [d for d in range(x.ndim) if d not in axes]
    return x.transpose(*axes, *kept).reshape(math.prod(x.shape[d] for d in axes), *(x.shape[d] for d in kept))


# ---- keeping the order of operations


def optimization_barrier(*operands: np.ndarray) -> list[np.ndarray]:
    """The operands."""
    return list(operands)
