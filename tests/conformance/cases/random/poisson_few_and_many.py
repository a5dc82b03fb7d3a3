# exact
import jax, jax.numpy as jnp

k = jax.random.key(5)
print(jax.random.poisson(k, jnp.array([3.0, 20.0])), jax.random.poisson(k, jnp.array([0.0, 20.0, 30.0])))
print(jax.random.poisson(k, jnp.array([20.0, 20.0, 1e5, 1e5, 1e6, 1e6])))
for s in range(10):
    print(jax.random.poisson(jax.random.key(s), 1e5, (2,)), jax.random.poisson(jax.random.key(s), jnp.array([3.0, 20.0])))
