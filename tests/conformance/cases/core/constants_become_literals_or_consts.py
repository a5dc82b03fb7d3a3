import jax, jax.numpy as jnp
import numpy as np

def f(x):
    half = jnp.asarray(0.5)
    two = jnp.array(2)
    table = jnp.array([1.0, 2.0])
    return x * half + two, table, jnp.float32(3) * x, jnp.zeros(()) + x, np.arange(2) * x

jaxpr = jax.make_jaxpr(f)(jnp.float32(1))
print(jaxpr)
print(len(jaxpr.consts))
