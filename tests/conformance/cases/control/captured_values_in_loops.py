import jax, jax.numpy as jnp, numpy as np
from jax import lax

table = np.arange(3.0)

def step(c, y):
    return c + table, y

print(jax.make_jaxpr(lambda x: lax.scan(step, jnp.zeros(3), x))(jnp.ones(3)).eqns[-1].params["ft_in"])
print(lax.scan(step, jnp.zeros(3), jnp.ones(3)))

@jax.jit
def outer(w, xs):
    inner = lambda c, x: (c * w + x, lax.cond(x > w, lambda: w, lambda: c))
    return lax.scan(inner, w, xs)

print(outer(2.0, jnp.arange(4.0)))
print(outer(0.5, jnp.arange(4.0)))
try:
    jax.jit(lambda w: lax.scan(lambda c, x: (c if w > c else x, None), 1.0, jnp.ones(2)))(2.0)
except jax.errors.TracerBoolConversionError as e:
    print(str(e).splitlines()[0])
try:
    lax.scan(lambda total, x: (total if x > 0 else -total, None), 1.0, jnp.ones(2))
except jax.errors.TracerBoolConversionError as e:
    print(str(e).splitlines()[1].split(" for ")[1])
