import jax, jax.numpy as jnp

k = jax.random.key(1)
print(jax.random.chisquare(k, 3.0, (3,)), jax.random.f(k, 3.0, 5.0, (3,)))
print(jax.random.t(k, 3.0, (3,)), jax.random.wald(k, jnp.float32(2), (3,)))
print(jax.random.lognormal(k, 0.5, (3,)), jax.random.triangular(k, 0.0, 1.0, 3.0, (3,)))
print(jax.random.maxwell(k, (3,)), jax.random.double_sided_maxwell(k, 1.0, 2.0, (3,)))
print(jax.random.generalized_normal(k, 1.5, (3,)))
print(jax.random.ball(k, 2, shape=(2,)))
