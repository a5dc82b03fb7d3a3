import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

jax.set_mesh(jax.make_mesh((4, 2), ("x", "y")))
x = jax.device_put(np.arange(32.0).reshape(8, 4), P("x", "y"))
row = jax.device_put(np.arange(4.0), P("y"))

print(jax.make_jaxpr(lambda a: jnp.where(a > 0, a, 0))(x))
print(jax.make_jaxpr(lambda a, b: jnp.where(b > 0, a, b))(x, row))
print(jax.make_jaxpr(lambda a: jnp.where(jnp.ones((8, 4)) > 0, a, 0))(x))
print(jax.make_jaxpr(jnp.tril)(x))
print(jax.make_jaxpr(lambda a: jnp.select([a > 0], [a], 0))(x))
print(jax.make_jaxpr(jax.grad(lambda a: jnp.where(a > 0, a, 0).sum()))(x))
print(jax.typeof(jnp.median(jax.reshard(x, P("x", None)), axis=1)), jax.typeof(jnp.nan_to_num(x)))
print(jax.typeof(jnp.broadcast_arrays(x, jnp.ones(4))[1]))
try:
    jnp.where(x > 0, x, jax.reshard(row, P("x")))
except Exception as e:
    print(type(e).__name__, "|", e)
