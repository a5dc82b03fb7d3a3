import jax, jax.numpy as jnp

print(jax.make_jaxpr(lambda k: jax.random.permutation(k, 5))(jax.random.key(0)))
print(jax.make_jaxpr(lambda k, x: jax.random.permutation(k, x))(jax.random.key(0), jnp.zeros((3, 2))))
