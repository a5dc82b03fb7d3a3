import jax, jax.numpy as jnp
from jax import lax

xs = jnp.arange(1.0, 4.0)

@jax.custom_vjp
def g(x, y):
    return x * jnp.sin(y)

g.defvjp(lambda x, y: (g(x, y), (x, y)), lambda r, ct: (ct * jnp.sin(r[1]), ct * r[0] * jnp.cos(r[1])))

@jax.custom_jvp
def f(x, y):
    return x * jnp.sin(y)

f.defjvp(lambda primals, tangents: (f(*primals), tangents[0] * jnp.sin(primals[1]) + tangents[1] * primals[0]))

def show(fun, *args):
    print(jax.make_jaxpr(fun)(*args))
    print(fun(*args), jax.jit(fun)(*args))

def looped(x, z):
    return lax.scan(lambda c, y: (g(c, z) + f(y, z) + g(y, y), None), x, xs)[0]

show(jax.vmap(jax.grad(looped), (0, None)), xs, 2.0)
show(jax.vmap(jax.grad(looped, (0, 1))), xs, xs)
show(jax.grad(lambda z: jax.vmap(looped, (0, None))(xs, z).sum()), 2.0)
show(jax.jacrev(jax.grad(looped)), 1.0, 2.0)
