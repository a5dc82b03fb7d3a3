import jax, jax.numpy as jnp
from jax import lax

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", e)

xs = jnp.ones(3)
attempt(lambda: lax.scan(lambda c, x: ([1, {"a": 1}], None), (0, {"a": 1.0, "b": 3}), xs))
attempt(lambda: lax.scan(lambda c, x: ((1, {"a": 1}), None), (0, {"a": 1.0, "b": 3}), xs))
attempt(lambda: lax.scan(lambda c, x: ({"a": c["a"], "c": 3}, None), {"a": 1, "b": 2}, xs))
attempt(lambda: lax.scan(lambda c, x: (([], (1,), [[]]), None), ((), [1], [()]), xs))
attempt(lambda: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1,), (0, 1)))
attempt(lambda: lax.scan(lambda c, x: {"a": 1}, 1.0, xs))
attempt(lambda: lax.scan(lambda c, x: (c, x, x), 1.0, xs))
attempt(lambda: lax.scan(lambda c, x: x, 1.0, xs))
