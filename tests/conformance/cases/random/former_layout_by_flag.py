# exact
import jax, jax.numpy as jnp

jax.config.update("jax_threefry_partitionable", False)
k = jax.random.key(42)
print(jax.random.bits(k, (5,)), jax.random.bits(k, (4,)))
print(jax.random.bits(k, (5,), jnp.uint8), jax.random.bits(k, (3,), jnp.uint16))
print(jax.random.key_data(jax.random.split(k, 3)))
print(jax.random.uniform(k, (3,)))
