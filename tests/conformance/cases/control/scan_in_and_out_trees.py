import jax, jax.numpy as jnp
from jax import lax

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", e)

def trees(xs):
    return lax.scan(lambda c, x: ((c[0], c[1] + 1), (x["a"], c[1], x["b"] * 2)), (2.0, 0), xs)

print(jax.make_jaxpr(trees)({"a": jnp.ones(3), "b": jnp.ones((3, 2))}))
print(jax.make_jaxpr(lambda: lax.scan(lambda c, _: (c * 2, None), 1.0, length=4)[0])())
print(jax.make_jaxpr(lambda x: lax.scan(lambda c, x: (c, (x, x)), 0, x))(jnp.ones(3)))
