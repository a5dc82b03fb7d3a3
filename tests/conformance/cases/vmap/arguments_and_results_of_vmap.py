import jax, jax.numpy as jnp

def show(name, f, *args):
    try:
        print(name, f(*args))
    except Exception as e:
        print(name, type(e).__name__, "|", str(e)[:300])

x = jnp.arange(3.0)
y = jnp.ones((2, 3))


def dd(x):
    "The doc."
    return x

show("a", lambda: jax.jacfwd(lambda t: (t*2, {'n':t.sum(),'s':'hi'}), has_aux=True)(x))
show("b", lambda: jax.jacfwd(lambda t: (t*2, {'n':t.sum()}), has_aux=True)(x))
show("d", lambda: jax.vmap(lambda t: 'a')(x))
show("e", lambda: jax.vmap(lambda t: None)(x))
show("kw", lambda: jax.vmap(lambda x, s: x*s)(jnp.ones((2,3)), s=jnp.arange(2.)))
show("none", lambda: jax.vmap(lambda x, s: x)(jnp.ones((2,3)), None))
show("size", lambda: jax.vmap(lambda x: x*2, in_axes=None, axis_size=3)(2.))
show("size0", lambda: jax.vmap(lambda: 1., axis_size=3)())
show("namedout", lambda: jax.vmap(lambda x: x, out_axes=None, axis_name='i')(y))
show("doc2", lambda: jax.vmap(dd).__doc__)
show("sum", lambda: jax.vmap(lambda x: x, out_axes=None, sum_match=True)(y))
show("mask", lambda: jax.vmap(lambda t: t[t>0])(y))
show("empty", lambda: jax.vmap(lambda t: t.sum())(jnp.ones((0,3))))
show("spmd", lambda: jax.vmap(lambda t: t.sum(), spmd_axis_name='d')(y))
show("deep", lambda: jax.vmap(lambda t: t, out_axes={'a':(0,None)})(y))
show("deep2", lambda: jax.vmap(lambda t: {'a':(t,t)}, out_axes={'a':(0,None)})(y))
