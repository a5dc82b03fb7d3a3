import jax, jax.numpy as jnp
from jax import lax

def one_constant(a, xs):
    return lax.scan(lambda c, x: (c * jnp.sin(a) + x, c * x), 1.0, xs)[0]

def carries_left_alone(a, xs):
    def step(c, x):
        i, c, d = c
        return (i + 1, c * jnp.sin(a) + x, d + x), (c * x, i)
    return lax.scan(step, (0, 1.0, 3.0), xs)[0][1]

xs = jnp.arange(4.0)
print(jax.make_jaxpr(jax.grad(one_constant))(1.0, xs))
print(jax.make_jaxpr(jax.grad(jax.grad(one_constant)))(1.0, xs))
print(jax.make_jaxpr(jax.grad(carries_left_alone))(1.0, xs))
print(jax.grad(carries_left_alone)(1.0, xs), jax.grad(jax.grad(one_constant))(1.0, xs))
