import jax, jax.numpy as jnp

print(jax.make_jaxpr(lambda k: jax.random.bernoulli(k, 0.3, (3,)))(jax.random.key(0)))
print(jax.make_jaxpr(lambda k: jax.random.exponential(k, (3,)))(jax.random.key(0)))
