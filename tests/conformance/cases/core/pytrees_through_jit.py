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


from dataclasses import dataclass
from collections import namedtuple, OrderedDict, defaultdict
import functools
try:
    from dataclasses import field
    @functools.partial(jax.tree_util.register_dataclass, data_fields=["w"], meta_fields=["n"])
    @dataclass
    class Q:
        w: jax.Array
        n: int
    @jax.jit
    def f(q): return Q(q.w * q.n, q.n + 1)
    print(f(Q(jnp.ones(2), 3))); print(f(Q(jnp.ones(2), 4))); print(f._cache_size())
    print(jax.make_jaxpr(f)(Q(jnp.ones(2), 3)))
except Exception as e: print(type(e).__name__, e)
N = namedtuple("N", "a b")
print(jax.jit(lambda n: N(n.b, n.a))(N(1, jnp.ones(2))))
print(jax.jit(lambda x: None)(None), jax.jit(lambda x: (x, None, [], {}))(1.0))
@jax.tree_util.register_pytree_node_class
class V:
    def __init__(self, x, tag): self.x, self.tag = x, tag
    def tree_flatten(self): return (self.x,), self.tag
    @classmethod
    def tree_unflatten(cls, tag, ch): return cls(ch[0], tag)
    def __repr__(self): return f"V({self.x}, {self.tag})"
traces = []
@jax.jit
def g(v): traces.append(v.tag); return V(v.x + 1, v.tag + "!")
print(g(V(1.0, "a")), g(V(2.0, "a")), g(V(2.0, "b")), traces)
@jax.tree_util.register_static
@dataclass(frozen=True)
class S:
    k: int
@jax.jit
def h(x, s): return x * s.k
print(h(2.0, S(3)), h(2.0, S(4)), h._cache_size())
@jax.tree_util.register_pytree_node_class
class Bad:
    def __init__(self, x): self.x = x
    def tree_flatten(self): return (self.x,), [1]
    @classmethod
    def tree_unflatten(cls, aux, ch): return cls(*ch)
show(lambda: jax.jit(lambda b: b.x)(Bad(1.0)), 200)
show(lambda: jax.jit(lambda d: d)({1: 1, "a": 2}), 300)
show(lambda: jax.jit(lambda d: d)({(1, 2): 1, (0, 5): 2}), 300)
show(lambda: jax.jit(lambda d: d)([object()]), 60)
show(lambda: jax.jit(lambda: {"a": [1, {"b": "x"}]})(), 300)
show(lambda: jax.jit(lambda: object)(), 300)
show(lambda: jax.jit(lambda: np.array(["a"]))(), 300)
show(lambda: jax.jit(lambda: {1, 2})(), 300)
def gen(): yield 1
show(lambda: jax.jit(lambda: (i for i in range(3)))(), 300)
show(lambda: jax.jit(lambda x: (lambda: x))(1.0), 300)
