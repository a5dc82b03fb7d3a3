import jax
import jax.numpy as jnp
import numpy as np

def f(x, y, z):
    def g(a):
        if a > 0: return a
        return -a
    return g(x * y + z)
def full(fn, *a, n=1200):
    try: print(fn(*a))
    except Exception as e:
        s = str(e)
        import re
        s = re.sub(r"at [^ ]*:(\d+)", r"at FILE:\1", s)
        print(type(e).__name__, s[:n]); print("--")
full(jax.jit(f), 1.0, 2.0, 3.0)
full(jax.jit(lambda x: float(x)), 1.0)
full(jax.jit(lambda x: int(x)), 1.0)
full(jax.jit(lambda x: complex(x)), 1.0)
full(jax.jit(lambda x: range(x)), 1)
full(jax.jit(lambda x: [1, 2, 3][x]), 1)
full(jax.jit(lambda x: np.sin(x)), 1.0)
full(jax.jit(lambda x: np.asarray(x)), 1.0)
full(jax.jit(lambda x: hash(x)), 1.0)
full(jax.jit(lambda x: {x: 1}), 1.0)
full(jax.jit(lambda x: [y for y in x]), 1.0)
full(jax.jit(lambda x: len(x)), 1.0)
full(jax.jit(lambda x: f"{x}"), 1.0)
full(jax.jit(lambda x: f"{x:.2f}"), 1.0)
full(jax.jit(lambda x: "%f" % x), 1.0)
full(jax.jit(lambda x: str(x)), 1.0)
def setit(x): x[0] = 1
full(jax.jit(setit), jnp.arange(3))
def delit(x): del x[0]
full(jax.jit(delit), jnp.arange(3))
full(delit, jnp.arange(3))
full(jax.jit(lambda x: 1 in x), jnp.arange(3))
full(jax.jit(lambda x: x in [1, 2]), 3)
full(jax.jit(lambda x: x and 1), 1.0)
full(jax.jit(lambda x: not x), 1.0)
full(jax.jit(lambda x: 1 < x < 2), 1.0)
full(jax.jit(lambda x: max(x, 1)), 1.0)
full(jax.jit(lambda x: sorted([x, 1])), 1.0)
full(jax.jit(lambda x: any([x])), 1.0)
full(jax.jit(lambda x: x.item()), 1.0)
full(jax.jit(lambda x: x.tolist()), 1.0)
full(jax.jit(lambda x: x[x > 0]), jnp.arange(3))
full(jax.jit(lambda x: x[:x[0]]), jnp.arange(3))
full(jax.jit(lambda x: jnp.zeros(x)), 3)
full(jax.jit(lambda x: x.reshape(x[0], -1)), jnp.arange(3))
full(jax.jit(lambda x: jnp.arange(x)), 3)
full(jax.jit(lambda x: jnp.nonzero(x)), jnp.arange(3))
full(jax.jit(lambda x: np.add(np.ones(3), x)), jnp.arange(3))
full(jax.jit(lambda x: bytes(x)), jnp.arange(3))
full(jax.jit(lambda x: bool(x)), jnp.arange(3))
full(jax.jit(lambda x: bool(x)), jnp.arange(0))
