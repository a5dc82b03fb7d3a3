import jax, jax.numpy as jnp
from jax import lax

def f(x):
    step = lambda c, i: (lax.cond(i > 1, lambda c: jnp.sin(c) * x, lambda c: c * 2 * x, c), c)
    return lax.scan(step, x, jnp.arange(4))[0]

print(jax.make_jaxpr(jax.grad(f))(2.0))
print(jax.grad(f)(2.0), jax.jit(jax.grad(f))(2.0), jax.grad(jax.grad(f))(2.0))
