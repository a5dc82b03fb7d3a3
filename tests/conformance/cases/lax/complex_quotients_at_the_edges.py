"""Quotients and sizes of complex numbers with zeros, infinities and NaN, eager and jitted."""
import jax
import jax.numpy as jnp
import numpy as np

PARTS = [0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan]
x, y = np.meshgrid(PARTS, PARTS)
z = np.empty(x.size, np.complex64)
z.real, z.imag = x.ravel(), y.ravel()
for part in ("real", "imag"):
    for fun in (lambda a, b: a / b, lambda a, b: a * b):
        print(part, np.asarray(getattr(jax.jit(fun)(z, z[::-1]), part)).tolist())
        print(part, np.asarray(getattr(fun(jnp.array(z), jnp.array(np.roll(z, 3))), part)).tolist())
print(np.asarray(abs(jnp.array(z))).tolist(), np.asarray(jax.jit(abs)(z)).tolist())
