import jax
import jax.numpy as jnp

p = jnp.array([3.0, 1.0, 2.0])
print(jax.make_jaxpr(lambda p: jnp.polyval(p, 2.0))(p))
print(jax.make_jaxpr(lambda p, x: jnp.polyval(p, x, unroll=1))(jnp.arange(3), jnp.ones(2)))
print(jnp.polyval(p, 2.0), jnp.polyval(jnp.arange(3), 2), jnp.polyval(jnp.array([]), 2.0))
