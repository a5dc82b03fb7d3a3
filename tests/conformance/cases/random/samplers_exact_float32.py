# exact
import jax, jax.numpy as jnp

k = jax.random.key(11)
for draw in (jax.random.uniform, jax.random.normal, jax.random.exponential, jax.random.laplace,
             jax.random.logistic, jax.random.gumbel):
    print(draw(k, (5,)))
print(jax.random.uniform(k, (5,), minval=-3.3, maxval=7.1))
print(jax.random.truncated_normal(k, -1, 2, (5,)))
