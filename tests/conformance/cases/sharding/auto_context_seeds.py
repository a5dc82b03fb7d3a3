import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

jax.set_mesh(jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2))
x = jax.device_put(np.arange(8.0), P("x"))

print(jax.make_jaxpr(jax.grad(lambda a: jnp.tanh(a).sum()))(x))
print(jax.make_jaxpr(jax.grad(lambda a: lax.with_sharding_constraint(a * 2, P("y")).sum()))(x))
f = jax.shard_map(lambda v: lax.psum(v.sum(), "x"), in_specs=P("x"), out_specs=P())
print(jax.make_jaxpr(jax.grad(f))(x))
