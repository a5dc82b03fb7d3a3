import jax, jax.numpy as jnp
from jax import lax

def nested(x):
    inner = lambda c: lax.scan(lambda d, z: (d * jnp.sin(z) + c[1], None), c[0], x)[0]
    return lax.scan(lambda c, y: (inner((c, y)), c), 1.0, x)[1]

x = jnp.arange(3.0)
print(jax.make_jaxpr(jax.grad(lambda x: nested(x).sum()))(x))
print(jax.jit(jax.grad(lambda x: nested(x).sum()))(x))
print(jax.jacfwd(nested)(x))
