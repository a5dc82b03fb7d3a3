"""Linear algebra: the primitives take batches of matrices by themselves, with the batch axes in front."""

from collections.abc import Callable, Sequence
from typing import Any

from ...layer1_core.lax import linalg
from ...layer1_core.lax.linalg import (
    triangular_solve,
    triangular_solve_p,
    tridiagonal_solve,
    tridiagonal_solve_p,
)
from ...layer1_core.lax.shaping import reshape
from ...layer4_grad.families import no_rule
from ..batching import all_at_front, batching_rules, moveaxis
from ..families import Dims, Result, defleading

defleading(
    linalg.cholesky_p, linalg.geqrf_p, linalg.householder_product_p, linalg.lu_p,
    linalg.lu_pivots_to_permutation_p, linalg.ormqr_p, linalg.qr_p, linalg.symmetric_product_p, linalg.eig_p,
    linalg.eigh_p, linalg.hessenberg_p, linalg.schur_p, linalg.svd_p, linalg.tridiagonal_p,
)  # fmt: skip
no_rule(batching_rules, "it takes one matrix, without batch axes, as in JAX", linalg.cholesky_update_p)


@batching_rules.rule(triangular_solve_p)
def _triangular_solve_rule(args: Sequence[Any], dims: Dims, *, left_side: bool, **params: Any) -> Result:
    """Right-hand sides with one matrix for all are more columns (rows, on the right side) of one right-hand side."""
    (a, b), (a_dim, b_dim) = args, dims
    if a_dim is None:
        assert b_dim is not None
        solve = lambda b: triangular_solve(a, b, left_side=left_side, **params)
        place, joined = (-1, -2) if left_side else (-2, -3)
        return _side_by_side(solve, b, b_dim, place, joined)
    return triangular_solve(*all_at_front(args, dims), left_side=left_side, **params), 0


def _side_by_side(solve: Callable[[Any], Any], b: Any, dim: int, place: int, joined: int) -> Result:
    """`solve` of a batch of right-hand sides as one.

    The batch axis is put to `place`, and the axis `joined` and the one after it become one. Both are counted from the
    end: [M, N], B times, is [M, N, B] with -1, and [M, N * B] with -2.
    """
    b = moveaxis(b, dim, place)
    first = b.ndim + joined
    flat = reshape(b, (*b.shape[:first], b.shape[first] * b.shape[first + 1], *b.shape[first + 2 :]))
    return reshape(solve(flat), b.shape), b.ndim + place


@batching_rules.rule(tridiagonal_solve_p)
def _tridiagonal_solve_rule(args: Sequence[Any], dims: Dims, **params: Any) -> Result:
    dl, d, du, b = args
    if all(place is None for place in dims[:3]):
        assert dims[3] is not None
        return _side_by_side(lambda b: tridiagonal_solve(dl, d, du, b, **params), b, dims[3], -2, -2)
    return tridiagonal_solve(*all_at_front(args, dims), **params), 0
