# exact
import jax, jax.numpy as jnp

k = jax.random.key(2)
x = jnp.arange(12).reshape(3, 4)
print(jax.random.permutation(k, 10))
print(jax.random.permutation(k, x))
print(jax.random.permutation(k, x, axis=1))
print(jax.random.permutation(k, x, axis=1, independent=True))
