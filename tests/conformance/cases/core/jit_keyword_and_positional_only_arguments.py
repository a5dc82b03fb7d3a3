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


@jax.jit
def kw(*, a, b=1): return a - b
print(kw(a=1), kw(a=1, b=2), kw(b=2, a=1))
show(lambda: kw(1))
show(lambda: kw())
show(lambda: kw(c=1))
@jax.jit
def va(*args, **kwargs): return sum(args) + sum(kwargs.values())
print(va(1, 2, 3), va(), va(1, z=2, a=3))
print(jax.make_jaxpr(va)(1, 2., z=2, a=3))
@jax.jit
def pos(a, b, /, c): return a + b * c
print(pos(1, 2, 3), pos(1, 2, c=3))
show(lambda: pos(a=1, b=2, c=3))
show(lambda: pos(1))
