import jax, jax.numpy as jnp
from jax import lax

def show(name, f, *args):
    try:
        print(name, f(*args))
    except Exception as e:
        print(name, type(e).__name__, "|", str(e)[:300])

x = jnp.arange(6.0).reshape(3, 2) + 1
w = jnp.arange(3.0)
ck=jax.checkpoint(lambda a,b: jnp.sin(jnp.sin(a)*b))
show("ck", lambda: jax.make_jaxpr(jax.vmap(ck,in_axes=(1,None)))(x,2.))
show("ckg", lambda: jax.vmap(jax.grad(lambda a: ck(a,2.).sum()))(x))
show("ckgj", lambda: jax.make_jaxpr(jax.vmap(jax.grad(lambda a: ck(a,2.).sum())))(x))
show("gck", lambda: jax.grad(lambda a: jax.vmap(ck,in_axes=(0,None))(a,2.).sum())(x))
A=jnp.array([[2.,1.],[1.,3.]])
show("solve", lambda: jax.vmap(lambda b: jnp.linalg.solve(A,b))(x))
cls=lambda a,b: lax.custom_linear_solve(lambda t: a@t, b, lambda mv,r: jnp.linalg.solve(a,r), lambda vm,r: jnp.linalg.solve(a.T,r))
show("cls", lambda: jax.vmap(cls,in_axes=(None,0))(A,x))
show("cls2", lambda: jax.vmap(cls,in_axes=(0,None))(jnp.stack([A,A*2]),x[0]))
show("clsg", lambda: jax.vmap(jax.grad(lambda a,b: cls(a,b).sum(),(0,1)),in_axes=(None,0))(A,x))
show("cr", lambda: jax.vmap(lambda t: lax.custom_root(lambda u: u*u-t, 1., lambda f,u: jnp.sqrt(t), lambda g,y: y/g(1.)))(w+1))
show("crg", lambda: jax.vmap(jax.grad(lambda t: lax.custom_root(lambda u: u*u-t, 1., lambda f,u: jnp.sqrt(t), lambda g,y: y/g(1.))))(w+1))
