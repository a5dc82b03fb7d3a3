import jax, jax.numpy as jnp

def show(name, f, *args):
    try:
        print(name, f(*args))
    except Exception as e:
        print(name, type(e).__name__, "|", str(e)[:300])

x=jnp.arange(12.).reshape(4,3)
cv=jax.custom_batching.custom_vmap
@cv
def f(a,b): return a+b
show("norule", lambda: f(1.,2.))
@f.def_vmap
def rule(size, batched, a, b):
    print(size, batched, getattr(a,'shape',None), getattr(b,'shape',None))
    return a*b, batched[0] or batched[1]
show("call", lambda: f(1.,2.))
show("vmap", lambda: jax.vmap(f,in_axes=(0,None))(x,2.))
show("vmap1", lambda: jax.vmap(f,in_axes=(1,0))(x,jnp.ones((3,4))))
show("jaxpr", lambda: str(jax.make_jaxpr(f)(1.,2.)).split('rule=')[0])
show("jaxprv", lambda: jax.make_jaxpr(jax.vmap(f))(x,x))
show("jvp", lambda: jax.jvp(f,(1.,2.),(1.,0.)))
show("jvpv", lambda: jax.jvp(jax.vmap(f),(x[0],x[1]),(x[0],x[0])))
show("vjvp", lambda: jax.vmap(lambda a,b: jax.jvp(f,(a,b),(a,a)))(x[0],x[1]))
show("vjvp2", lambda: jax.vmap(lambda a,b: jax.jvp(f,(a,b),(1.,b)))(x[0],x[1]))
show("grad", lambda: jax.grad(f)(1.,2.))
show("jit", lambda: jax.jit(jax.vmap(f))(x,x))
show("vjit", lambda: jax.vmap(jax.jit(f))(x,x))
show("kw", lambda: f(1.,b=2.))
show("badkw", lambda: f(1.,c=2.))
@cv
def g(a): return {'y':a, 'z':(a,a)}
@g.def_vmap
def grule(size, batched, a): return {'y':a}, {'y':True}
show("badtree", lambda: jax.vmap(g)(x))
@cv
def h(a): return a
@h.def_vmap
def hrule(size, batched, a): return (a,), True
show("badtree2", lambda: jax.vmap(h)(x))
@cv
def k(t,u): return t['a']+u
@k.def_vmap
def krule(size, b, t, u): print(b); return t['a']*u, True
show("tree", lambda: jax.vmap(k,in_axes=({'a':0},None))({'a':x},1.))
show("vv", lambda: jax.vmap(jax.vmap(f,in_axes=(0,None)),in_axes=(0,None))(x,1.))
sv=jax.custom_batching.sequential_vmap
@sv
def s(a): print(a.shape); return a*2
show("seq", lambda: jax.vmap(s)(x))
show("seqj", lambda: jax.make_jaxpr(jax.vmap(s))(x))
@sv
def s2(a,b): return a*b
show("seq2", lambda: jax.make_jaxpr(jax.vmap(s2,in_axes=(0,None)))(x,3.))
