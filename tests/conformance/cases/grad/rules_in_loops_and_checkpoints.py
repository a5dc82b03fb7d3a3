import jax, jax.numpy as jnp
from jax import lax

xs = jnp.ones(3)

@jax.custom_jvp
def f(x):
    return x * 2

f.defjvp(lambda primals, tangents: (f(primals[0]), tangents[0] * 3))

@jax.custom_vjp
def g(x):
    return x * 2

g.defvjp(lambda x: (g(x), x), lambda x, ct: (ct * x,))

def show(f, x=1.0):
    print(jax.make_jaxpr(jax.grad(f))(x))
    print(jax.grad(f)(x), jax.jit(jax.grad(f))(x))

# each equation has a program of its own
show(jax.checkpoint(lambda x: f(f(x)) * x))
show(jax.jit(jax.checkpoint(lambda x: f(x) * f(x))))
show(jax.checkpoint(lambda x: g(g(x)) * x))
show(jax.checkpoint(lambda x: jax.nn.relu(x) * jax.nn.softplus(x)))

# a call of nothing stands before the loop
show(lambda x: lax.scan(lambda c, y: (c * g(y), None), x, xs)[0])
show(lambda x: lax.scan(lambda c, y: (g(c) * y + g(x), g(y)), x, xs)[0])
show(lambda x: lax.scan(lambda c, y: (lax.cond(y > 0, g, lambda c: c, c), g(y)), x, xs)[0])

# the carry becomes strong, what a branch does to it was traced while it was weak
show(lambda x: lax.scan(lambda c, y: (lax.cond(y > 0, lambda c: jnp.sin(c) * y, lambda c: c - y, c), y), x, xs)[0])
show(lambda x: lax.scan(lambda c, y: (jax.jit(lambda c, y: c * y)(c, y), y), x, xs)[0])
