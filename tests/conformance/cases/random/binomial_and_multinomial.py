# exact
import jax, jax.numpy as jnp

k = jax.random.key(7)
print(jax.random.binomial(k, 10, 0.3, (6,)))
print(jax.random.binomial(k, 1000.0, 0.4, (4,)))
print(jax.random.binomial(k, jnp.array([10.0, -1.0, jnp.inf, 5.0]), jnp.array([0.7, 0.3, 0.3, jnp.nan])))
print(jax.random.multinomial(k, 100.0, jnp.array([0.1, 0.2, 0.3, 0.4])))
