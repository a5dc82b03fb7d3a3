"""The conditions of piecewise are broadcast with x, and so is the result, also where all choices are numbers."""
import jax.numpy as jnp


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", str(e))


x = jnp.arange(3.0) - 1
attempt(lambda: jnp.piecewise(x, [True], [1, 2]))
attempt(lambda: jnp.piecewise(x, jnp.array([True, False]), [1, 2]))
attempt(lambda: jnp.piecewise(x, [x[:1] > 0], [1, 2]))
attempt(lambda: jnp.piecewise(x, [x[:, None] > 0], [1, 2]))
attempt(lambda: jnp.piecewise(x.reshape(3, 1), [x > 0], [1, 2]))
attempt(lambda: jnp.piecewise(x, [x[:, None] > 0], [lambda v: 10 * v, 2]))
attempt(lambda: jnp.piecewise(x, [x[:2] > 0], [1, 2]))
attempt(lambda: jnp.piecewise(2.0, [True], [1, 2]))
