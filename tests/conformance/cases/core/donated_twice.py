import jax, jax.numpy as jnp

step = jax.jit(lambda total, step: total - 2 * step, donate_argnums=0)
both = jax.jit(lambda a, b: (a + 1, b * 2), donate_argnums=(0, 1))
unused = jax.jit(lambda a, b: a + 1, donate_argnums=1)
for f in [step, both, unused]:
    x = jnp.ones(3)
    try:
        print(f(x, x), x.is_deleted())
    except jax.errors.JaxRuntimeError as e:
        print(type(e).__name__, str(e).split(" (")[0], str(e).split("`")[1], x.is_deleted())
