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


show(lambda: jax.jit(3))
show(lambda: jax.jit(None))
show(lambda: jax.jit(lambda x: x, static_argnums="a"))
show(lambda: jax.jit(lambda x: x, static_argnums=5))
show(lambda: jax.jit(lambda x: x, static_argnames="nope"))
show(lambda: jax.jit(lambda x: x, donate_argnums=5))
show(lambda: jax.jit(lambda x: x, donate_argnames="nope"))
show(lambda: jax.jit(lambda x: x, static_argnums=0, donate_argnums=0))
show(lambda: jax.jit(lambda x: x)(1, 2))
show(lambda: jax.jit(lambda x: x)())
