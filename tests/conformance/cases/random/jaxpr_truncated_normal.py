import jax, jax.numpy as jnp

print(jax.make_jaxpr(lambda k: jax.random.truncated_normal(k, -1.0, 1.0, (3,)))(jax.random.key(0)))
