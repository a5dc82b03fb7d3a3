import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.sharding.Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))
sx = NamedSharding(mesh, P("x"))
x = np.arange(32.0, dtype=np.float32).reshape(8, 4)

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", str(e).split(" implies that")[0].split(" This error occurs")[0])

f = jax.jit(lambda a: a * 2, in_shardings=sx)
attempt(lambda: f(jax.device_put(x, jax.devices()[0])))
attempt(lambda: f(jax.device_put(x, NamedSharding(mesh, P()))))
attempt(lambda: f(jax.device_put(x, NamedSharding(mesh, P("x", None)))).sharding.spec)
h = jax.jit(lambda a: {"r": a["k"] * 2}, in_shardings=({"k": sx},), out_shardings={"r": sx})
attempt(lambda: h({"k": np.float32(1)}))
attempt(lambda: jax.jit(lambda a: (a, a.sum()), out_shardings=sx)(x))
attempt(lambda: jax.jit(lambda a: (a, a), out_shardings=(sx,))(x))
print(sx.shard_shape((8, 4)))
attempt(lambda: sx.shard_shape((9, 4)))
c = jax.jit(lambda a, b: {"r": a + b["z"]}).lower(jax.ShapeDtypeStruct((8, 4), np.float32, sharding=sx), {"z": np.float32(1)})
print(c.compile().input_shardings, c.compile().output_shardings)
print(jax.jit(lambda a: a * 2).lower(x).compile().output_shardings)
