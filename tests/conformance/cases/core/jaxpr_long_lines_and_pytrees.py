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


mj = jax.make_jaxpr
def many(*a): return sum(a)
print(mj(many)(*range(30)))
def longlines(x):
    return jnp.concatenate([x] * 30)
print(mj(longlines)(jnp.ones(3)))
def deep(x):
    f = lambda x: x + 1
    for i in range(4):
        f = jax.jit(lambda x, f=f: jnp.sin(f(x)))
    return f(x)
print(mj(deep)(1.0))
c = jnp.arange(3); d = np.arange(4.)
print(mj(lambda x: (x + c, d * x, c))(1.0))
print(mj(lambda x, y: {"a": x, "b": [y, (x, None)]})(1, 2))
j, shp = mj(lambda x: {"o": x * 2, "n": None}, return_shape=True)(jnp.ones((2, 3)))
print(j); print(shp)
print(mj(lambda n, x: x * n, static_argnums=0)(3, 1.0))
print(mj(lambda n, x: x * n, static_argnums=(0,))(3, 1.0))
print(mj(lambda x, n: x * n, static_argnums=-1)(1.0, 3))
show(lambda: mj(3)); show(lambda: mj(lambda x: x)("a"), 500); show(lambda: mj(lambda x: "a")(1), 500)
