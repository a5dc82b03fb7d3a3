# exact
"""The largest of 0.0 and -0.0 is 0.0 and the smallest is -0.0, whatever their order, eager and jitted."""
import jax
import jax.numpy as jnp
from jax import lax

PLACES = jnp.array([1, 0])
FUNCTIONS = {
    "max": lambda x: x.max(),
    "min": lambda x: x.min(),
    "maximum": lambda x: jnp.maximum(x, x[::-1]),
    "minimum": lambda x: jnp.minimum(x, x[::-1]),
    "clamp": lambda x: lax.clamp(-0.0, x, 0.0),
    "cummax": lambda x: lax.cummax(x, 0),
    "cummin, reversed": lambda x: lax.cummin(x, 0, reverse=True),
    "windows, max": lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2,), (1,), "VALID"),
    "windows, min": lambda x: lax.reduce_window(x, jnp.inf, lax.min, (2,), (1,), "VALID"),
    "scatter, max": lambda x: jnp.array([0.0, -0.0]).at[PLACES].max(x[:2]),
    "scatter, min": lambda x: jnp.array([0.0, -0.0]).at[PLACES].min(x[:2]),
    "segments": lambda x: jax.ops.segment_max(x, jnp.zeros(x.size, int), 2),
}
for name, fun in FUNCTIONS.items():
    for values in ([0.0, -0.0, 0.0], [-0.0, 0.0, -0.0], [-1.0, -0.0, 0.0, -0.0], [-0.0, -0.0], [float("nan"), -0.0]):
        x = jnp.array(values)
        print(name, values, fun(x), jax.jit(fun)(x))
