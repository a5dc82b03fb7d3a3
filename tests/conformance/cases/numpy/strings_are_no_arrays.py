import re

import jax
import jax.numpy as jnp

v = jnp.array([3.0, 1.0, 2.0])


def show(name, f):
    """Print the class of f's error and the first line of its message."""
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, "|", re.sub(r" at 0x[0-9a-f]+", "", str(e)).split("\n")[0])


one = "transpose cumsum max sum prod any isnan round argmax nonzero flip diag sort median trace meshgrid unique histogram bincount vander gradient diff atleast_1d ptp"
for name in one.split():
    show(name, lambda: getattr(jnp, name)("a"))
two = "dot maximum logical_and take outer matmul isin searchsorted convolve cross kron append"
for name in two.split():
    show(name, lambda: getattr(jnp, name)(v, "b"))
show("concatenate", lambda: jnp.concatenate(["a", v]))
show("stack", lambda: jnp.stack([v, "a"]))
show("tile", lambda: jnp.tile("a", 2))
show("pad", lambda: jnp.pad("a", 1))
show("expand_dims", lambda: jnp.expand_dims("a", 0))
show("broadcast_to", lambda: jnp.broadcast_to("a", (2,)))
show("roll", lambda: jnp.roll("a", 1))
show("where", lambda: jnp.where("a", 1, 2))
show("where", lambda: jnp.where(v > 1, "a", 2))
show("where", lambda: jnp.where(v > 1, None, "a"))
show("inv", lambda: jnp.linalg.inv("a"))
show("fft", lambda: jnp.fft.fft("a"))
show("linspace", lambda: jnp.linspace("a", 1, 3))
print(jax.make_jaxpr(lambda x: jnp.unwrap(x))(v))
show("array_namespace", lambda: v.__array_namespace__(api_version="2099.01"))
