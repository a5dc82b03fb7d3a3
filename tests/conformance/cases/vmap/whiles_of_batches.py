import jax, jax.numpy as jnp
from jax import lax

def show(name, f, in_axes, *args):
    mapped = jax.vmap(f, in_axes=in_axes)
    print(name, jax.make_jaxpr(mapped)(*args))
    print(mapped(*args), jax.jit(mapped)(*args))

x = jnp.arange(12.0).reshape(4, 3)
s = jnp.arange(4.0)
i4 = jnp.arange(4)

show("while_b", lambda v: lax.while_loop(lambda t: t<9., lambda t: t*2+1, v), 0, s)
show("while_pair", lambda v,n: lax.while_loop(lambda t: t[0]<n, lambda t: (t[0]+1,t[1]*2), (0,v)), (0,0), s, i4)
show("while_n", lambda v,n: lax.while_loop(lambda t: t[0]<n, lambda t: (t[0]+1,t[1]*2), (0,v)), (0,None), s, 3)
show("while_n1", lambda v,n: lax.while_loop(lambda t: t[0]<n, lambda t: (t[0]+1,t[1]*2), (0,v)), (1,None), x.T, 3)
show("while_vec", lambda v: lax.while_loop(lambda t: t.sum()<40., lambda t: t*2+1, v), 0, x)
show("while_const", lambda v,k: lax.while_loop(lambda t: t<40., lambda t: t*k+1, v), (None,0), 1., s+1)
show("while_vv", jax.vmap(lambda v: lax.while_loop(lambda t: t<40., lambda t: t*2+1, v)), 0, x)
show("while_vvn", lambda v,n: jax.vmap(lambda v: lax.while_loop(lambda t: t[0]<n, lambda t: (t[0]+1,t[1]*2), (0,v)))(v), (0,0), x, i4)
show("while_vvm", lambda k,v: jax.vmap(lambda v: lax.while_loop(lambda t: t[0]<9., lambda t: (t[0]*2+1,t[1]*k), (v,1.)))(v), (0,None), s, s)
show("fori", lambda v: lax.fori_loop(0,3,lambda i,t: t*2+i, v), 0, s)
show("fori_b", lambda n,v: lax.fori_loop(0,n,lambda i,t: t*2+i, v), (0,None), i4, 1.)
