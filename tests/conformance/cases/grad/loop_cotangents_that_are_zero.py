import jax, jax.numpy as jnp
from jax import lax

def both(a, xs):
    return lax.scan(lambda c, x: (c * a + x, (c * x, a * x)), 1.0, xs)

jitted = jax.jit(lambda a, xs: both(a, xs)[1])
print(jax.make_jaxpr(jax.grad(lambda a, xs: jitted(a, xs)[1].sum()))(1.0, jnp.ones(3)))
print(jax.make_jaxpr(jax.grad(lambda a, xs: both(a, xs)[1][1].sum()))(1.0, jnp.ones(3)))
print(jax.make_jaxpr(jax.grad(lambda a, xs: both(a, xs)[0]))(1.0, jnp.ones(3)))
print(jax.grad(lambda a, xs: both(a, xs)[1][1].sum(), (0, 1))(1.0, jnp.ones(3)))
