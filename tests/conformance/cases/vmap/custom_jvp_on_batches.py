import jax, jax.numpy as jnp
from jax import lax
from functools import partial

def show(name, f, *args):
    try:
        print(name, f(*args))
    except Exception as e:
        print(name, type(e).__name__, "|", str(e)[:300])

@partial(jax.custom_jvp, nondiff_argnums=(0,))
def app(f, x, y): return f(x)*y
@app.defjvp
def app_jvp(f, p, t): return app(f,*p), t[0]*p[1]*10+t[1]
show("cj1", lambda: jax.vmap(lambda a,b: jax.jvp(lambda u,w: app(jnp.sin,u,w),(a,b),(1.,0.)), in_axes=(0,None))(jnp.arange(3.),2.))
show("cj2", lambda: jax.jvp(jax.vmap(lambda u,w: app(jnp.sin,u,w), in_axes=(0,None)),(jnp.arange(3.),2.),(jnp.ones(3),0.)))
show("cj3", lambda: jax.jit(jax.grad(lambda q: jax.vmap(lambda u: app(jnp.sin,u,2.))(q).sum()))(jnp.arange(3.)))
show("cj4", lambda: jax.grad(lambda q: jax.jit(jax.vmap(lambda u: app(jnp.sin,u,2.)))(q).sum())(jnp.arange(3.)))
show("cj5", lambda: jax.vmap(jax.grad(jax.jit(lambda u: app(jnp.sin,u,2.))))(jnp.arange(3.)))
@jax.custom_jvp
def sz(x,y): return x*y, y
def szj(p,t):
    print([type(q).__name__ if 'Zero' in type(q).__name__ else q.shape for q in t]); return sz(*p), (t[0] if 'Zero' not in type(t[0]).__name__ else jnp.zeros(()), t[1] if 'Zero' not in type(t[1]).__name__ else jnp.zeros(()))
sz.defjvp(szj, symbolic_zeros=True)
show("sz", lambda: jax.jvp(lambda q: jax.vmap(lambda u: sz(u,2.))(q),(jnp.arange(3.),),(jnp.ones(3),)))
show("sz2", lambda: jax.vmap(lambda q: jax.jvp(lambda u: sz(u,2.),(q,),(q,)))(jnp.arange(3.)))
c=jnp.arange(3.)
show("closure", lambda: jax.vmap(lambda i, w: jax.jvp(lambda u: app(lambda z: z*w,u,2.),(i,),(1.,)))(jnp.arange(3.),c))
show("closj", lambda: jax.vmap(lambda w: jax.jit(lambda u: u*w)(2.))(c))
show("closv", lambda: jax.vmap(lambda w: jax.vmap(lambda u: u*w)(c))(c))
show("closs", lambda: jax.vmap(lambda w: lax.scan(lambda a,b:(a+w*b,a),0.,c))(c))
show("closg", lambda: jax.vmap(lambda w: jax.grad(lambda u: u*u*w)(3.))(c))
show("hes", lambda: jax.vmap(jax.hessian(lambda u: jnp.sin(u).sum()))(jnp.ones((2,2))))
show("gvg", lambda: jax.grad(lambda w: jax.vmap(lambda u: jax.grad(lambda z: z**3*w)(u))(c).sum())(2.))
show("lin", lambda: jax.vmap(jax.linearize(jnp.sin, c)[1])(jnp.eye(3)))
show("vjpv", lambda: jax.vmap(jax.vjp(lambda u: jnp.sin(u), c)[1])(jnp.eye(3)))
