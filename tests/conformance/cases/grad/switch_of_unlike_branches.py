import jax, jax.numpy as jnp
from jax import lax

def pick(i, x):
    return lax.switch(i, [lambda x: x * 2, lambda x: jnp.sin(x) * jnp.cos(x), lambda x: jnp.float32(3.0),
                          lambda x: x.astype(jnp.float32) ** 3], x)

once, twice = jax.grad(pick, 1), jax.grad(jax.grad(pick, 1), 1)
print(jax.make_jaxpr(once)(1, 2.0))
print(jax.make_jaxpr(twice)(1, 2.0))
for i in range(4):
    print(once(i, 2.0), twice(i, 2.0))
