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


def rec(n, x):
    return x if n == 0 else jrec(n - 1, x * 2)
jrec = jax.jit(rec, static_argnums=0)
print(jrec(5, 1.0))
print(jax.make_jaxpr(lambda x: jrec(3, x))(1.0))
@jax.jit
def outer(x):
    @jax.jit
    def inner(y): return x + y
    return inner(x) * inner(2.0)
print(outer(3.0))
print(jax.make_jaxpr(outer)(3.0))
@jax.jit(static_argnames=("n",))
def st(x, n=3): return x ** n
print(st(2.0), st(2.0, 4), st(2.0, n=5))
show(lambda: st(2.0, n=[1]), 600)
print(jax.make_jaxpr(st, static_argnums=1)(2.0, 4))
