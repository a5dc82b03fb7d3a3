import jax, jax.numpy as jnp
from jax import lax

def show(name, f, in_axes, *args, out_axes=0):
    print(name, jax.make_jaxpr(jax.vmap(f, in_axes=in_axes, out_axes=out_axes))(*args))

x = jnp.ones((4, 3))
xx = jnp.ones((2, 4, 3))
s = jnp.ones(4)

show("add_scalar", lambda a,b: a+b, 0, x, s)
show("add_none", lambda a,b: a+b, (0,None), x, x[0])
show("add_none2", lambda a,b: lax.add(a,b), (None,0), x[0], x)
show("add_axes", lambda a,b: lax.add(a,b), (0,1), x, x.T)
show("add_1d_0d", lambda a,b: a*b, (None,0), xx, s)
