"""Matrices: batch axes may be divided, the axes of the matrices themselves not."""

from collections.abc import Sequence
from typing import Any

from ...layer1_core.aval import ShapedArray
from ...layer1_core.lax.linalg import factoring as f, solving as s, spectra as e
from ...layer1_core.primitive import Primitive
from ..spec import Partitions
from ..types import ShardingTypeError, entries_of, sharding_rules


def _def_on_matrices(ranks: Sequence[int], *primitives: Primitive) -> None:
    """Operand i has `ranks[i]` axes after its batch axes."""
    for p in primitives:
        sharding_rules[p] = _on_matrices(p, ranks)


def _on_matrices(p: Primitive, ranks: Sequence[int]) -> Any:
    def rule(out: Any, *avals: ShapedArray, **params: Any) -> Any:
        batches = []
        for i, (rank, x) in enumerate(zip(ranks, avals, strict=True)):
            entries = entries_of(x)
            batch, own = entries[: x.ndim - rank], entries[x.ndim - rank :]
            if any(own):
                raise ShardingTypeError(
                    f"Input {i} to {p} must be unsharded on non-batch dimensions, but got {x.sharding.spec}."
                )
            batches.append(batch)
        if any(batch != batches[0] for batch in batches):
            raise ShardingTypeError(f"All inputs to {p} must have the same batch sharding, but got {batches}.")
        return [batches[0]] * len(out) if p.multiple_results else batches[0]

    return rule


_def_on_matrices(
    (2,), f.cholesky_p, f.lu_p, f.qr_p, f.geqrf_p, e.eig_p, e.eigh_p, e.schur_p, e.hessenberg_p, e.tridiagonal_p,
    e.svd_p,
)  # fmt: skip
_def_on_matrices((1,), f.lu_pivots_to_permutation_p)
_def_on_matrices((2, 2), f.symmetric_product_p)
_def_on_matrices((2, 1), f.householder_product_p)
_def_on_matrices((2, 1, 2), f.ormqr_p)
_def_on_matrices((1, 1, 1, 2), s.tridiagonal_solve_p)


@sharding_rules.rule(s.triangular_solve_p)
def _triangular_rule(out: ShapedArray, a: ShapedArray, b: ShapedArray, *, left_side: bool, transpose_a: bool,
                     **params: Any) -> Partitions:  # fmt: skip
    """The contracted axis of each operand is whole; the other ones may be divided."""
    batch, own = entries_of(a)[:-2], entries_of(a)[-2:]
    batch_b, own_b = entries_of(b)[:-2], entries_of(b)[-2:]
    if batch != batch_b:
        raise ShardingTypeError(
            f"All inputs to triangular_solve must have the same batch sharding, but got {batch} and {batch_b}."
        )
    for name, x, entry in (("a", a, own[left_side ^ transpose_a]), ("b", b, own_b[not left_side])):
        if entry is not None:
            raise ShardingTypeError(
                f"triangular solve input `{name}` must be unsharded on the contracting axis, but got "
                f"{x.sharding.spec} with left_side={left_side} and transpose_a={transpose_a}."
            )
    return (*batch, own[transpose_a], own_b[1]) if left_side else (*batch, own_b[0], own[not transpose_a])
