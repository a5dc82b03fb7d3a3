import jax, jax.numpy as jnp
from jax import lax

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", str(e).split(" at /")[0].split(" at loops")[0].split("<locals>.")[-1].split("The error occurred")[0])

big = 2**40
attempt(lambda: lax.scan(lambda c, x: (c + x, None), big, jnp.ones(2)))
attempt(lambda: lax.cond(True, lambda x: x, lambda x: x, big))
attempt(lambda: lax.while_loop(lambda x: x < 0, lambda x: x + 1.0, big))
attempt(lambda: lax.scan(lambda c, x: (c, x), 1.0, jnp.ones(3), unroll=-1))
attempt(lambda: jax.jit(lambda n: lax.scan(lambda c, x: (c, x), 1.0, length=n))(3))
attempt(lambda: jax.jit(lambda n: lax.scan(lambda c, x: (c, x), 1.0, jnp.ones(3), unroll=n))(3))
attempt(lambda: lax.scan(lambda c, x: (c, x), 1.0, length="a"))
attempt(lambda: lax.scan(lambda c, x: (c + 1, None), 1.0, length=-1))
attempt(lambda: lax.scan(lambda c: c, 1.0, jnp.ones(3)))
attempt(lambda: lax.map(lambda x, y: x, jnp.ones(3)))
attempt(lambda: lax.map(3, jnp.ones(3)))
