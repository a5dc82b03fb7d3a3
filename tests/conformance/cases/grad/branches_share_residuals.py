import jax, jax.numpy as jnp
from jax import lax

def choose(x, y):
    first = lambda x, y: (lax.sin(x) * y, x, 1)
    second = lambda x, y: (x * 3.0, y * jnp.cos(y), 2)
    return lax.cond(x.sum() > 0, first, second, x, y)

def loss(x, y):
    a, b, _ = choose(x, y)
    return (a * b).sum()

x, y = jnp.arange(3.0), jnp.ones(3)
print(jax.make_jaxpr(jax.grad(loss, (0, 1)))(x, y))
print(jax.make_jaxpr(jax.grad(loss))(x, y))
print(jax.make_jaxpr(lambda *args: jax.jvp(loss, args, args))(x, y))
print(jax.make_jaxpr(jax.grad(jax.jit(loss)))(x, y))
for g in jax.grad(loss, (0, 1)), jax.jit(jax.grad(loss, (0, 1))):
    print(g(x, y), g(-x, y))
