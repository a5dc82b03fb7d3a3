"""Shapes that do not fit, inside of vmap: functions of jnp tell the shapes of one example, those of lax the batch's."""
import jax
import jax.numpy as jnp
from jax import lax

a, b = jnp.ones((4, 3)), jnp.ones((4, 2))
FUNCTIONS = {
    "+": lambda x, y: x + y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
    "//": lambda x, y: x // y,
    "**": lambda x, y: x**y,
    ">=": lambda x, y: x >= y,
    "==": lambda x, y: x == y,
    "&": lambda x, y: (x > 0) & (y > 0),
    "logical_and": jnp.logical_and,
    "maximum": jnp.maximum,
    "arctan2": jnp.arctan2,
    "hypot": jnp.hypot,
    "logaddexp": jnp.logaddexp,
    "where": lambda x, y: jnp.where(x > 0, x, y),
    "squeeze": lambda x, y: jnp.squeeze(x, 0),
    "squeeze as a method": lambda x, y: x.squeeze(0),
    "reshape": lambda x, y: x.reshape(2, 2),
    "lax.add": lax.add,
    "lax.clamp": lambda x, y: lax.clamp(y, x, y),
    "piecewise": lambda x, y: jnp.piecewise(x, [y > 0], [1, 2]),
}


def told(f, *args, **axes):
    try:
        return jax.vmap(f, **axes)(*args)
    except Exception as e:
        return f"{type(e).__name__} | {e}"


for name, f in FUNCTIONS.items():
    print(name, "|", told(f, a, b))
    print(name, "|", told(f, a.T, b.T, in_axes=1))
print(told(lambda y: jax.vmap(lambda x: x + y)(a), b))
print(jax.vmap(lambda x, y: x**y)(a, a).shape, jax.vmap(jnp.squeeze)(a[:, None]).shape)
