import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
x = np.arange(32.0, dtype=np.float32).reshape(8, 4)

def attempt(f, i=P("x"), o=P("x"), **options):
    try:
        print(jax.jit(jax.shard_map(f, mesh=mesh, in_specs=i, out_specs=o, **options))(x))
    except Exception as e:
        print(type(e).__name__, "|", str(e).split("Allowed")[0].split("At that key path")[0])

attempt(lambda v: v.sum())
attempt(lambda v: (v.sum(), v.sum()))
attempt(lambda v: lax.ppermute(v, "x", [(0, 1), (0, 2)]))
attempt(lambda v: lax.ppermute(v, "x", [(0, 1), (2, 1)]))
attempt(lambda v: lax.ppermute(v, "x", [(0, 7)]))
attempt(lambda v: lax.ppermute(v, "x", [(0, -1)]))
attempt(lambda v: lax.pcast(v, "x", to="invarying"))
attempt(lambda v: v, i=("x",))
attempt(lambda v: lax.psum(v, "x", axis_index_groups=[[0, 1], [2, 3]]), check_vma=False)
attempt(lambda v: v, i=P("x", None, "y"))
