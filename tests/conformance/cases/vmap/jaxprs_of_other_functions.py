import jax, jax.numpy as jnp
from jax import lax

def show(name, f, in_axes, *args, out_axes=0):
    print(name, jax.make_jaxpr(jax.vmap(f, in_axes=in_axes, out_axes=out_axes))(*args))

x = jnp.ones((4, 3))
m = jnp.ones((3, 3))

show("erf", lambda a: jax.scipy.special.erf(a), 0, x)
show("gammainc", lambda a,b: lax.igamma(a,b), (0,None), x, x[0])
show("bitcast", lambda a: lax.bitcast_convert_type(a, jnp.int16), 0, x)
show("diag", lambda a: jnp.diag(a), 0, x)
show("trace", lambda a: jnp.trace(a), 0, jnp.ones((4,3,3)))
show("tril", lambda a: jnp.tril(a), 0, jnp.ones((4,3,3)))
show("roll", lambda a: jnp.roll(a,1), 0, x)
show("unique", lambda a: jnp.bincount(a,length=3), 0, jnp.zeros((4,2),jnp.int32))
show("nonzero", lambda a: jnp.nonzero(a,size=2), 0, x)
show("median", lambda a: jnp.median(a), 0, x)
show("sg", lambda a: lax.stop_gradient(a), 0, x)
show("ob", lambda a: lax.optimization_barrier((a,1.)), 0, x)
show("kron", lambda a,b: jnp.kron(a,b), (0,None), x, x[0])
show("cross", lambda a,b: jnp.cross(a,b), (0,None), x, x[0])
show("tensordot", lambda a,b: jnp.tensordot(a,b,2), (0,None), jnp.ones((4,3,3)), m)
