import jax, jax.numpy as jnp

k = jax.random.key(9)
print(jnp.zeros(2, dtype=k.dtype))
print(jnp.full((2,), k))
print(jnp.ones((), dtype=k.dtype), jnp.full((), 7, dtype=k.dtype))
print(jnp.zeros_like(jax.random.split(k)).shape, jnp.empty_like(k).shape)
