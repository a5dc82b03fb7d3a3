import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

auto = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
explicit = jax.make_mesh((4, 2), ("x", "y"))
x = np.arange(32.0, dtype=np.float32).reshape(8, 4)
double = lambda v: v * 2

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", e)

inner = lambda v, **kw: jax.shard_map(double, in_specs=P(None, "y"), out_specs=P(None, "y"), axis_names={"y"}, **kw)(v)
outer = lambda f: jax.shard_map(f, mesh=auto, in_specs=P("x"), out_specs=P("x"), axis_names={"x"})
attempt(lambda: outer(inner)(x).sum())
attempt(lambda: outer(lambda v: inner(v, mesh=auto))(x))
attempt(lambda: outer(lambda v: inner(v, mesh=jax.sharding.get_abstract_mesh()))(x).sum())
attempt(lambda: jax.jit(jax.shard_map(double, mesh=auto, out_specs=P("x"), axis_names={"x"}))(x))
jax.set_mesh(explicit)
attempt(lambda: jax.shard_map(double, mesh=auto, in_specs=P("x"), out_specs=P("x"))(x))
attempt(lambda: jax.shard_map(double, mesh=jax.make_mesh((8,), ("i",)), in_specs=P("i"), out_specs=P("i"))(x))
y, b = jax.device_put(x, P("x", "y")), jnp.ones(2)
attempt(lambda: jax.shard_map(double, in_specs=P("x"), out_specs=P("x"))(y))
attempt(lambda: jax.shard_map(lambda v: v + b, in_specs=P("x", "y"), out_specs=P("x", "y"))(y))
attempt(lambda: jax.shard_map(lambda v: v + np.ones(2), in_specs=P("x", "y"), out_specs=P("x", "y"))(y).sharding.spec)
attempt(lambda: jax.shard_map(double, out_specs=P("x", "y"), axis_names="x")(y))
