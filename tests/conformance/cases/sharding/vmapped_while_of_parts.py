import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
x = jax.device_put(np.arange(32.0).reshape(8, 4), NamedSharding(mesh, P("x", "y")))
n = jax.device_put(np.arange(8), NamedSharding(mesh, P("x")))

grow = jax.vmap(lambda r: lax.while_loop(lambda c: c.max() < 40, lambda c: c * 2 + 1, r))
print(grow(x))
print(jax.jit(grow)(x).sharding.spec)
power = jax.vmap(lambda r, n: lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] * 2), (0, r))[1])
print(jax.jit(power)(x, n))
