"""jax.scipy.special, by family: gamma functions, error functions, logarithms, Bessel functions, integrals.

What lax has a primitive for is spelled out here; for the rest SciPy is asked (`lax.special.special_function`),
and the derivative's formula stands below the function.
"""
