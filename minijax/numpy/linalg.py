"""`jax.numpy.linalg`: factorizations, equations, norms, determinants."""

# isort: off
# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: linear algebra
from ..layer1_core.jnp.linalg.factoring import cholesky, eig, eigh, eigvals, eigvalsh, qr, svd, svdvals
from ..layer1_core.jnp.linalg.solving import inv, matrix_power, solve, tensorinv, tensorsolve
from ..layer1_core.jnp.linalg.norms import cond, matrix_norm, matrix_rank, norm, vector_norm
from ..layer1_core.jnp.linalg.determinants import det, slogdet
from ..layer1_core.jnp.linalg.least_squares import lstsq, pinv
from ..layer1_core.jnp.linalg.array_api import (
    cross, diagonal, matmul, matrix_transpose, multi_dot, outer, tensordot, trace, vecdot,
)  # fmt: skip
