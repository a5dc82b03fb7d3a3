# A buffer is deleted for all arrays that have it: parts that were taken out, and what was put where it was.
import jax, jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

jax.config.update("jax_num_cpu_devices", 8)
mesh = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Auto,))
rows = NamedSharding(mesh, P("x"))


def told(*arrays):
    print([x.is_deleted() for x in arrays])


def read(x):
    try:
        print(x)
    except RuntimeError as error:
        print(error)


z = jax.device_put(jnp.arange(8.0), rows)
parts = [shard.data for shard in z.addressable_shards]
z.delete()
told(z, *parts)
read(parts[1])

z = jax.device_put(jnp.arange(8.0), rows)
first, second = z.addressable_data(0), z.addressable_data(1)
first.delete()
told(z, first, second)
read(second)
read(z)

pieces = [jax.device_put(jnp.full(2, i), d) for i, d in enumerate(mesh.devices)]
joined = jax.make_array_from_single_device_arrays((8,), rows, pieces)
joined.delete()
told(joined, *pieces)

x = jnp.ones(3)
y = jax.device_put(x, x.device)
print(y is x)
x.delete()
told(x, y)
read(y)

step = jax.jit(lambda v: v + 1, donate_argnums=0)
x = jnp.ones(3)
y = jax.device_put(x, x.device)
print(step(x))
told(x, y)
z = jax.device_put(jnp.arange(8.0), rows)
part = z.addressable_data(2)
print(step(z))
told(z, part)

z = jax.device_put(jnp.arange(8.0), rows)
print(jax.device_put(z, rows) is z)
copy = jnp.array(z)
z.delete()
told(z, copy)
