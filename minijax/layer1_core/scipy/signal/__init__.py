"""jax.scipy.signal: convolving, and spectra of pieces of a signal."""
