# exact
import jax, jax.numpy as jnp

k = jax.random.key(8)
p = jnp.array([0.1, 0.2, 0.3, 0.15, 0.25])
print(jax.random.choice(k, 5), jax.random.choice(k, 100, (6,)))
print(jax.random.choice(k, 5, (8,), p=p), jax.random.choice(k, 5, (3,), replace=False, p=p))
print(jax.random.choice(k, jnp.arange(12).reshape(3, 4), (2,), axis=1))
print(jax.random.choice(k, jnp.arange(12).reshape(3, 4), (2, 2), replace=True).shape)
print(jax.random.choice(k, 5, (0,)).shape)
