import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4, 2), ("x", "y"))
auto = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", str(e).split(" of type <")[0])

struct = lambda shape, sharding: jax.ShapeDtypeStruct(shape, jnp.float32, sharding=sharding)
attempt(lambda: struct((8, 4), NamedSharding(mesh, P("x"))))
attempt(lambda: struct((8,), NamedSharding(mesh, P("x", "y"))))
attempt(lambda: struct((), NamedSharding(mesh, P("x"))))
attempt(lambda: struct((8,), P("x")))
attempt(lambda: struct((8,), "x"))
with jax.set_mesh(mesh):
    attempt(lambda: struct((8,), P("x")))
print(jax.eval_shape(lambda a: a.T, struct((8, 4), NamedSharding(mesh, P("x")))))
print(jax.eval_shape(lambda a: a.T, struct((8, 4), NamedSharding(auto, P("x")))))
print(jax.make_jaxpr(lambda a: a.sum(1))(struct((8, 4), NamedSharding(mesh, P("x")))))
