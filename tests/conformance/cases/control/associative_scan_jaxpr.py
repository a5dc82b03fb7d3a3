import jax, jax.numpy as jnp
from jax import lax

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", e)

print(jax.make_jaxpr(lambda x: lax.associative_scan(jnp.add, x))(jnp.arange(5)))
print(jax.make_jaxpr(lambda x: lax.associative_scan(lambda a, b: a * b, x, reverse=True))(jnp.ones(3)))
print(jax.make_jaxpr(lambda x: lax.associative_scan(jnp.logical_or, x > 0, axis=1))(jnp.ones((2, 4))))
recurrence = lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1])
print(jax.make_jaxpr(lambda x: lax.associative_scan(recurrence, (x, x)))(jnp.ones(4)))
