import jax, jax.numpy as jnp
from jax import lax

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", e)

xs = jnp.ones(3)
attempt(lambda: lax.scan(lambda c, x: ((c[0] + 1, c[1] + 1.0, c[2] + 1j, c[3].sum()), None),
                         (jnp.int32(1), jnp.int32(2), jnp.ones(()), jnp.ones(2, "int8")), xs))
attempt(lambda: lax.scan(lambda *args: (args[0] + jnp.ones(2), None), jnp.float32(1), xs))
attempt(lambda: lax.while_loop(lambda s: s["n"] < 5, lambda s: {"n": s["n"] + 0.5}, {"n": jnp.int32(0)}))
attempt(lambda: lax.fori_loop(0, 5, lambda i, x: x + 1.0, jnp.int32(1)))
attempt(lambda: jax.jit(lambda n: lax.fori_loop(0, n, lambda i, x: x + 1.0, jnp.int32(1)))(5))

class Step:
    def __call__(self, state, x):
        return (state + x).astype(int), None

attempt(lambda: lax.scan(Step(), jnp.float32(1), xs))
