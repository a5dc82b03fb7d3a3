import jax, jax.numpy as jnp
from jax import lax

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", e)

def show(name, x):
    print(name, isinstance(x, jax.core.Tracer), x)
    return x

with jax.disable_jit():
    print(lax.scan(lambda c, x: (c + show("x", x), c), 0, jnp.arange(3), reverse=True))
    print(lax.scan(lambda c, x: (c, {"a": x, "b": None}), 0, jnp.arange(2)))
    print(lax.scan(lambda c, x: (c + 1.0, x), 0, jnp.arange(2)))
    print(lax.while_loop(lambda c: show("c", c) < 2, lambda c: c + 1, 0))
    print(lax.cond(True, lambda: "yes", lambda: "no"), lax.switch(7, [lambda: "a", lambda: "b"]))
    print(lax.fori_loop(0, 3, lambda i, c: c + show("i", i), 0), lax.fori_loop(0, 0, lambda i, c: c + 1, 0))
    print(lax.map(lambda x: x * 2, jnp.arange(2)))
    attempt(lambda: lax.scan(lambda c, x: (c, x), 0, jnp.ones(0)))
    print(jax.make_jaxpr(lambda n: lax.while_loop(lambda c: c < n, lambda c: c + 1, 0))(3))
