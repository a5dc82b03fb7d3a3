import jax, jax.numpy as jnp
from jax import lax

def show(name, f, in_axes, *args, out_axes=0):
    print(name, jax.make_jaxpr(jax.vmap(f, in_axes=in_axes, out_axes=out_axes))(*args))

x = jnp.ones((4, 3))
xx = jnp.ones((2, 4, 3))

show("sort", lambda a: jnp.sort(a), 0, x)
show("sort1", lambda a: jnp.sort(a), 1, x.T)
show("argsort", lambda a: jnp.argsort(a), 0, x)
show("sort_kv", lambda a,b: lax.sort((a,b)), (0,None), x, x[0])
show("sort_kv1", lambda a,b: lax.sort((a,b), num_keys=2), (None,1), x[0], x.T)
show("top_k", lambda a: lax.top_k(a,2), 1, x.T)
show("approx", lambda a: lax.approx_max_k(a,2), 1, x.T)
show("cumsum", lambda a: jnp.cumsum(a), 1, x.T)
show("cumsum2", lambda a: jnp.cumsum(a,axis=1), 1, xx)
show("cumprod", lambda a: lax.cumprod(a,reverse=True), 0, x)
show("cummax", lambda a: lax.cummax(a), 0, x)
