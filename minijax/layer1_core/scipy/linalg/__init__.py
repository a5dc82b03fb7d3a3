"""jax.scipy.linalg, by family: factoring, solving, functions of matrices, matrices with a pattern."""
