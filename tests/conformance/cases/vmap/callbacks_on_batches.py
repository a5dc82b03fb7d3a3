import jax, jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import io_callback

def show(name, f, *args):
    try:
        print(name, f(*args))
    except Exception as e:
        print(name, type(e).__name__, "|", str(e)[:300])

x=jnp.arange(6.).reshape(3,2); s=jax.ShapeDtypeStruct((),jnp.float32); v=jax.ShapeDtypeStruct((2,),jnp.float32)
def host(*a):
    print([np.shape(t) for t in a]); return np.asarray(a[0]*2+(a[1] if len(a)>1 else 0), np.float32)
for m in ['sequential','sequential_unrolled','expand_dims','legacy_vectorized',None]:
    show(m, lambda: jax.vmap(lambda t,u: jax.pure_callback(host, v, t, u, vmap_method=m), in_axes=(0,None))(x, jnp.float32(1.)))
    show(str(m)+"j", lambda: [str(e.primitive) for e in jax.make_jaxpr(jax.vmap(lambda t,u: jax.pure_callback(host, v, t, u, vmap_method=m), in_axes=(0,None)))(x, jnp.float32(1.)).eqns])
show("dp", lambda: jax.vmap(lambda t: jax.debug.print("v {}", t))(x))
show("dp2", lambda: jax.vmap(lambda t,u: jax.debug.print("v {} {u}", t, u=u), in_axes=(1,None))(x,3))
show("dpc", lambda: jax.vmap(lambda t: jax.debug.callback(lambda a: print(a.shape), t))(x))
show("dpj", lambda: jax.jit(jax.vmap(lambda t: (jax.debug.print("v {}", t), t*2)[1]))(x))
show("dpu", lambda: jax.vmap(lambda t: (jax.debug.print("once"), t)[1])(x))
show("wio", lambda: jax.vmap(lambda t: lax.while_loop(lambda c: c<3., lambda c: io_callback(lambda a: np.float32(a+1), s, c), t))(jnp.arange(3.)))
show("wioo", lambda: jax.vmap(lambda t: lax.while_loop(lambda c: c<3., lambda c: io_callback(lambda a: np.float32(a+1), s, c, ordered=True), t))(jnp.arange(3.)))
show("cio", lambda: jax.vmap(lambda t: lax.cond(t>1., lambda c: io_callback(lambda a: np.float32(a+1), s, c), lambda c:c, t))(jnp.arange(3.)))
show("cdp", lambda: jax.vmap(lambda t: lax.cond(t>1., lambda c: (jax.debug.print("big {}",c),c)[1], lambda c:c, t))(jnp.arange(3.)))