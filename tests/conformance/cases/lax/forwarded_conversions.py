import jax, jax.numpy as jnp
from jax import lax

def f(x):
    a = lax.convert_element_type(x, jnp.float32)
    b = lax.convert_element_type(jnp.asarray(3), jnp.float32)
    c = lax.broadcast_in_dim(x, (2,), (0,))
    d = lax.reshape(x, (2,))
    e = lax.transpose(x, (0,))
    return a + b, c, d, e, lax.convert_element_type(x, jnp.int8), lax.convert_element_type(True, jnp.int8)

print(jax.make_jaxpr(f)(jnp.ones(2)))
print([v.dtype.name for v in f(jnp.ones(2))])
