import jax, jax.numpy as jnp
x = jnp.arange(6).reshape(2, 3)
for f in [lambda: x[[0, 1]], lambda: x[[True, False]], lambda: x[0, [1, 2]], lambda: x[(0, 1)], lambda: x.at[[0]].set(1), lambda: x[jnp.array([0])], lambda: x[[]], lambda: jnp.take(x, [0, 1]), lambda: x[None, [0]], lambda: x[((0, 1), (1, 2))]]:
    try: print(f())
    except Exception as e: print(type(e).__name__, str(e).splitlines()[0])
