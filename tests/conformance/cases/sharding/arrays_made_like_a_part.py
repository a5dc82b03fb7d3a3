# zeros_like and its kin, of a part inside shard_map, vary as the part does: so a carry may begin with them.
import jax, jax.numpy as jnp
from jax import lax
from jax.sharding import AxisType, PartitionSpec as P

jax.config.update("jax_num_cpu_devices", 8)
mesh = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Auto,))
x = jnp.arange(8.0)


def each(f, *args):
    return jax.shard_map(f, mesh=mesh, in_specs=P("x"), out_specs=P("x"))(*args)


def seen(v):
    for made in (
        jnp.zeros_like(v), jnp.ones_like(v), jnp.full_like(v, 3), jnp.empty_like(v), lax.full_like(v, 2.0),
        jnp.zeros_like(v, shape=(3,)), jnp.zeros_like(v, dtype=jnp.int32), jnp.zeros_like(v[0]), jnp.zeros(2),
    ):
        print(jax.typeof(made))
    return v


each(seen, x)
print(each(lambda v: lax.scan(lambda c, n: (c + n, None), jnp.zeros_like(v[0]), v)[0][None], x))
print(jax.make_jaxpr(lambda x: each(lambda v: jnp.zeros_like(v) + jnp.ones_like(v[0]), x))(x))
print(jax.make_jaxpr(lambda x: each(lambda v: jnp.full_like(v, lax.axis_index("x")), x))(x))
