import jax, jax.numpy as jnp
from jax import lax

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", e)

x = jnp.arange(1.0, 8.0)
print(lax.associative_scan(jnp.multiply, x))
print(lax.associative_scan(jnp.maximum, jnp.array([3, 1, 4, 1, 5, 9]), reverse=True))
print(lax.associative_scan(lambda a, b: (a[0] * b[0], a[0] * b[1] + a[1]), (x / 4, x)))
print(lax.associative_scan(jnp.matmul, jnp.ones((3, 2, 2)), axis=-3))
for bad in (lambda: lax.associative_scan(3, x), lambda: lax.associative_scan(jnp.add, 3), lambda: lax.associative_scan(jnp.add, []),
            lambda: lax.associative_scan(jnp.add, x, axis=2), lambda: lax.associative_scan(jnp.add, (x, x[1:])),
            lambda: lax.associative_scan(lambda a, b: (a, b), x)):
    attempt(bad)
