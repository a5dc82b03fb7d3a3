"""Decompositions of matrices and solutions with triangular ones, each one call of LAPACK.

Operands may have batch axes ahead of their matrix axes. A failure (a matrix that is not positive definite)
gives NaN.
"""

from .factoring import (
    cholesky,
    cholesky_p,
    cholesky_update,
    cholesky_update_p,
    geqrf,
    geqrf_p,
    householder_product,
    householder_product_p,
    lu,
    lu_p,
    lu_pivots_to_permutation,
    lu_pivots_to_permutation_p,
    ormqr,
    ormqr_p,
    qr,
    qr_p,
    symmetric_product,
    symmetric_product_p,
)
from .families import symmetrize
from .solving import triangular_solve, triangular_solve_p, tridiagonal_solve, tridiagonal_solve_p
from .spectra import (
    EighImplementation,
    EigImplementation,
    SvdAlgorithm,
    eig,
    eig_p,
    eigh,
    eigh_p,
    hessenberg,
    hessenberg_p,
    schur,
    schur_p,
    svd,
    svd_p,
    tridiagonal,
    tridiagonal_p,
)
