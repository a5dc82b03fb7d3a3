import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

jax.set_mesh(jax.make_mesh((4, 2), ("x", "y")))
keys = jax.reshard(jax.random.split(jax.random.key(0), 8), P("x"))
draws = dict(
    normal=lambda k: jax.random.normal(k, (4,)), uniform=lambda k: jax.random.uniform(k), split=jax.random.split,
    randint=lambda k: jax.random.randint(k, (3,), 0, 5), bernoulli=lambda k: jax.random.bernoulli(k, 0.5, (3,)),
    permutation=lambda k: jax.random.permutation(k, 5), fold_in=lambda k: jax.random.fold_in(k, 1),
    gumbel=lambda k: jax.random.gumbel(k, (2,)), categorical=lambda k: jax.random.categorical(k, jnp.zeros(5)),
)
for name, draw in draws.items():
    print(name, jax.typeof(jax.vmap(draw)(keys)), jax.typeof(jax.jit(jax.vmap(draw))(keys)))
print(jax.make_jaxpr(jax.vmap(lambda k: jax.random.uniform(k, (4,))))(keys))
print(jax.vmap(lambda k: jax.random.normal(k, (2,)))(keys))
print(jax.typeof(jax.random.bits(jax.random.key(0), (8,), out_sharding=P("x"))), jax.typeof(jax.random.key_data(keys)))
