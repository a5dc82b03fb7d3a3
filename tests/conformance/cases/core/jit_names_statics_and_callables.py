import jax
import jax.numpy as jnp
import numpy as np

import functools
# decorators with options, partial, methods, static by name and number
@jax.jit
def plain(x): return x + 1
@functools.partial(jax.jit, static_argnames=["mode", "n"])
def opts(x, mode="sum", *, n=1): return getattr(x, mode)() * n
print(opts(jnp.arange(3.)), opts(jnp.arange(3.), "mean"), opts(jnp.arange(3.), mode="mean", n=3), opts._cache_size())
@jax.jit(static_argnums=(1,))
def deco(x, n): return x * n
print(deco(2.0, 3), deco.__name__)
@jax.jit(inline=True)
def inl(x): return x * 2
print(jax.make_jaxpr(lambda x: inl(x) + plain(x))(1.0))
f = jax.jit(lambda *args: args[1] * args[0], static_argnums=0)
print(f(2, jnp.arange(3)), f(3, jnp.arange(3)), f._cache_size())
g = jax.jit(lambda x, *rest, **kw: (x, rest, kw)); print(g(1, 2, 3, a=4, b=5))
print(jax.make_jaxpr(g)(1, 2, b=3, a=4))
class Net:
    scale = 3.0
    def __init__(self, k): self.k = k
    def __hash__(self): return hash(self.k)
    def __eq__(self, o): return self.k == o.k
    @functools.partial(jax.jit, static_argnums=(0,))
    def call(self, x): return x * self.k * self.scale
    def __call__(self, x): return x * self.k
n1, n2 = Net(2), Net(2)
print(n1.call(1.0), n2.call(1.0), Net.call._cache_size(), Net(5).call(1.0), Net.call._cache_size())
n1.k = 7; print(n1.call(1.0), jax.jit(n1)(1.0), jax.jit(Net.__call__, static_argnums=0)(n1, 2.0))
counter = {"n": 0}
def impure(x): counter["n"] += 1; return x * counter["n"]
j = jax.jit(impure); print(j(1.0), j(1.0), j(1), j(jnp.ones(2)), counter)
k = jax.jit(impure); print(k(1.0), counter)
l = jax.jit(lambda x: impure(x)); print(l(1.0), l(1.0), counter)
def outer(y):
    @jax.jit
    def inner(x): counter["n"] += 1; return x + y
    return inner(1.0) + inner(2.0) + inner(3)
counter["n"] = 0; print(outer(1.0), counter); counter["n"] = 0; print(jax.jit(outer)(1.0), counter)
print(jax.jit(lambda x: x)(jnp.arange(3)).weak_type, jax.jit(lambda: 1)(), jax.jit(lambda: (1.0, True, 2j, None, np.arange(2)))())
print(jax.jit(lambda x: {"b": x, "a": [x, (x,)]})(1.0))
print(jax.jit(max)(1, 2) if False else "", jax.jit(abs)(-1.0), jax.jit(jnp.sum)(jnp.arange(3)), jax.jit(sum)([1, 2, 3]), jax.jit(len)([1, 2]))
import operator; print(jax.jit(operator.add)(1, 2), jax.jit(operator.matmul)(jnp.eye(2), jnp.ones(2)), jax.jit(functools.reduce, static_argnums=0)(operator.add, [1, 2, 3]))
