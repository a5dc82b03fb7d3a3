"""The bounds of a slice may be arrays where values are computed, and may not where a program is recorded."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def show(name, f, *args):
    try:
        print(name, f(*args))
    except Exception as error:
        print(name, type(error).__name__)


x, two = jnp.arange(5), jnp.int32(2)
show("a limit", lambda: lax.slice(x, (0,), (two,)))
show("a start", lambda: lax.slice(x, (two,), (4,)))
show("both", lambda: lax.slice(x, jnp.array([1]), jnp.array([3])))
show("of a matrix", lambda: lax.slice(jnp.arange(6).reshape(2, 3), (0, two - 1), (two, 3)))
show("of NumPy", lambda: lax.slice(x, np.array([1]), np.array([3])))
show("with strides", lambda: lax.slice(x, (0,), (two,), (1,)))
show("recorded", jax.jit(lambda x: lax.slice(x, (0,), (two,))), x)
show("recorded, of NumPy", jax.jit(lambda x: lax.slice(x, np.array([1]), np.array([3]))), x)
show("along an axis", lambda: lax.slice_in_dim(x, 0, two))
show("outside", lambda: lax.slice(x, (two + 2,), (two + 5,)))
