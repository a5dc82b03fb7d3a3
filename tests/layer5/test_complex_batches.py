"""Derivatives and batches of complex functions are compiled."""

import numpy as np

import minijax as jax
import minijax.numpy as jnp


def test_derivatives_and_batches_are_compiled_as_well():
    f = lambda z: (z * jnp.exp(z) / (z + 2j)).sum()
    z = np.linspace(0, 1, 6).astype("complex64") * (1 + 1j)
    slope = jax.grad(f, holomorphic=True)
    np.testing.assert_allclose(jax.jit(slope)(z), slope(z), rtol=1e-5)
    np.testing.assert_allclose(jax.jit(jax.vmap(lambda a: a * z))(z), z[:, None] * z, rtol=1e-6)
