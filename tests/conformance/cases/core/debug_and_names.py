import jax, jax.numpy as jnp
from functools import partial

@jax.named_call
def block(x):
    return jnp.sin(x) * 2

@partial(jax.jit, inline=True)
def inlined(x):
    return x + 1

with jax.named_scope("scope"):
    print(jax.make_jaxpr(lambda x: block(inlined(x)))(1.0))
with jax.disable_jit():
    print(block(0.0), jax.make_jaxpr(jax.jit(lambda x: x * 2))(1.0))
