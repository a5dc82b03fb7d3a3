import jax, jax.numpy as jnp
from jax import lax

def show(name, f, in_axes, *args, out_axes=0):
    print(name, jax.make_jaxpr(jax.vmap(f, in_axes=in_axes, out_axes=out_axes))(*args))

x = jnp.ones((4, 3))
s = jnp.ones(4)

show("where", lambda c,a,b: jnp.where(c,a,b), 0, s>0, x, x)
show("where2", lambda c,a,b: lax.select_n(c,a,b), (None,0,1), jnp.zeros(3,bool), x, x.T)
show("where3", lambda c,a,b: lax.select_n(c,a,b), (0,None,None), jnp.zeros(4,bool), x[0], x[0])
show("where4", lambda c,a,b: lax.select_n(c,a,b), (None,0,1), jnp.zeros((),bool), jnp.ones((3,3)), jnp.ones((3,3)))
show("where5", lambda c,a,b: lax.select_n(c,a,b), (0,None,0), jnp.zeros(4,bool), 1., s)
show("where6", lambda c,a,b: lax.select_n(c,a,b), (0,1,0), jnp.zeros(4,bool), x.T, x)
show("where7", lambda c,a,b: lax.select_n(c,a,b), (0,0,0), jnp.zeros(4,bool), x, x)
show("where8", lambda c,a,b: lax.select_n(c,a,b), (None,None,0), jnp.zeros((),bool), x[0], x)
show("clamp", lambda a,b,c: lax.clamp(a,b,c), (None,0,None), 0., x, 1.)
show("clamp2", lambda a,b,c: lax.clamp(a,b,c), (0,0,0), s, x, s)
show("clamp3", lambda a,b,c: lax.clamp(a,b,c), (0,0,None), s, x, 1.)
show("clamp4", lambda a,b,c: lax.clamp(a,b,c), (None,0,0), 0., x, s)
show("clamp5", lambda a,b,c: lax.clamp(a,b,c), (0,None,None), s, 3., 1.)
show("clamp6", lambda a,b,c: lax.clamp(a,b,c), (0,0,0), x,x,x)
