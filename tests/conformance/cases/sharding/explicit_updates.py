import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

jax.set_mesh(jax.make_mesh((4, 2), ("x", "y")))
x = jax.device_put(np.arange(32.0).reshape(8, 4), P("x", None))

print(jax.make_jaxpr(lambda a: a.at[:, 0].set(1.0))(x))
print(jax.make_jaxpr(lambda a: a.at[:, jnp.array([0, 1])].add(1.0))(x))
print(jax.make_jaxpr(lambda a: a.at[0, 0].set(1.0))(jnp.ones((8, 4))))
print(jax.typeof(x.at[0].set(1.0, out_sharding=P("x", "y"))), x.at[0].set(1.0, out_sharding=P("x", "y")).sum())
print(x.at[:, 1].set(-1.0)[:, :2].sum(), jax.typeof(x.at[:, 1].mul(2.0)))
for f in (lambda: x.at[0].set(1.0), lambda: jnp.bincount(jnp.arange(8, out_sharding=P("x")), length=8)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", str(e).split("inputs)")[1])
