# exact
import jax, jax.numpy as jnp

@jax.jit
def draws(k):
    a, b, c = jax.random.split(k, 3)
    return jax.random.normal(a, (4,)), jax.random.gumbel(b, (4,)), jax.random.uniform(c, (4,), minval=-1, maxval=5)

for x in draws(jax.random.key(3)):
    print(x)
