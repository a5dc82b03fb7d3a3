import jax, jax.numpy as jnp
from jax import lax

def show(name, f, in_axes, *args):
    mapped = jax.vmap(f, in_axes=in_axes)
    print(name, jax.make_jaxpr(mapped)(*args))
    print(mapped(*args), jax.jit(mapped)(*args))

x = jnp.arange(12.0).reshape(4, 3)
s = jnp.arange(4.0)
i4 = jnp.arange(4)

show("cond_n", lambda p,v: lax.cond(p, lambda t: t*2, lambda t: t+1, v), (None,0), True, x)
show("cond_n2", lambda p,v: lax.cond(p, lambda t: t*2, lambda t: jnp.ones(3), v), (None,0), True, x)
show("cond_n3", lambda p,v,w: lax.cond(p, lambda t,u: (t*2,u), lambda t,u: (t,u+1), v, w), (None,1,None), True, x.T, 1.)
show("cond_b", lambda p,v: lax.cond(p, lambda t: t*2, lambda t: t+1, v), (0,0), s>1, x)
show("cond_bn", lambda p,v: lax.cond(p, lambda t: t*2, lambda t: jnp.ones(3), v), (0,None), s>1, x[0])
show("cond_self", lambda v: lax.cond(v>1., lambda t: jnp.sqrt(t), lambda t: 0., v), 0, s)
show("switch_b", lambda i,v: lax.switch(i, [lambda t:t, lambda t:-t, lambda t:t*3], v), (0,0), i4, x)
show("switch_n", lambda i,v: lax.switch(i, [lambda t:t, lambda t:-t, lambda t:t*3], v), (None,0), 1, x)
