import jax, jax.numpy as jnp
from functools import partial
class Model:
    def __call__(self, x): return x + 1
    def method(self, x): return x * 2
def named(x, y): return x - y
fs = [jax.jit(Model()), jax.jit(Model().method), jax.jit(partial(named, y=1.0)), jax.jit(partial(partial(named), 2.0)), jax.jit(lambda x: x), jax.jit(jnp.sin), jax.jit(jax.jit(named), static_argnums=1)]
for f in fs[:6]: print(jax.make_jaxpr(f)(1.0).eqns[0].params["name"])
def wide(*xs): return sum(xs[1:], xs[0])
print(jax.make_jaxpr(wide)(*[1.0] * 30))
def rows(x): return [r.sum() for r in x] + [x.shape[0]]
print(jax.make_jaxpr(rows)(jnp.ones((2, 2))))
def unpack(x): a, b = x; return a @ b
print(jax.make_jaxpr(unpack)(jnp.ones((2, 3))))
def count(jaxpr, n=None):
    n = {} if n is None else n
    for e in jaxpr.eqns:
        n[e.primitive.name] = n.get(e.primitive.name, 0) + 1
        for p in e.params.values():
            if isinstance(p, jax.extend.core.ClosedJaxpr): count(p.jaxpr, n)
    return n
import jax.extend.core
print(count(jax.make_jaxpr(lambda x: jnp.where(x > 0, jnp.var(x), jax.nn.relu(x)))(jnp.ones(4)).jaxpr))
jax.make_jaxpr(lambda x: (print(x, repr(x), f"{x}", [x]), x)[1])(1.0)
