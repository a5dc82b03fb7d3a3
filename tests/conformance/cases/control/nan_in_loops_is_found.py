import jax, jax.numpy as jnp
from jax import lax

def attempt(f, *args):
    try:
        print(f(*args))
    except FloatingPointError as e:
        print(e)

xs = jnp.arange(3.0)
shrink = lambda y: lax.scan(lambda c, x: (jnp.log(c - x), c), y, xs)
below = lambda x: lax.while_loop(lambda c: c > 0, lambda c: jnp.sqrt(c - 2), x)
either = lambda x: lax.cond(x > 0, jnp.sqrt, jnp.log, x)

with jax.debug_nans(True):
    for f in (shrink, below, either):
        attempt(f, 1.0)
        attempt(jax.jit(f), 1.0)
    attempt(either, -1.0)
    attempt(jax.jit(either), -1.0)
    attempt(lambda: lax.map(lax.log, -xs))
    attempt(lambda: lax.fori_loop(0, 2, lambda i, x: x / 0.0, 0.0))
