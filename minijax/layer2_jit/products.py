"""Products of large matrices as kernels: a line that calls a library, instead of loops.

Small products have loops of their own (contracting.py), and those that a kernel cannot have done are called.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..layer1_core.jaxpr import JaxprEqn, Var
from ..layer1_core.lax.dot import dot_general_p
from . import blas
from .contracting import dot_axes, dot_product
from .loops import ZERO, Buffer, For, Kernel, Load, Product, Statement, counter
from .lowering import Looped, lowering_rules

# Products of numbers in a product of matrices: below that the library uses one thread. So several matrices are done at
# the same time there, and one after the other above.
ON_ONE_THREAD = 1 << 18


def is_product(eqn: JaxprEqn) -> bool:
    """Whether an equation is a product of matrices that lie in memory row after row, or column after column."""
    operands = [*eqn.invars, *eqn.outvars]
    plain = len({v.aval.dtype for v in operands}) == 1 and all(isinstance(v, Var) and v.aval.size for v in operands)
    return plain and blas.multiplies(eqn.outvars[0].aval.dtype) and None not in _turned_factors(eqn)


def _turned_factors(eqn: JaxprEqn) -> list[bool | None]:
    """For each factor whether it lies column after column; None where it lies in another order."""
    (batch, summed, rows), (others, again, columns) = dot_axes(eqn)
    left = _is_turned((*batch, *rows, *summed), (*batch, *summed, *rows))
    return [left, _is_turned((*others, *again, *columns), (*others, *columns, *again))]


def _is_turned(in_rows: Sequence[int], in_columns: Sequence[int]) -> bool | None:
    axes = [*range(len(in_rows))]
    return False if [*in_rows] == axes else True if [*in_columns] == axes else None


def product_kernel(eqn: JaxprEqn, name: str, letters: Callable[[Var], str]) -> Kernel:
    """One product for each place along the axes of batches."""
    lhs, rhs, out = (Buffer(letters(v), v.aval.shape, v.aval.dtype) for v in (*eqn.invars, *eqn.outvars))  # type: ignore[arg-type]  # no literals
    (batch, summed, rows), (_, _, columns) = dot_axes(eqn)
    count, m, k, n = (
        math.prod(x.shape[d] for d in axes) for x, axes in ((lhs, batch), (lhs, rows), (lhs, summed), (rhs, columns))
    )
    of_batch = counter("i0") if count != 1 else ZERO
    c, a, b = (Load(x.name, of_batch * (x.size // count), x.dtype) for x in (out, lhs, rhs))
    left, right = _turned_factors(eqn)
    product = Product(c, a, b, (m, k, n), (bool(left), bool(right)))
    body: list[Statement] = [For("i0", count, [product])] if count != 1 else [product]
    return Kernel(name, [*{x.name: x for x in (lhs, rhs)}.values()], [out], body, in_order=m * k * n > ON_ONE_THREAD)


lowering_rules[dot_general_p] = replace(dot_product, instead=Looped(product_kernel, is_product))
