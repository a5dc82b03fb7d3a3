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

show("mk", lambda: jax.make_jaxpr(lambda t: (lax.psum(t,'i'), lax.pmax(t,'i'), lax.axis_index('i'), lax.all_gather(t,'i'), lax.ppermute(t,'i',[(0,1)]), lax.axis_size('i'), lax.all_to_all(t,'i',0,0), lax.psum_scatter(t,'i')), axis_env=[('i',3)])(x[0]))
show("idx2", lambda: jax.make_jaxpr(jax.vmap(v(lambda t: lax.axis_index(('j','i'))),axis_name='j'))(jnp.ones((2,4))))
show("gr", jax.grad(lambda t: v(lambda u: lax.psum(u*u,'i')*u)(t).sum()), x)
show("grj", lambda t: jax.make_jaxpr(jax.grad(lambda t: v(lambda u: lax.psum(u*u,'i')*u)(t).sum()))(t), x)
show("vgr", v(jax.grad(lambda u: (lax.psum(u*u,'i')*u).sum())), x)
show("vgrj", lambda t: jax.make_jaxpr(v(jax.grad(lambda u: (lax.psum(u*u,'i')*u).sum())))(t), x)
show("bool", v(lambda u: lax.psum(u>0,'i')), x)
show("tree", v(lambda u: lax.psum({'a':u,'b':1.},'i')), x)
show("unb", v(lambda u: (u, lax.pmax(3.,'i'))), x)
show("unb2", v(lambda u: (u, lax.all_gather(3.,'i'))), x)
show("unb3", v(lambda u: (u, lax.psum(jnp.ones(2),'i'))), x)
show("unb4", v(lambda u: (u, lax.pmean(jnp.ones(2),'i'))), x)
show("swap", v(lambda u: lax.pswapaxes(u,'i',0)), jnp.arange(16.).reshape(4,4))
show("agt", v(lambda u: lax.all_gather(u,'i',axis=1)), x)
show("agtt", v(lambda u: lax.all_gather(u,'i',tiled=True)), x)
show("outnone", v(lambda u: lax.psum(u,'i'), out_axes=None), x)
show("posax", jax.vmap(lambda t: lax.psum(t, 0)), x)
show("shadow", jax.vmap(v(lambda t: lax.psum(t,'i')),axis_name='i'), jnp.arange(8.).reshape(2,4))
show("a2a_ij", v(lambda t: lax.all_to_all(t,'i',0,1)), jnp.arange(32.).reshape(4,4,2))
show("a2a_10", v(lambda t: lax.all_to_all(t,'i',1,0)), jnp.arange(32.).reshape(4,2,4))
show("scan", v(lambda t: lax.scan(lambda c,u:(c+lax.psum(u,'i'),c),0.,t)), x)
show("jit", v(jax.jit(lambda t: t-lax.pmean(t,'i'))), x)
