import jax, jax.numpy as jnp

def show(name, f, *args):
    try:
        print(name, f(*args))
    except Exception as e:
        print(name, type(e).__name__, "|", str(e)[:300])

def weigh(x, w, *rest, scale=1., **kw): return x
show("m1", lambda: jax.vmap(weigh)(jnp.ones(3), jnp.ones(4)))
show("m2", lambda: jax.vmap(weigh)({'a':jnp.ones(3),'b':jnp.ones(3)}, jnp.ones(4)))
show("m3", lambda: jax.vmap(weigh)(jnp.ones(3), jnp.ones(3), jnp.ones(4)))
show("m4", lambda: jax.vmap(weigh)(jnp.ones(3), jnp.ones(3), scale=jnp.ones(4)))
show("m5", lambda: jax.vmap(weigh)(jnp.ones(3), jnp.ones(3), zed=jnp.ones(4)))
show("m6", lambda: jax.vmap(weigh,axis_size=5)(jnp.ones(3), jnp.ones(4)))
show("m7", lambda: jax.vmap(jnp.add)(jnp.ones(3), jnp.ones(4)))
show("m8", lambda: jax.vmap(lambda *a: a)(jnp.ones(3), jnp.ones(4), jnp.ones(4), jnp.ones(5)))
show("m9", lambda: jax.vmap(lambda x,y: x, in_axes=(1,0))(jnp.ones((2,3)), jnp.ones((2,3))))
show("m10", lambda: jax.vmap(lambda x: x['a'])({'a':jnp.ones((5,2)),'b':jnp.ones((2,5))}))
