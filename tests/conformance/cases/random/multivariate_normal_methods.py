import jax, jax.numpy as jnp

k = jax.random.key(0)
mean, cov = jnp.array([1.0, 2.0]), jnp.array([[2.0, 0.5], [0.5, 1.0]])
print(jax.random.multivariate_normal(k, mean, cov))
print(jax.random.multivariate_normal(k, mean, cov, (3,)))
print(jax.random.multivariate_normal(k, jnp.zeros((4, 2)), cov, method="cholesky").shape)
