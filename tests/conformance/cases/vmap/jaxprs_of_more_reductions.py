import jax, jax.numpy as jnp
from jax import lax

def show(name, f, in_axes, *args, out_axes=0):
    print(name, jax.make_jaxpr(jax.vmap(f, in_axes=in_axes, out_axes=out_axes))(*args))

x = jnp.ones((4, 3))
xx = jnp.ones((2, 4, 3))

show("sum", lambda a: a.sum(), 0, xx)
show("sum1", lambda a: a.sum(0), 1, xx)
show("sum2", lambda a: a.sum((0,1)), 1, xx)
show("mean", lambda a: a.mean(-1), 1, xx)
show("max", lambda a: a.max(), 1, xx)
show("any", lambda a: (a>0).any(0), 2, xx)
show("prod", lambda a: a.prod(0), 2, xx)
show("argmax", lambda a: jnp.argmax(a,0), 1, xx)
show("argmin", lambda a: jnp.argmin(a), 1, xx)
show("std", lambda a: jnp.std(a), 0, x)
show("var", lambda a: jnp.linalg.norm(a), 0, x)
show("reduce", lambda a: lax.reduce(a, 1.0, lambda p,q: p*q+p, (0,)), 0, x)
