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


co = jax.jit(lambda x, y: {'s': x + y}).lower(1.0, jnp.arange(3)).compile()
show(lambda: co(1.0, jnp.arange(4)), 1000)
show(lambda: co(1, jnp.arange(3)), 1000)
show(lambda: co(1.0), 1000)
show(lambda: co(1.0, jnp.arange(3), 5), 1000)
s = jax.jit(lambda x, n: x * n, static_argnums=1)
c = s.lower(2.0, 3).compile()
print(c(5.0))
show(lambda: c(5.0, 3), 1000)
l = jax.jit(lambda x: x).lower(jax.ShapeDtypeStruct((2,), jnp.float32))
print(l.compile()(jnp.ones(2)))
print(jax.jit(lambda x: x, donate_argnums=0).lower(1.0).args_info)
@jax.jit
def k(x): return co(x, jnp.arange(3))
show(lambda: k(1.0), 60)
