"""jax.scipy: SciPy's functions in terms of jax.numpy. special, linalg, stats, signal, fft, and a few small ones."""
