import jax, jax.numpy as jnp
from jax import lax

def chosen(x, y):
    return lax.cond(x > 0, lambda x, y: jnp.sin(jnp.sin(x)) * y, lambda x, y: x * y * y, x, y)

def counted(x, y):
    n = lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * 2.0), (0, 1.0))[1]
    return jnp.sin(jnp.sin(x * y)) * n

for f in (chosen, counted):
    for policy in (None, jax.checkpoint_policies.everything_saveable):
        g = jax.grad(jax.checkpoint(f, policy=policy), (0, 1))
        print(jax.make_jaxpr(g)(1.0, 2.0))
        print(g(1.0, 2.0))
