"""Matrices: batch axes may be divided."""

from ...layer1_core.lax.linalg import factoring as f, solving as s, spectra as e
from ...layer1_core.primitive import Primitive
from ..moving import Part, axes_in, spec_of
from ..partitioning import Equation, partition_rules


def _def_on_matrices(rank: int, *primitives: Primitive) -> None:
    """The first operand has `rank` axes after its batch axes."""
    for p in primitives:
        partition_rules[p] = lambda e: _along_batches(e, e.parts[0].aval.ndim - rank)


def _along_batches(e: Equation, n: int) -> list[Part]:
    batch = axes_in(e.wanted[0], e.outs[0].ndim)[:n]
    return e.on_parts([spec_of(batch)] * len(e.parts), [spec_of(batch)] * len(e.outs))


_def_on_matrices(
    2, f.cholesky_p, f.lu_p, f.qr_p, f.geqrf_p, e.eig_p, e.eigh_p, e.schur_p, e.hessenberg_p, e.tridiagonal_p,
    e.svd_p, f.symmetric_product_p, f.householder_product_p, f.ormqr_p, s.triangular_solve_p,
)  # fmt: skip
_def_on_matrices(1, f.lu_pivots_to_permutation_p, s.tridiagonal_solve_p)
