"""jax.scipy.stats: one module for each distribution, and statistics of samples in `samples` and `kde`."""
