"""Equations with triangular and tridiagonal matrices."""

from typing import Any

from ...aval import Shape, typeof
from ..shaping import expand_dims
from .families import linalg_primitive


def _triangular_solve_shape(a: Shape, b: Shape, *, left_side: bool = False, **params: Any) -> Shape:
    if a[0] != a[1]:
        raise ValueError(f"The first input to triangular_solve must be a square matrix. Got shape {a}.")
    if a[1] != b[-2 if left_side else -1]:
        raise ValueError(f"Incompatible shapes for arguments to triangular_solve: {a} and {b}.")
    return b


triangular_solve_p = linalg_primitive("triangular_solve", (2, 2), _triangular_solve_shape)


def triangular_solve(
    a: Any,
    b: Any,
    *,
    left_side: bool = False,
    lower: bool = False,
    transpose_a: bool = False,
    conjugate_a: bool = False,
    unit_diagonal: bool = False,
) -> Any:
    """The x with op(a) x = b if `left_side`, else with x op(a) = b, for a triangular `a`.

    op transposes and conjugates as told. Of `a` one triangle is read, and with `unit_diagonal` its diagonal is 1.
    `b` may be one vector.
    """
    x, y = typeof(a), typeof(b)
    vector = y.ndim == x.ndim - 1
    out = triangular_solve_p.bind(
        a,
        expand_dims(b, (-1 if left_side else -2,)) if vector else b,
        left_side=left_side,
        lower=lower,
        transpose_a=transpose_a,
        conjugate_a=conjugate_a and x.dtype.kind == "c",
        unit_diagonal=unit_diagonal,
    )
    if vector:
        return out[..., 0] if left_side else out[..., 0, :]
    return out


def _tridiagonal_solve_shape(dl: Shape, d: Shape, du: Shape, b: Shape, **params: Any) -> Shape:
    if dl != d or dl != du:
        raise TypeError("tridiagonal_solve requires that all diagonal arguments have the same shape.")
    if dl != b[:-1]:
        raise TypeError(
            "tridiagonal_solve requires that the leading ndim-1 dimensions of b "
            "equal the dimensions of the diagonal arguments."
        )
    return b


tridiagonal_solve_p = linalg_primitive("tridiagonal_solve", (1, 1, 1, 2), _tridiagonal_solve_shape)


def tridiagonal_solve(dl: Any, d: Any, du: Any, b: Any, *, perturb_singular: bool = False) -> Any:
    """The x with T x = b, T given by its three diagonals, each of length n: dl[0] and du[n - 1] are not read."""
    return tridiagonal_solve_p.bind(dl, d, du, b, perturb_singular=perturb_singular)
