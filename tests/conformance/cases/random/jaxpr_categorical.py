import jax, jax.numpy as jnp

print(jax.make_jaxpr(lambda k, x: jax.random.categorical(k, x))(jax.random.key(0), jnp.zeros((3, 4))))
