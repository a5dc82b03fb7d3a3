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


jax.config.update("jax_num_cpu_devices", 3)
d = jax.devices()
print(d, d[0], repr(d[1]), jax.device_count(), d[0] == d[0], d[0] != d[1], hash(d[0]) == hash(jax.devices()[0]), d[0].platform, d[0].id, d[0].device_kind, d[0].process_index)
x = jnp.arange(4.); y = jax.device_put(x, d[1]); z = jax.device_put(x, d[2])
print(x.devices(), x.committed, y.devices(), y.committed, y.device, y.sharding)
print((x + y).devices(), (x + y).committed, jnp.sin(y).device, (y * 2).device, y[0].device, y.sum().device, y.at[0].set(1).device)
show(lambda: y + z, 500)
show(lambda: jnp.concatenate([x, y, z]), 500)
show(lambda: jax.jit(lambda a, b: a @ b)(y, z), 500)
show(lambda: jax.jit(lambda p: p["a"] + p["b"])({"a": y, "b": z}), 500)
show(lambda: jnp.where(y > 1, y, z), 500)
show(lambda: jnp.stack([y, z]), 500)
with jax.default_device(d[2]):
    a = jnp.ones(4); print(a.device, a.committed, (a + x).device, (a + y).device, jnp.asarray(np.ones(2)).device, jax.jit(lambda v: v + 1)(1.0).device)
    print(jax.device_put(1.0).device, jax.device_put(1.0).committed)
print((a + 1).device, a.device)
jax.config.update("jax_default_device", d[1]); print(jnp.ones(2).device); jax.config.update("jax_default_device", None); print(jnp.ones(2).device)
f = jax.jit(lambda v: (v, v * 2, jnp.zeros(2)))
print([o.device for o in f(y)], [o.committed for o in f(y)], [o.committed for o in f(x)])
tree = jax.device_put({"a": x, "b": (1, 2.0)}, d[1]); print(tree, tree["b"][0].device, tree["b"][0].committed, repr(tree["b"][0]))
show(lambda: jax.device_put(x, "cpu"), 300); show(lambda: jax.device_put("a"), 300); show(lambda: jax.device_put(x, 3), 300)

print([o.device for o in jax.device_put([x, x], [d[0], d[1]])], [o.device for o in jax.device_put({"a": x, "b": x}, d[2]).values()])
show(lambda: jax.device_put([x, x], [d[0]]), 300)
print(jax.device_get({"a": x, "b": 1, "c": [y]}), type(jax.device_get(x)).__name__)
print(jnp.zeros(2, device=d[1]).committed, jnp.asarray([1, 2], device=d[2]).device, jnp.arange(3, device=d[1]).device, y.to_device(d[0]).device, x.to_device(d[1]).committed)
print(jax.jit(lambda v: jax.device_put(v, d[1]))(x).device, jax.jit(lambda v: jnp.ones(3) + v)(z[0]).device)
print(jax.devices("cpu"), jax.local_devices()); show(lambda: jax.devices("gpu")); show(lambda: jax.devices("nope"))
g = jax.jit(lambda v: v + 1, donate_argnums=0); w = jax.device_put(x, d[1]); o = g(w); print(w.is_deleted(), o.device, o.committed)
x2 = jnp.arange(4.); o = jax.device_put(x2, d[1], donate=True); print(x2.is_deleted(), o.device)
print(jax.block_until_ready({"a": x, "b": 3}), x.block_until_ready() is x)
print(y.addressable_shards[0].device, y.addressable_shards[0].index, y.addressable_shards[0].replica_id, y.addressable_data(0).device, y.is_fully_addressable, y.is_fully_replicated, len(y.global_shards))
print(jax.live_arrays() is not None, jax.default_backend(), jax.process_index(), jax.process_count(), jax.local_device_count())
