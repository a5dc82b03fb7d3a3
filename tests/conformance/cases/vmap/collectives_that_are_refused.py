import jax, jax.numpy as jnp
from jax import lax

def show(name, f, *args):
    try:
        print(name, f(*args))
    except Exception as e:
        print(name, type(e).__name__, "|", str(e)[:300])

x = jnp.ones((4, 3))


def v(f, **options):
    return jax.vmap(f, axis_name="i", **options)

show("perm_short", v(lambda t: lax.ppermute(t,'i',[(0,1)])), x)
show("a2a", v(lambda t: lax.all_to_all(t,'i',0,0)), x)
show("a2at", v(lambda t: lax.all_to_all(t,'i',0,0,tiled=True)), x)
show("ps2", v(lambda t: lax.psum_scatter(t,'i',tiled=True)), x)
show("perm_bad", v(lambda t: lax.pshuffle(t,'i',[0,0,1,2])), x)
show("groups", v(lambda t: lax.psum(t,'i',axis_index_groups=[[0,1],[2,3]])), x)
show("groups2", v(lambda t: lax.psum(t,'i',axis_index_groups=[[0,1],[2,2]])), x)
show("ag2", jax.vmap(v(lambda t: lax.all_gather(t,('i','j'))),axis_name='j'), jnp.ones((2,4)))
show("axes", lambda: lax.axis_index('q'))
show("size", lambda: lax.axis_size('q'))
show("pmaxg", v(jax.grad(lambda u: lax.pmax(u,'i').sum())), x)
show("outnone2", v(lambda u: u, out_axes=None), x)
show("dup", jax.vmap(lambda t: lax.psum(t,('i','i')),axis_name='i'), x)
