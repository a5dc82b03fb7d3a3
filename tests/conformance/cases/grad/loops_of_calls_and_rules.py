import jax, jax.numpy as jnp
from jax import lax

@jax.custom_jvp
def cj(x): return jnp.sin(x)
cj.defjvp(lambda p, t: (cj(p[0]), 5 * t[0] * jnp.cos(p[0])))
xs = jnp.arange(1., 4.)
f = lambda x: lax.scan(lambda c, y: (cj(c * y), c), x, xs)[0]
print(jax.make_jaxpr(jax.grad(f))(1.)); print(jax.grad(f)(1.), jax.jit(jax.grad(f))(1.))
print(jax.make_jaxpr(jax.grad(jax.checkpoint(f)))(1.))
print(jax.grad(jax.checkpoint(f))(1.))
g = lambda x: lax.scan(lambda c, y: (c * lax.stop_gradient(jnp.sin(x)) + jax.nn.relu(y * x), None), x, xs)[0]
print(jax.make_jaxpr(jax.grad(g))(1.)); print(jax.grad(g)(1.))
h = jax.checkpoint(lambda x, *, k=2.: jnp.sin(x["a"]) * k)
print(jax.grad(h)({"a": 1.}, k=3.)); print(jax.make_jaxpr(lambda x: h(x, k=3.))({"a": 1.}))
print(jax.make_jaxpr(jax.checkpoint(lambda x, y: x * 2))(1., 2.))
# jit inside scan, and grad of jit of scan
j = jax.jit(lambda c, y: jnp.sin(c) * y)
k = lambda x: lax.scan(lambda c, y: (j(c, y), j(c, y * 2)), x, xs)[1].sum()
print(jax.make_jaxpr(jax.grad(k))(1.)); print(jax.grad(k)(1.), jax.grad(jax.grad(k))(1.))
# captured traced values, switch in while in jvp, cond with no operands
def m(x):
    y = jnp.sin(x)
    return lax.cond(x > 0, lambda: y * 2, lambda: y * y * x)
print(jax.make_jaxpr(jax.grad(m))(1.)); print(jax.grad(m)(1.), jax.grad(m)(-1.))
print(jax.make_jaxpr(jax.grad(jax.grad(m)))(1.))
# several residuals of one dtype/shape across three branches unread
def n(i, x):
    return lax.switch(i, [lambda x: x[0] * x[1], lambda x: jnp.sin(x).sum(), lambda x: 1.0 * x.sum()], x)
print(jax.make_jaxpr(jax.grad(n, 1))(0, jnp.ones(2)))
print(jax.make_jaxpr(lambda x: jax.vjp(lambda x: lax.scan(lambda c, y: (c * x, c), 1., xs), x)[1]((1., xs)))(2.))
print(jax.make_jaxpr(jax.grad(lambda x: lax.fori_loop(0, 3, lambda i, c: c * x[i], 1.)))(xs))
