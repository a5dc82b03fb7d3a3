"""Products of large matrices as kernels: a line that calls a library, instead of loops.

Small products have loops of their own (contracting.py), and those that a kernel cannot have done are called.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..layer1_core import lax
from ..layer1_core.aval import shaped
from ..layer1_core.jaxpr import Jaxpr, JaxprEqn, Var
from ..layer1_core.lax.dot import dot_general_p
from . import blas
from .contracting import dot_axes, dot_product
from .loops import ZERO, Buffer, For, Kernel, Load, Product, Statement, counter
from .lowering import Looped, Pointwise, lowering_rules
from .passes import further, without_dead

# Products of numbers in a product of matrices. Up to the first number the library uses one thread; up to the second one
# a few matrices are done sooner if each has a thread of its own, and above one after the other, on all threads.
ON_ONE_THREAD, LARGE, A_FEW = 1 << 18, 1 << 25, 4


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
    if m == 1:  # a row is a column as well, and the library is faster at a matrix times that
        product = Product(c, b, a, (n, k, 1), (not right, not left))
    body: list[Statement] = [For("i0", count, [product])] if count != 1 else [product]
    in_order = m * k * n > (ON_ONE_THREAD if count < A_FEW else LARGE)
    return Kernel(name, [*{x.name: x for x in (lhs, rhs)}.values()], [out], body, in_order=in_order)


lowering_rules[dot_general_p] = replace(dot_product, instead=Looped(product_kernel, is_product))

# ---- transposed products


def before(jaxpr: Jaxpr, inside: bool) -> Jaxpr:
    """A transpose of what is computed from products element by element is computed from transposed products, where
    nothing else needs them.
    """
    uses = Counter(id(v) for v in (*jaxpr.outvars, *(v for eqn in jaxpr.eqns for v in eqn.invars)))
    makers = {id(v): eqn for eqn in jaxpr.eqns for v in eqn.outvars if uses[id(v)] == 1}
    eqns: list[JaxprEqn] = []
    for eqn in jaxpr.eqns:
        made = makers.get(id(eqn.invars[0])) if eqn.primitive is lax.shaping.transpose_p else None
        eqns += _before(eqn, made, makers) if made is not None and _is_of_products(made, makers) else [eqn]
    return without_dead(jaxpr.replace(eqns=eqns)) if len(eqns) != len(jaxpr.eqns) else jaxpr


def _is_of_products(eqn: JaxprEqn, makers: dict[int, JaxprEqn]) -> bool:
    """Whether a value is a product, or computed element by element from such and from scalars."""
    if eqn.primitive is lax.dot.dot_general_p:
        return True
    made = [makers.get(id(v)) for v in eqn.invars if v.aval.shape]
    of_products = all(each is not None and _is_of_products(each, makers) for each in made)
    return bool(made) and of_products and isinstance(lowering_rules.get(eqn.primitive), Pointwise)


def _before(transpose: JaxprEqn, made: JaxprEqn, makers: dict[int, JaxprEqn]) -> list[JaxprEqn]:
    """The equations of a transposed value: from its operands, transposed. (The value itself is dead then.)"""
    if made.primitive is lax.dot.dot_general_p:
        return [transpose]
    eqns: list[JaxprEqn] = []
    operands = [*made.invars]
    for k, v in enumerate(made.invars):
        if v.aval.shape:
            operands[k] = out = Var(shaped(transpose.outvars[0].aval.shape, v.aval.dtype))
            eqns += _before(transpose.replace(invars=[v], outvars=[out]), makers[id(v)], makers)
    return [*eqns, made.replace(invars=operands, outvars=transpose.outvars)]


further.append(before)
