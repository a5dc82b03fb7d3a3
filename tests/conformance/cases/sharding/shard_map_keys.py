import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Auto,))
key = jax.random.key(0)

def draw(v):
    own = jax.random.fold_in(key, lax.axis_index("x"))
    return v + jax.random.normal(own, v.shape)

over = jax.shard_map(draw, mesh=mesh, in_specs=P("x"), out_specs=P("x"))
print(over(jnp.zeros(8)), jax.jit(over)(jnp.zeros(8)))
keys = jax.random.split(key, 4)
print(jax.jit(jax.shard_map(lambda k: jax.random.uniform(k[0], (2,)), mesh=mesh, in_specs=P("x"), out_specs=P("x")))(keys))
dropped = lambda v: jnp.where(jax.random.bernoulli(jax.random.fold_in(key, lax.axis_index("x")), 0.5, v.shape), v, 0)
print(jax.grad(lambda a: jax.shard_map(dropped, mesh=mesh, in_specs=P("x"), out_specs=P("x"))(a).sum())(jnp.ones(8)))
