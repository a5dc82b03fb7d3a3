# exact
import jax, jax.numpy as jnp

k = jax.random.PRNGKey(12)
print(k, jax.random.split(k), jax.random.fold_in(k, 3))
print(jax.random.key_impl(k), jax.random.key_data(k), jax.random.wrap_key_data(k))
print(jax.random.uniform(k, (2,)), jax.vmap(lambda k: jax.random.bits(k))(jax.random.split(k, 3)))
print(jax.lax.scan(lambda k, _: (jax.random.split(k)[0], jax.random.bits(k)), k, None, length=2))
