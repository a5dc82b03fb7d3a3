import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

from jax.experimental import mesh_utils
from jax.experimental.pjit import pjit
from jax.experimental.shard_map import shard_map

print(mesh_utils.create_device_mesh((4, 2)).shape, mesh_utils.create_device_mesh((2, 2), jax.devices()[:4])[1])
mesh = jax.sharding.Mesh(mesh_utils.create_device_mesh((8,)), ("x",))
print(shard_map(lambda v: lax.psum(v, "x"), mesh, P("x"), P())(jnp.arange(8.0)))
print(shard_map(lambda v: v * 2, mesh=mesh, in_specs=P("x"), out_specs=P("x"), check_rep=False)(jnp.arange(8.0)))
print(pjit(lambda a: a * 2, in_shardings=NamedSharding(mesh, P("x")), out_shardings=None)(np.arange(8.0)).sharding.spec)
for f in (lambda: mesh_utils.create_device_mesh((4,)), lambda: jax.make_mesh((4, -1), ("x", "y"))):
    try:
        f()
    except ValueError as e:
        print(e)
