# exact
import jax, jax.extend, jax.numpy as jnp

hash = jax.extend.random.threefry_2x32
key = jnp.uint32(1), jnp.uint32(2)
print(hash(key, jnp.arange(4, dtype=jnp.uint32)))
print(hash(key, jnp.arange(5, dtype=jnp.uint32)))
print(hash(key, jnp.arange(6, dtype=jnp.uint32).reshape(2, 3)))
print(jax.make_jaxpr(lambda c: hash(key, c))(jnp.zeros(4, jnp.uint32)))
try:
    hash(key, jnp.arange(4))
except TypeError as e:
    print(str(e).split(",")[0])
