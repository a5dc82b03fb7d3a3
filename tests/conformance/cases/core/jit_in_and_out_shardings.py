import re

import jax
import jax.numpy as jnp
import numpy as np


def show(f, n=200):
    """Print what f returns, or its error's class and the first line of its message."""
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", re.sub(r" at 0x[0-9a-f]+", "", str(e))[:n].split("\n")[0])


from jax.sharding import SingleDeviceSharding
d = jax.devices()[0]
s = SingleDeviceSharding(d)
print(s, s == SingleDeviceSharding(d), hash(s) == hash(SingleDeviceSharding(d)))
f = jax.jit(lambda x, y: (x + y, {"a": x}), in_shardings=s, out_shardings=s)
out = f(1.0, jnp.arange(3.))
print(out, out[0].committed, out[1]["a"].committed, out[0].sharding)
f = jax.jit(lambda x, y: (x + y, {"a": x}), in_shardings=(s, None), out_shardings=(s, {"a": None}))
out = f(1.0, jnp.arange(3.))
print(out, out[0].committed)
show(lambda: jax.jit(lambda x: x, in_shardings=(s, s))(1.0), 300)
show(lambda: jax.jit(lambda x: (x, x), out_shardings=(s, s, s))(1.0), 300)
show(lambda: jax.jit(lambda x, y: x, in_shardings=s)(1.0, y=2.0), 300)
show(lambda: jax.jit(lambda x: x, in_shardings="cpu")(1.0), 300)
x = jax.device_put(jnp.arange(3.), s)
print(x.committed, x.sharding, x.device, x.devices())
print(f.lower(1.0, jnp.arange(3.)).compile()(1.0, jnp.arange(3.)))
