import jax, jax.numpy as jnp

print(jax.make_jaxpr(lambda k: jax.random.gamma(k, 2.0, (3,)))(jax.random.key(0)))
print(jax.make_jaxpr(lambda k, a: jax.random.loggamma(k, a))(jax.random.key(0), jnp.ones(2)))
