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


import warnings; warnings.simplefilter("ignore")
f = jax.jit(lambda x: x + 1, donate_argnums=0)
g = jax.jit(lambda x, y: x * y)
def dead(shape=(3,)):
    x = jnp.ones(shape); x.delete(); return x
x = jnp.ones(3); f(x); show(lambda: f(x)); show(lambda: f(x)); show(lambda: x + 1); show(lambda: x + 1); show(lambda: x * 2); show(lambda: jnp.sin(x)); show(lambda: jnp.sin(x))
show(lambda: g(dead(), 1.0)); g(jnp.ones(3), 1.0); show(lambda: g(dead(), 1.0)); show(lambda: g(1.0, dead())); g(1.0, jnp.ones(3)); show(lambda: g(1.0, dead()))
show(lambda: dead((2,)) + 1); show(lambda: dead((2,)) + dead((2,))); jnp.ones((5,)) + 1; show(lambda: dead((5,)) + 1); jnp.sin(jnp.ones(5)); show(lambda: jnp.sin(dead((5,))))
show(lambda: dead((5,)).sum()); jnp.ones(5).sum();  show(lambda: dead((5,)).sum()); show(lambda: dead((5,))[0]); jnp.ones(5)[0];  show(lambda: dead((5,))[0])
h = jax.jit(lambda x, y: y + 1); h(jnp.ones(3), jnp.ones(3)); show(lambda: h(dead(), jnp.ones(3))); show(lambda: h(jnp.ones(3), dead()))
show(lambda: jax.jit(lambda t: t["b"])({"a": dead(), "b": jnp.ones(3)}))
show(lambda: jax.jit(lambda t: t["b"])({"a": jnp.ones(3), "b": dead()}))
c = f.lower(jnp.ones(3)).compile(); show(lambda: c(dead())); c(jnp.ones(3)); show(lambda: c(dead())); show(lambda: c(dead()))
show(lambda: jnp.float32("nan")); show(lambda: jnp.float32("1.5")); show(lambda: jnp.array("1.5", dtype=jnp.float32)); show(lambda: jnp.asarray(["1", "2"], dtype=jnp.int32)); show(lambda: jnp.array("a", dtype=jnp.int32)); show(lambda: jnp.int32("3")); show(lambda: jnp.array("1.5"))
