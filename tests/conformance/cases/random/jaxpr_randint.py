import jax, jax.numpy as jnp

print(jax.make_jaxpr(lambda k: jax.random.randint(k, (3,), 0, 5))(jax.random.key(0)))
