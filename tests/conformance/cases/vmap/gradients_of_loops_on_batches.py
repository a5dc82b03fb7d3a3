import jax, jax.numpy as jnp
from jax import lax

def show(name, f, *args):
    try:
        print(name, f(*args))
    except Exception as e:
        print(name, type(e).__name__, "|", str(e)[:300])

x = jnp.arange(6.0).reshape(3, 2) + 1
w = jnp.arange(3.0)
show("gscan", lambda: jax.vmap(jax.grad(lambda a: lax.scan(lambda c,t:(c*jnp.sin(t),c),1.,a)[0]))(x))
show("scang", lambda: jax.grad(lambda a: jax.vmap(lambda r: lax.scan(lambda c,t:(c*jnp.sin(t),c),1.,r)[0])(a).sum())(x))
show("scangj", lambda: jax.make_jaxpr(jax.grad(lambda a: jax.vmap(lambda r: lax.scan(lambda c,t:(c*jnp.sin(t),c),1.,r)[0])(a).sum()))(x))
show("vscang", lambda: jax.make_jaxpr(jax.vmap(jax.grad(lambda a: lax.scan(lambda c,t:(c*jnp.sin(t),c),1.,a)[0])))(x))
show("wjvp", lambda: jax.vmap(lambda t: jax.jvp(lambda u: lax.while_loop(lambda c: c<9., lambda c: c*2+1, u),(t,),(1.,)))(w))
show("jvpw", lambda: jax.jvp(lambda q: jax.vmap(lambda u: lax.while_loop(lambda c: c<9., lambda c: c*2+1, u))(q),(w,),(w,)))
show("jvpwj", lambda: jax.make_jaxpr(lambda w: jax.jvp(lambda q: jax.vmap(lambda u: lax.while_loop(lambda c: c<9., lambda c: c*2+1, u))(q),(w,),(w,)))(w))
show("jjvpw", lambda: jax.jit(lambda w: jax.jvp(lambda q: jax.vmap(lambda u: lax.while_loop(lambda c: c<9., lambda c: c*2+1, u))(q),(w,),(w,)))(w))
show("cg", lambda: jax.vmap(jax.grad(lambda t: lax.cond(t>1.,lambda u: jnp.sqrt(u-1.),lambda u: u*3,t)))(w))
show("gc", lambda: jax.grad(lambda q: jax.vmap(lambda t: lax.cond(t>1.,lambda u: jnp.sqrt(u-1.),lambda u: u*3,t))(q).sum())(w))
show("gcj", lambda: jax.make_jaxpr(jax.grad(lambda q: jax.vmap(lambda t: lax.cond(t>1.,lambda u: jnp.sqrt(u-1.),lambda u: u*3,t))(q).sum()))(w))
def mlp(p,t): return jnp.tanh(t@p['w']+p['b']).sum()
p={'w':jnp.ones((2,3)),'b':jnp.zeros(3)}
show("peg", lambda: jax.make_jaxpr(jax.vmap(jax.grad(mlp),in_axes=(None,0)))(p,x))
show("pegv", lambda: jax.jit(jax.vmap(jax.value_and_grad(mlp),in_axes=(None,0)))(p,x))
