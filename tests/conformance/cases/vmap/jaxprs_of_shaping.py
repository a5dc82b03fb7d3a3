import jax, jax.numpy as jnp
from jax import lax

def show(name, f, in_axes, *args, out_axes=0):
    print(name, jax.make_jaxpr(jax.vmap(f, in_axes=in_axes, out_axes=out_axes))(*args))

x = jnp.ones((4, 3))
s = jnp.ones(4)

show("bcast", lambda a: lax.broadcast_in_dim(a,(2,3),(1,)), 0, x)
show("bcast1", lambda a: lax.broadcast_in_dim(a,(2,3),(1,)), 1, x.T)
show("bcast_s", lambda a: jnp.broadcast_to(a,(2,3)), 0, s)
show("expand", lambda a: a[None,:,None], 0, x)
show("reshape", lambda a: a.reshape(3,1), 1, x.T)
show("reshape_dims", lambda a: lax.reshape(a,(6,),(1,0)), 1, jnp.ones((2,4,3)))
show("squeeze", lambda a: jnp.squeeze(a), 0, jnp.ones((4,1,3,1)))
show("squeeze1", lambda a: lax.squeeze(a,(0,)), 2, jnp.ones((1,3,4)))
show("transpose", lambda a: a.T, 1, jnp.ones((2,4,3)))
show("transpose0", lambda a: a.T, 0, x)
show("pad", lambda a,v: lax.pad(a,v,[(1,1,0)]), (0,None), x, 0.)
show("pad2", lambda a,v: lax.pad(a,v,[(1,1,0)]), (None,0), x[0], s)
show("pad3", lambda a,v: lax.pad(a,v,[(1,1,0)]), (0,0), x, s)
show("pad4", lambda a: jnp.pad(a,1), 1, x.T)
