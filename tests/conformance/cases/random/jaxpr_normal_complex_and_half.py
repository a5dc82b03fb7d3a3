import jax, jax.numpy as jnp

print(jax.make_jaxpr(lambda k: jax.random.normal(k, (3,), jnp.complex64))(jax.random.key(0)))
print(jax.make_jaxpr(lambda k: jax.random.normal(k, (3,), jnp.float16))(jax.random.key(0)))
