import jax, jax.numpy as jnp
from jax import lax

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", e)

y = jnp.arange(3.0)
print(jax.make_jaxpr(lambda u: lax.while_loop(lambda c: c[0] < u, lambda c: (c[0] + u + y.sum(), c[1], c[1] + c[2]), (0, u, u)))(1.0))
print(jax.make_jaxpr(lambda u: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1], c[1] + c[2]), (0, u, u)))(1))
print(jax.make_jaxpr(lambda x: lax.while_loop(lambda c: (jnp.sin(c[1]), c[0].sum() > 0)[1], lambda c: (c[0] + 1, c[1]), (x, x)))(y))
print(jax.make_jaxpr(lambda x: lax.while_loop(lambda c: False, lambda c: c, x))(y))
print(jax.make_jaxpr(lambda x: lax.while_loop(lambda c: True, lambda c: (c[0] + 1, c[1]), (x, 2.0)))(y))
print(lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1]), (0, 1)))
