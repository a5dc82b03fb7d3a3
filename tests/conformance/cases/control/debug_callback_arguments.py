import jax, jax.numpy as jnp
from jax import lax

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", e)

x = jnp.float32(2.5)
jax.debug.callback(lambda a, s, k=1: print(a, s, k, isinstance(a, jax.Array)), x, "s", k=3)
jax.jit(lambda x: jax.debug.callback(lambda a, s, k=1: print(a, s, k, isinstance(a, jax.Array)), x, "s", k=None))(x)
jax.effects_barrier()
jax.debug.callback(ordered=True)(print, x)
jax.debug.callback(lambda a, b: print(a.weak_type, b.weak_type), 1, jnp.int32(1))
jax.jit(lambda a, b: jax.debug.callback(lambda a, b: print(a.weak_type, b.weak_type), a, b))(1, 2)
jax.effects_barrier()
attempt(lambda: jax.debug.callback(3, x))
attempt(lambda: jax.debug.callback(ordered=True, a=3))
attempt(lambda: jax.debug.callback(lambda a: 1 / 0, x))
attempt(lambda: print(jax.make_jaxpr(lambda x: jax.debug.callback(print, x))(1.0).eqns[0].primitive))
