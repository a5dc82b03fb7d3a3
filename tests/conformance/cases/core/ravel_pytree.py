import jax, jax.numpy as jnp
from jax.flatten_util import ravel_pytree

params = {"w": jnp.arange(4.0).reshape(2, 2), "b": [jnp.float32(7), 2.5]}
flat, unravel = ravel_pytree(params)
print(flat, flat.dtype)
print(unravel(flat * 2))
print(ravel_pytree([jnp.ones(2, jnp.int8), jnp.ones(1, jnp.bfloat16)])[0].dtype, ravel_pytree(())[0])
for bad in [jnp.zeros(3), jnp.zeros(6, int)]:
    try:
        unravel(bad)
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
