"""Factors of small matrices inside of loops, as loops over their columns or rows: a call of a library, once a round,
would have all of the loop run in Python. [..., n, n], with any axes before these two.
"""

from typing import Any

import numpy as np

from ..layer1_core import lax
from ..layer1_core.jaxpr import JaxprEqn
from ..layer1_core.jnp.choosing import where
from ..layer1_core.lax.elementwise import abs, sqrt
from ..layer1_core.lax.indexing import dynamic_index_in_dim, dynamic_update_index_in_dim
from ..layer1_core.lax.reducing import reduce_or, reduce_sum
from ..layer1_core.lax.shaping import broadcasted_iota, expand_dims, full_like
from ..layer1_core.lax.sorting import argmax
from ..layer2_jit.simpler import put_as
from .fori import fori_loop

LARGEST = 32  # rows or columns
ROWS, COLUMNS = -2, -1


def _is_small(eqn: JaxprEqn, inside: bool) -> bool:
    sizes = [n for v in eqn.invars for n in v.aval.shape[-2:]]
    return inside and all(0 < n <= LARGEST for n in sizes)


def counted(x: Any, axis: int) -> Any:
    """The number of its row, or of its column, at each element of x."""
    return broadcasted_iota("int32", x.shape, x.ndim + axis)


def row(x: Any, k: Any) -> Any:
    return dynamic_index_in_dim(x, k, x.ndim + ROWS)  # [..., 1, n]


def column(x: Any, k: Any) -> Any:
    return dynamic_index_in_dim(x, k, x.ndim + COLUMNS)  # [..., n, 1]


def with_row(x: Any, k: Any, new: Any) -> Any:
    return dynamic_update_index_in_dim(x, new, k, x.ndim + ROWS)


def with_column(x: Any, k: Any, new: Any) -> Any:
    return dynamic_update_index_in_dim(x, new, k, x.ndim + COLUMNS)


def summed(x: Any, axis: int) -> Any:
    """The sum along an axis, which stays, with size 1."""
    axis += x.ndim
    return expand_dims(reduce_sum(x, (axis,)), (axis,))


@put_as(lax.linalg.factoring.cholesky_p, accepts=_is_small)
def cholesky(a: Any) -> Any:
    """L, column by column: that of a, less what the columns before make of it, over the root of its diagonal.

    All of it is NaN where there is no such root.
    """

    def step(k: Any, factor: Any) -> Any:
        rest = column(a, k) - summed(factor * row(factor, k), COLUMNS)
        pivot = row(rest, k)
        root = where(pivot > 0, sqrt(pivot), np.nan)
        return with_column(factor, k, where(counted(rest, ROWS) < k, 0, rest / root))

    factor = fori_loop(0, a.shape[-1], step, full_like(a, 0))
    failed = reduce_or(factor != factor, (a.ndim + ROWS, a.ndim + COLUMNS))
    return where(expand_dims(failed, (a.ndim + ROWS, a.ndim + COLUMNS)), np.nan, factor)


@put_as(lax.linalg.factoring.lu_p, accepts=_is_small)
def lu(a: Any) -> list[Any]:
    """L and U in one matrix, the row that each row was exchanged with, and the order of the rows that this makes."""
    steps = min(a.shape[-2:])
    order = expand_dims(broadcasted_iota("int32", a.shape[:-1], a.ndim - 2), (a.ndim - 1,))  # [..., m, 1]
    pivots = full_like(order, 0, shape=(*a.shape[:-2], steps, 1))

    def step(k: Any, state: Any) -> Any:
        a, pivots, order = state
        sizes = where(counted(order, ROWS) < k, -1, abs(column(a, k)))
        at = expand_dims(argmax(sizes, a.ndim + ROWS, "int32"), (a.ndim + ROWS,))
        is_pivot = counted(order, ROWS) == at
        a, order = (exchanged(x, k, is_pivot) for x in (a, order))
        pivot, below = row(column(a, k), k), column(a, k)
        below = where((counted(below, ROWS) > k) & (pivot != 0), below / pivot, below)
        inner = (counted(a, ROWS) > k) & (counted(a, COLUMNS) > k)
        a = where(inner, a - below * row(a, k), a)
        return with_column(a, k, below), with_row(pivots, k, at), order

    a, pivots, order = fori_loop(0, steps, step, (a, pivots, order))
    drop = lambda x: lax.shaping.squeeze(x, (x.ndim - 1,))
    return [a, drop(pivots), drop(order)]


def exchanged(x: Any, k: Any, is_other: Any) -> Any:
    """x with row k and that where `is_other`, in each other's place."""
    other = summed(where(is_other, x, full_like(x, 0)), ROWS)
    return with_row(where(is_other, row(x, k), x), k, other)


@put_as(lax.linalg.solving.triangular_solve_p, accepts=_is_small)
def triangular_solve(
    a: Any, b: Any, *, left_side: bool, lower: bool, transpose_a: bool, conjugate_a: bool, unit_diagonal: bool
) -> Any:
    """The rows of x in a x = b, one after the other; x a = b is that of the transposed matrices."""
    turned = lambda x: lax.shaping.transpose(x, [*range(x.ndim - 2), x.ndim - 1, x.ndim - 2])
    if left_side == transpose_a:
        a, lower = turned(a), not lower
    b = b if left_side else turned(b)
    n = a.shape[-1]
    is_read = counted(a, ROWS) > counted(a, COLUMNS) if lower else counted(a, ROWS) < counted(a, COLUMNS)
    others = where(is_read, a, 0)

    def step(i: Any, x: Any) -> Any:
        k = i if lower else n - 1 - i
        known = turned(row(others, k)) * x  # [..., n, 1] * [..., n, m]
        rest = row(b, k) - summed(known, ROWS)
        return with_row(x, k, rest if unit_diagonal else rest / column(row(a, k), k))

    x = fori_loop(0, n, step, full_like(b, 0))
    return x if left_side else turned(x)
