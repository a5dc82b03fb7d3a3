"""`jax.scipy.linalg`: linear algebra with SciPy's signatures."""

# isort: off
# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: factoring
from ..layer1_core.scipy.linalg.factoring import (
    cholesky, eigh, eigh_tridiagonal, hessenberg, lu, polar, qr, qr_multiply, schur, svd,
)  # fmt: skip

# ---- chapter 1: solving
from ..layer1_core.scipy.linalg.solving import (
    cho_factor, cho_solve, det, inv, lu_factor, lu_solve, solve, solve_sylvester, solve_triangular,
)  # fmt: skip

# ---- chapter 1: functions of matrices, and matrices with a pattern
from ..layer1_core.scipy.linalg.functions import expm, expm_frechet, sqrtm
from ..layer1_core.scipy.linalg.patterns import (
    block_diag, circulant, companion, convolution_matrix, dft, fiedler, fiedler_companion, hadamard, hankel, helmert,
    hilbert, invhilbert, invpascal, leslie, pascal, toeplitz,
)  # fmt: skip
