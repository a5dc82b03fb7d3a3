import re

import jax
import jax.numpy as jnp
import numpy as np


def show(f, n=200):
    """Print what f returns, or its error's class and the first line of its message."""
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", re.sub(r" at 0x[0-9a-f]+", "", str(e))[:n].split("\n")[0])


import warnings
warnings.simplefilter("ignore")
f = jax.jit(lambda x, y: x + y, donate_argnums=0)
a, b = jnp.arange(3.), jnp.ones(3)
print(f(a, b), a.is_deleted(), b.is_deleted())
show(lambda: f(a, b), 300)
n = np.ones(3, np.float32); print(f(n, b), n)
f2 = jax.jit(lambda x, y: x + y, donate_argnums=(0, 1)); a, b = jnp.arange(3.), jnp.ones(3); print(f2(a, b), a.is_deleted(), b.is_deleted())
f3 = jax.jit(lambda s: {"a": s["a"] + 1, "b": s["b"]}, donate_argnums=0); s = {"a": jnp.ones(2), "b": jnp.ones(3)}; o = f3(s); print(o, s["a"].is_deleted(), s["b"].is_deleted())
f4 = jax.jit(lambda x: x.sum(), donate_argnums=0); a = jnp.ones(3); print(f4(a), a.is_deleted())
f5 = jax.jit(lambda x: x, donate_argnums=0); a = jnp.ones(3); o = f5(a); print(o, a.is_deleted())
f6 = jax.jit(lambda x: 1.0, donate_argnums=0); a = jnp.ones(3); o = f6(a); print(o, a.is_deleted())
f7 = jax.jit(lambda x: jnp.zeros(3), donate_argnums=0); a = jnp.ones(3); o = f7(a); print(o, a.is_deleted())
f8 = jax.jit(lambda x, y: (x + 1, y), donate_argnums=(0,)); a = jnp.ones(3); o = f8(a, 2); print(o, a.is_deleted())
a = jnp.ones(3)
@jax.jit
def outer(x): return f5(x) + 1
print(outer(a), a.is_deleted())
print(jax.make_jaxpr(lambda x: f5(x))(a), a.is_deleted())
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("always"); a = jnp.ones((2, 3)); f4(a); print(len(w), [str(v.message).split("\n")[0] for v in w])
g = jax.jit(lambda x, *, k: x + k, donate_argnames="k"); a = jnp.ones(2); k = jnp.ones(2); print(g(a, k=k), a.is_deleted(), k.is_deleted())
with jax.disable_jit(): a = jnp.ones(3); print(f5(a) is a, a.is_deleted())
c = f5.lower(jnp.ones(3)).compile(); a = jnp.ones(3); o = c(a); print(a.is_deleted())
x = jnp.ones(3); v = x.reshape(1, 3); x.delete(); show(lambda: v.sum()); 
x = jnp.ones(3); nv = np.asarray(x); x.delete(); print(nv)
