"""Equations with triangular and tridiagonal matrices: linear in the right hand side.

A x = b  ->  dx = A^-1 (db - dA x)
"""

from collections.abc import Sequence
from typing import Any

from ....layer1_core.lax.elementwise import neg
from ....layer1_core.lax.joining import concatenate
from ....layer1_core.lax.linalg.families import lower_triangle
from ....layer1_core.lax.linalg.solving import (
    triangular_solve,
    triangular_solve_p,
    tridiagonal_solve,
    tridiagonal_solve_p,
)
from ....layer1_core.lax.shaping import full_like, reshape
from ....layer1_core.trace import pure
from ...families import defjvp2
from ...jvp import all_zero, jvp_rules
from ...tangents import add_tangents, instantiate
from ...transpose import transpose_rules
from .matrices import product, transposed, upper_triangle

# ---- triangular matrices


def _triangular_jvp_a(
    g: Any, ans: Any, a: Any, b: Any, *, left_side: bool, lower: bool, transpose_a: bool, conjugate_a: bool,
    unit_diagonal: bool,
) -> Any:  # fmt: skip
    """-A^-1 dA x, of the triangle that is read; the cheaper of the two products first."""
    params = dict(left_side=left_side, lower=lower, transpose_a=transpose_a, conjugate_a=conjugate_a)
    m, n = b.shape[-2:]
    k = 1 if unit_diagonal else 0
    g = neg(lower_triangle(g, -k) if lower else upper_triangle(g, k))
    g = transposed(g) if transpose_a else g
    g = g.conj() if conjugate_a else g
    solved = lambda x: triangular_solve(a, x, **params, unit_diagonal=unit_diagonal)
    if left_side:
        return solved(product(g, ans)) if m > n else product(solved(g), ans)
    return solved(product(ans, g)) if m < n else product(ans, solved(g))


defjvp2(triangular_solve_p, _triangular_jvp_a, lambda g, ans, a, b, **params: triangular_solve(a, g, **params))


@transpose_rules.rule(triangular_solve_p)
def _triangular_transpose(ct: Any, a: Any, b: Any, *, transpose_a: bool, **params: Any) -> list[Any]:
    return [None, triangular_solve(a, ct, transpose_a=not transpose_a, **params)]


# ---- tridiagonal matrices


@jvp_rules.rule(tridiagonal_solve_p)
def _tridiagonal_jvp(primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> tuple[Any, Any]:
    *diagonals, _ = primals
    *diagonals_dot, rhs = tangents
    out = tridiagonal_solve_p.bind(*primals, **params)
    if not all_zero(diagonals_dot):
        rhs = add_tangents(rhs, -_tridiagonal_product([*map(instantiate, diagonals_dot)], out))
    return out, tridiagonal_solve_p.bind(*diagonals, rhs, **params)


def _tridiagonal_product(diagonals: Sequence[Any], x: Any) -> Any:
    """The matrix with these diagonals, times x."""
    low, middle, up = map(pure, diagonals)
    y = reshape(middle, (*middle.shape, 1)) * x
    y = y.at[..., 1:, :].add(low[..., 1:, None] * x[..., :-1, :])
    return y.at[..., :-1, :].add(up[..., :-1, None] * x[..., 1:, :])


@transpose_rules.rule(tridiagonal_solve_p)
def _tridiagonal_transpose(ct: Any, low: Any, middle: Any, up: Any, b: Any, **params: Any) -> list[Any]:
    """The lower diagonal begins at the second row and the upper one ends before the last: they are shifted."""
    low, up = map(pure, (low, up))
    new_low = concatenate([full_like(up[..., -1:], 0), up[..., :-1]], up.ndim - 1)
    new_up = concatenate([low[..., 1:], full_like(low[..., :1], 0)], low.ndim - 1)
    return [None, None, None, tridiagonal_solve(new_low, middle, new_up, ct, **params)]
