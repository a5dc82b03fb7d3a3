import jax, jax.numpy as jnp
from jax import lax

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", e)

def step(c, x):
    return (c[0], c[1] + x), x

def twice(xs):
    return lax.scan(step, (0.0, 2.0), xs), lax.scan(step, (0.0, 3.0), xs)

print(jax.make_jaxpr(twice)(jnp.ones(3)))
long = lambda c: c * c * c * c * c * c * c * c * c * c * c * c
print(jax.make_jaxpr(lambda x: lax.while_loop(lambda c: long(c) < 3, long, x))(2.0))
