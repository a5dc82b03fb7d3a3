import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

devices = jax.devices()
mesh = jax.sharding.Mesh(np.array(devices), ("x",))
sharding = NamedSharding(mesh, P("x"))
x = jax.device_put(np.arange(8.0), sharding)
y = jax.device_put(np.arange(8.0), devices[1])

print(jax.device_put(x, sharding) is x, jax.device_put({"a": x}, sharding)["a"] is x)
print(jax.device_put(y, devices[1]) is y, jax.device_put(y, y.sharding) is y, jax.device_put(y) is y)
print(jax.device_put(x, sharding, may_alias=False) is x)
for like in (jnp.zeros_like, jnp.ones_like, jnp.empty_like, lambda a: jnp.full_like(a, 2)):
    print(like(x).sharding.spec, like(y).sharding, jnp.zeros_like(x, shape=(3,)).sharding)
other = NamedSharding(jax.sharding.Mesh(np.array(devices[::-1]), ("x",)), P("x"))
try:
    x + jax.device_put(np.arange(8.0), other)
except ValueError as e:
    print(e)
