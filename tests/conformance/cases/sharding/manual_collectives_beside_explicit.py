import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

jax.set_mesh(jax.make_mesh((4, 2), ("x", "y")))
x = jax.device_put(np.arange(64.0).reshape(16, 4), P("x", "y"))
over = lambda f, out=P("x"): jax.shard_map(f, in_specs=P("x"), out_specs=out, axis_names={"x"})(x)

for f, out in ((lambda v: lax.psum(v, "x"), P()), (lambda v: lax.pmax(v, "x"), P()),
               (lambda v: lax.all_gather(v, "x", tiled=True), P("x")), (lambda v: lax.ppermute(v, "x", [(0, 1)]), P("x")),
               (lambda v: lax.all_to_all(v, "x", 0, 0, tiled=True), P("x")), (lambda v: v + lax.axis_index("x"), P("x"))):
    found = over(f, out)
    print(jax.typeof(found), found.sum())
z = jax.reshard(jnp.arange(32.0).reshape(8, 4), P("x", "y"))
print(jax.typeof(jax.vmap(jax.shard_map(lambda v: v * 2, out_specs=P("y")), spmd_axis_name="x")(z)))
