import jax, jax.numpy as jnp
import numpy as np

x = jnp.arange(3.0)
for f in [
    lambda x: jax.pure_callback(np.sin, x, x),
    lambda x: jax.experimental.io_callback(np.sin, x, x),
    lambda x: (jax.debug.print("x = {}", x), x * 2)[1],
]:
    try:
        print(jax.grad(lambda x: f(x).sum())(x))
    except ValueError as e:
        print(e)


def shows_the_tangent(x):
    y, t = jax.jvp(lambda x: x * 2, (x,), (x,))
    jax.debug.print("t = {}", t)
    return (y * t).sum()


print(jax.grad(shows_the_tangent)(x))
