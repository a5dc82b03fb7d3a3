import jax
import jax.numpy as jnp
import numpy as np

import re
def full(fn, *a, n=1500):
    try: print(fn(*a))
    except Exception as e:
        s = re.sub(r"at [^ ]*:(\d+)", r"at FILE:\1", str(e))
        s = re.sub(r"line [^ ]*:(\d+)(:\d+)?", r"line FILE:\1", s)
        print(type(e).__name__, s[:n]); print("--")
@jax.jit
def a(x, cfg):
    if cfg["scale"]["v"][0] * x > 2: return x
full(a, 1.0, {"scale": {"v": [1.0, 2.0]}, "other": 1.0})
@jax.jit
def b(*args, **kw):
    if args[1] + kw["k"]: return 1
full(lambda: b(1, 2, k=3))
@jax.jit
def c():
    if jnp.zeros(()): return 1
full(c)
@jax.jit
def d(x):
    y = jnp.arange(3).sum()
    if y > 2: return 1
full(d, 1.0)
@jax.jit
def e(x):
    @jax.jit
    def inner(y):
        if y: return 1
    return inner(x)
full(e, 1.0)
@jax.jit
def e2(x):
    @jax.jit
    def inner(y):
        if x: return 1
        return y
    return inner(2.0)
full(e2, 1.0)
from collections import namedtuple
P = namedtuple("P", "u v")
@jax.jit
def g(p):
    if p.u > 0: return 1
full(g, P(1.0, 2.0))
full(jax.jit(lambda x, y: int(x + y)), 1, 2)
full(lambda: jax.jit(lambda x, *, k: int(x + k))(1, k=2))
full(lambda: jax.jit(lambda x, n: int(x), static_argnums=1)(1, 2))
full(lambda: jax.jit(lambda n, x: int(x), static_argnums=0)(1, 2))
full(lambda: jax.make_jaxpr(lambda x: int(x))(1))
full(lambda: jax.eval_shape(lambda x: int(x), 1))
class Model:
    def __call__(self, x):
        if x: return x
    def method(self, x):
        if x: return x
full(jax.jit(Model()), 1.0)
full(jax.jit(Model().method), 1.0)
import functools
full(jax.jit(functools.partial(lambda a, b: int(b), 1)), 2)
