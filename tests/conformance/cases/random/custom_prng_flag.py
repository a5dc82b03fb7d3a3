import jax, jax.numpy as jnp

jax.config.update("jax_enable_custom_prng", True)
print(jax.random.PRNGKey(3))
print(jax.random.split(jax.random.PRNGKey(3)).shape)
