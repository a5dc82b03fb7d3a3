import jax, jax.numpy as jnp

weights = jnp.array([1.0, 2.0, 3.0])

def outer(x):
    scale = jnp.sum(x)
    @jax.jit
    def inner(y):
        @jax.jit
        def innermost(z):
            return z * scale + weights
        return innermost(y) - scale
    return inner(x * 2.0)

print(jax.make_jaxpr(outer)(jnp.ones(3)))
print(outer(jnp.ones(3)))
