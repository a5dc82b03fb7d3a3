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


class M:
    def __init__(self): self.w = jnp.arange(3.)
    @jax.jit
    def bad(self, x): return x
    from functools import partial
    @partial(jax.jit, static_argnums=0)
    def good(self, x): return self.w * x
    @classmethod
    @partial(jax.jit, static_argnums=0)
    def cm(cls, x): return x + 1
    @staticmethod
    @jax.jit
    def sm(x): return x + 2
m = M()
show(lambda: m.bad(1.0), 400)
print(m.good(2.0), M.cm(1), m.cm(2), M.sm(1), m.sm(2))
g = jax.jit(m.good)
print(g(3.0))
h = jax.jit(jax.tree_util.Partial(lambda a, b: a - b, 3.0))
print(h(1.0))
import functools
p = jax.jit(functools.partial(lambda a, b, *, c: a + b * c, c=3.0))
print(p(1, 2), p(1, b=2))
print(jax.make_jaxpr(p)(1, 2))
