import jax, jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
k = jax.random.key(2**40 + 17)
print(jax.random.key_data(k), jax.random.key_data(jax.random.fold_in(k, 3)))
print(jax.random.uniform(k, (3,)), jax.random.normal(k, (3,)).dtype)
print(jax.random.randint(k, (3,), 0, 10**12), jax.random.bits(k, (2,)))
print(jax.random.exponential(k, (3,)), jax.random.gumbel(k, (2,)))
print(jax.random.permutation(k, 6), jax.random.poisson(k, 3.0, (5,)))
