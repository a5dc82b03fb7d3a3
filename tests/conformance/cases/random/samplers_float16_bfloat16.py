# exact
import jax, jax.numpy as jnp

k = jax.random.key(5)
for dtype in (jnp.float16, jnp.bfloat16):
    print(jax.random.uniform(k, (4,), dtype), jax.random.normal(k, (4,), dtype))
    print(jax.random.uniform(k, (4,), dtype, -3, 7))
