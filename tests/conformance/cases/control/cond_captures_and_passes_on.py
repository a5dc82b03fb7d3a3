import jax, jax.numpy as jnp
from jax import lax

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", e)

x, y = jnp.ones(3), jnp.arange(3.0)

def fun(i):
    return lax.cond(i > 2, lambda a: (a, y, x + y, 2 * a), lambda a: (a, y, 2 * y, a), i)

print(jax.make_jaxpr(fun)(jnp.int32(3)))
print(fun(1), fun(3))
print(jax.make_jaxpr(lambda p, v: lax.cond(p, lambda: v, lambda: v))(True, 1.0))
print(jax.make_jaxpr(lambda v: lax.cond(1, jax.jit(lambda a: (a, a * 2)), lambda a: (a, a * 3), v))(1.0))
