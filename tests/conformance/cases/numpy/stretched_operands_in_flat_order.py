import jax
import jax.numpy as jnp
from jax import lax

x = jnp.arange(24.0).reshape(2, 3, 4)
column = jnp.arange(3.0).reshape(3, 1)
row = jnp.arange(4.0)
plane = jnp.arange(2.0).reshape(2, 1, 1)

# each is read in the flat order, after an operand was stretched along an axis
functions = [
    lambda x, c, r, p: (x + c).reshape(-1),
    lambda x, c, r, p: (x * p + c).ravel(),
    lambda x, c, r, p: jnp.where(c > 1, x, r).reshape(-1),
    lambda x, c, r, p: (c**2 + r).reshape(2, 6),
    lambda x, c, r, p: jnp.stack([x + c, x - c]).reshape(4, -1),
    lambda x, c, r, p: (x - c).ravel() @ jnp.ones(24),
    lambda x, c, r, p: jnp.maximum(c, x).reshape(3, 8).max(1),
    lambda x, c, r, p: (c - r).ravel()[::5],
    lambda x, c, r, p: (x + c).reshape(-1).sum() + (x * c).ravel(),
    lambda x, c, r, p: lax.cumsum((x + c).reshape(-1)),
    lambda x, c, r, p: (x + c).reshape(-1).at[jnp.array([0, 99])].add(1.0),
    lambda x, c, r, p: jnp.concatenate([(x + c).ravel(), (x * r).ravel()]),
    lambda x, c, r, p: jnp.argsort((c - r).ravel()),
    lambda x, c, r, p: jnp.pad((c + r).ravel(), 1),
    lambda x, c, r, p: (x + c).swapaxes(-1, -2).reshape(-1),
    lambda x, c, r, p: (x.swapaxes(0, 2).reshape(-1), (x.swapaxes(0, 2) + c).reshape(-1)),
]
for f in functions:
    print(jax.jit(f)(x, column, row, plane))
