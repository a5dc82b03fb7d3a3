"""`jax.lax.linalg`: decompositions of matrices and solutions with triangular ones."""

# isort: off
# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: factoring
from ..layer1_core.lax.linalg import (
    cholesky, cholesky_p, cholesky_update, cholesky_update_p, householder_product, householder_product_p, lu, lu_p,
    lu_pivots_to_permutation, lu_pivots_to_permutation_p, ormqr, ormqr_p, qr, qr_p, symmetric_product,
    symmetric_product_p,
)  # fmt: skip

# ---- chapter 1: eigenvalues and singular values
from ..layer1_core.lax.linalg import (
    eig, eig_p, eigh, eigh_p, EighImplementation, EigImplementation, hessenberg, hessenberg_p, schur, schur_p, svd,
    svd_p, SvdAlgorithm, tridiagonal, tridiagonal_p,
)  # fmt: skip

# ---- chapter 1: solving
from ..layer1_core.lax.linalg import triangular_solve, triangular_solve_p, tridiagonal_solve, tridiagonal_solve_p
