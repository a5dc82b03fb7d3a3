import jax, jax.numpy as jnp
from jax import lax

def show(name, f, in_axes, *args):
    mapped = jax.vmap(f, in_axes=in_axes)
    print(name, jax.make_jaxpr(mapped)(*args))
    print(mapped(*args), jax.jit(mapped)(*args))

x = jnp.arange(12.0).reshape(4, 3)
s = jnp.arange(4.0)

show("scan_c", lambda c,xs: lax.scan(lambda c,x:(c+x,c*x), c, xs), (0,None), s, x[0])
show("scan_x", lambda c,xs: lax.scan(lambda c,x:(c+x,c*x), c, xs), (None,0), 1., x)
show("scan_x1", lambda c,xs: lax.scan(lambda c,x:(c+x,c*x), c, xs), (None,1), 1., x.T)
show("scan_xx", lambda c,xs: lax.scan(lambda c,x:(c+x,x*2), c, xs, reverse=True), (0,0), s, x)
show("scan_const", lambda c,xs,k: lax.scan(lambda c,x:(c+x*k,c), c, xs), (None,None,0), 0., x[0], s)
show("scan_mix", lambda a,k: lax.scan(lambda c,x:((c[0]+1.,c[1]+c[0]*k),c[0]), (0.,a), None, length=3), (None,0), 1., s)
show("scan_fix", lambda k: lax.scan(lambda c,x:((c[1],c[2],c[2]+k),c[0]), (0.,0.,0.), None, length=3), 0, s)
show("scan_idx", lambda a: lax.scan(lambda c,x:(c@jnp.ones((3,3)),c.sum()), a, None, length=3), 0, x)
