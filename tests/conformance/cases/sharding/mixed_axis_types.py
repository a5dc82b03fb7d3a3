import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((2, 2, 2), ("a", "b", "c"), axis_types=(AxisType.Explicit, AxisType.Auto, AxisType.Auto))
jax.set_mesh(mesh)
x = jax.device_put(np.arange(64.0).reshape(8, 8), P("a", "b"))

print(jax.typeof(x), x.sharding.spec, (x * 2).sharding.spec)
print(jax.typeof(x.sum(1)), x.sum(1).sharding.spec)
print(jax.jit(lambda v: lax.with_sharding_constraint(v, P("b", None)))(x).sharding.spec)
over = lambda i, o, **kw: jax.shard_map(lambda v: print(jax.typeof(v)) or v * 2, in_specs=i, out_specs=o, **kw)
print(over(P("a", "b"), P("a", "b"))(x).sharding.spec)
print(jax.shard_map(lambda v: v * 2, in_specs=P(None, "b"), out_specs=P(None, "b"), axis_names={"b"})(x).sum())
for f in (lambda: jax.reshard(x, P("b")), lambda: lax.with_sharding_constraint(x, P("a", "c")),
          lambda: jax.shard_map(lambda v: v, out_specs=P("a"))(x)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", str(e).split(" This error occurs")[0].split("frozenset")[0])
