"""jax.numpy.linalg, by family: factoring, solving, least_squares, norms, determinants, and the array API's names."""
