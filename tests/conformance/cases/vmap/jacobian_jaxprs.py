import jax, jax.numpy as jnp
from jax import lax

def show(name, f, *args):
    try:
        print(name, f(*args))
    except Exception as e:
        print(name, type(e).__name__, "|", str(e)[:300])

x = jnp.arange(12.0).reshape(4, 3)

show("jacf", lambda: jax.make_jaxpr(jax.jacfwd(lambda a: {'u':a['p']*2, 'v':a['q'].sum()}))({'p':x[0],'q':x[:2]}))
show("jacr", lambda: jax.make_jaxpr(jax.jacrev(lambda a: {'u':a['p']*2, 'v':a['q'].sum()}))({'p':x[0],'q':x[:2]}))
show("hess", lambda: jax.make_jaxpr(jax.hessian(lambda a: (a**3).sum()))(x[0]))
show("hess2", lambda: jax.hessian(lambda a: (a**3).sum()*a[0])(x[0]))
show("mapb", lambda: jax.make_jaxpr(lambda v: lax.map(lambda t: t.sum(), v, batch_size=3))(x))
show("mapb0", lambda: jax.make_jaxpr(lambda v: lax.map(lambda t: t.sum(), v, batch_size=0))(x))
show("mapb2", lambda: lax.map(lambda t: t.sum(), x, batch_size=3))
