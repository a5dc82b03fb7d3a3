import jax, jax.numpy as jnp
from functools import partial

def show(name, f, *args):
    try:
        print(name, f(*args))
    except Exception as e:
        print(name, type(e).__name__, "|", str(e)[:300])

x=jnp.arange(6.).reshape(3,2)+1
@jax.custom_vjp
def f(a,b): return jnp.sin(a)*b
def ff(a,b): return f(a,b), (jnp.cos(a),a,b)
def fb(r,g): return (r[0]*g*r[2]*2, (g*r[1]).sum())
f.defvjp(ff,fb)
show("v", lambda: jax.vmap(f,in_axes=(0,None))(x,2.))
show("j", lambda: jax.make_jaxpr(jax.vmap(f,in_axes=(0,None)))(x,2.))
show("jj", lambda: jax.make_jaxpr(jax.vmap(jax.jit(f),in_axes=(1,None)))(x,2.))
show("gv", lambda: jax.grad(lambda a,b: jax.vmap(f,in_axes=(0,None))(a,b).sum(),(0,1))(x,2.))
show("gvj", lambda: jax.grad(lambda a,b: jax.jit(jax.vmap(f,in_axes=(0,None)))(a,b).sum(),(0,1))(x,2.))
show("gvjj", lambda: jax.make_jaxpr(jax.grad(lambda a,b: jax.jit(jax.vmap(f,in_axes=(0,None)))(a,b).sum(),(0,1)))(x,2.))
show("vg", lambda: jax.vmap(jax.grad(lambda a,b: f(a,b).sum(),(0,1)),in_axes=(0,None))(x,2.))
show("vgj", lambda: jax.vmap(jax.grad(jax.jit(lambda a,b: f(a,b).sum()),(0,1)),in_axes=(0,None))(x,2.))
show("vgjj", lambda: jax.make_jaxpr(jax.vmap(jax.grad(lambda a,b: f(a,b).sum(),(0,1)),in_axes=(0,None)))(x,2.))
show("jvg", lambda: jax.jit(jax.vmap(jax.grad(lambda a,b: f(a,b).sum(),(0,1)),in_axes=(0,None)))(x,2.))
show("jac", lambda: jax.jacrev(lambda a: f(a,3.))(x[0]))
show("hes", lambda: jax.jacrev(jax.grad(lambda a: f(a,3.).sum()))(x[0]))
show("vjv", lambda: jax.vmap(lambda a: jax.jvp(lambda t: f(t,1.),(a,),(a,)))(x))
show("vv", lambda: jax.grad(lambda a: jax.vmap(jax.vmap(f))(a,a).sum())(x))
@jax.custom_vjp
def clipg(a, lim): return a
clipg.defvjp(lambda a,lim: (a,lim), lambda lim,g: (jnp.clip(g,-lim,lim), None))
show("clip", lambda: jax.vmap(jax.grad(lambda a: (clipg(a,0.5)*3*a).sum()))(x))
@partial(jax.custom_vjp, nondiff_argnums=(0,))
def app(fn,a): return fn(a)
app.defvjp(lambda fn,a: (fn(a),a), lambda fn,a,g: (g*a*100,))
show("nd", lambda: jax.vmap(jax.grad(lambda a: app(jnp.sin,a)))(jnp.arange(3.)))
w=jnp.arange(3.)
show("clos", lambda: jax.vmap(lambda a,c: app(lambda t: t*c,a))(jnp.arange(3.),w))
@jax.custom_vjp
def sz(a,b): return a*b, b
def szf(a,b): return (a.value*b.value,b.value), (a.value,b.value,a.perturbed)
def szb(r,g):
    print([type(t).__name__ if 'Zero' in type(t).__name__ else t.shape for t in g]); a,b,_=r
    g0=g[0]; return (g0*b, g0*a)
sz.defvjp(szf, szb, symbolic_zeros=True)
show("sz", lambda: jax.vmap(jax.grad(lambda a: sz(a,2.)[0]))(w))
show("szg", lambda: jax.grad(lambda a: jax.vmap(lambda t: sz(t,2.)[0])(a).sum())(w))
