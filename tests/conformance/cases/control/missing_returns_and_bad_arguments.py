import re
import jax, jax.numpy as jnp
from jax import lax

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", re.sub(r"class '\S*ShapedArray'", "class 'ShapedArray'", str(e)))

xs = jnp.ones(3)

def forgot(i, x):
    x + i

attempt(lambda: lax.fori_loop(0, 3, forgot, 0))
attempt(lambda: jax.jit(lambda n: lax.fori_loop(0, n, forgot, (0, 1)))(3))
attempt(lambda: lax.while_loop(lambda x: x < 3, lambda x: None, 0))
attempt(lambda: lax.while_loop(lambda x: x["a"] < 3, lambda x: None, {"a": 0, "b": 1.0}))
attempt(lambda: lax.while_loop(lambda x: True, lambda x: (0, None), (0, 0)))
attempt(lambda: lax.scan(lambda c, x: (None, x), 0.0, xs))
attempt(lambda: lax.scan(lambda c, x: (None, x), (0.0, 1), xs))
for bad in (None, [3], b"3", slice(3), len):
    attempt(lambda: lax.fori_loop(0, bad, lambda i, x: x, 0))
    attempt(lambda: lax.fori_loop(bad, 0, lambda i, x: x, 0))
for bad in (None, {}, object, b"1", 1j):
    attempt(lambda: lax.switch(bad, [lambda: 0, lambda: 1]))
for bad in ("2", None, [2]):
    attempt(lambda: lax.scan(lambda c, x: (c + x, c), 0.0, xs, unroll=bad))
