import jax, jax.numpy as jnp

k = jax.random.key(0)
print(jax.config.jax_threefry_partitionable, jax.config.jax_default_prng_impl, jax.config.jax_enable_custom_prng)
print(jax.config.jax_debug_key_reuse)
print(jax.dtypes.issubdtype(k.dtype, jax.dtypes.prng_key), jax.dtypes.issubdtype(k.dtype, jax.dtypes.extended))
print(jax.dtypes.issubdtype(jnp.float32, jax.dtypes.prng_key), jnp.issubdtype(k.dtype, jax.dtypes.prng_key))
print(k.dtype == jax.random.key_dtype(), jax.random.key_impl(k), jax.random.key_dtype("threefry2x32"))
print(k.dtype.itemsize, k.nbytes, k.size, k.ndim, k.devices(), k.committed)
