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
x = jnp.ones((2, 3)); y = jnp.arange(3.)
with jax.numpy_rank_promotion("raise"):
    show(lambda: x + y, 500)
    show(lambda: x + 1.0, 500)
    show(lambda: jnp.where(x > 0, y, 0.0), 500)
    show(lambda: jax.jit(lambda a, b: a * b)(x, y), 500)
    show(lambda: jnp.maximum(x, y), 500)
with jax.numpy_rank_promotion("warn"):
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always")
        print((x + y).shape)
        print(len(w), str(w[0].message)[:300])
show(lambda: jax.numpy_rank_promotion("bad").__enter__(), 300)
