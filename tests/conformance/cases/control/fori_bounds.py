import jax, jax.numpy as jnp
from jax import lax

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", e)

for n in (1, jnp.int8(1), jnp.uint16(1)):
    print(jax.make_jaxpr(lambda u: lax.fori_loop(jnp.zeros((), u.dtype) if u.dtype != jnp.int32 else 0, u, lambda i, x: x + i, u))(n))
print(jax.make_jaxpr(lambda u: lax.fori_loop(2, 5, lambda i, x: x * i, u))(1.5))
print(jax.jit(lambda x: lax.fori_loop(0, 3, lambda i, c: c * i, x))(jnp.ones(3)))
attempt(lambda: lax.fori_loop(0, 2.5, lambda i, x: x + 1.0, 1.0))
attempt(lambda: lax.fori_loop(0.0, 2.5, lambda i, x: x + i, 1.0))
attempt(lambda: lax.fori_loop(0, jnp.arange(3), lambda i, x: x, 1))
attempt(lambda: lax.fori_loop(0, 5, 3, 1))
