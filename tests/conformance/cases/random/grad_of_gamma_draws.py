import jax, jax.numpy as jnp

k = jax.random.key(0)
print(jax.grad(lambda a: jax.random.gamma(k, a))(2.5))
print(jax.grad(lambda a: jax.random.loggamma(k, a, (3,)).sum())(0.7))
print(jax.jacrev(lambda a: jax.random.dirichlet(k, a))(jnp.array([1.0, 2.0, 3.0])))
print(jax.grad(lambda s: jax.random.truncated_normal(k, -1.0, s, (3,)).sum())(2.0))
print(jax.grad(lambda s: (s * jax.random.normal(k, (3,))).sum())(2.0))
