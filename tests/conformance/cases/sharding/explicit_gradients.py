import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

jax.set_mesh(jax.make_mesh((4, 2), ("x", "y")))
x = jax.device_put(np.arange(32.0).reshape(8, 4), P("x", "y"))
rows, row = jax.reshard(x, P("x", None)), jax.device_put(np.arange(4.0), P("y"))
w = jnp.ones((4, 2))

print(jax.make_jaxpr(jax.grad(lambda b, a: (a + b).sum()))(row, x))
print(jax.make_jaxpr(jax.grad(lambda w, b, a: (jnp.tanh(a @ w + b) ** 2).mean(), (0, 1)))(w, jnp.ones(2), rows))
print(jax.make_jaxpr(jax.grad(lambda e: e[jnp.array([0, 1])].sum()))(jax.reshard(x, P(None, "y"))))
print(jax.make_jaxpr(jax.grad(lambda a: jnp.sort(a, 1).sum()))(rows).out_avals)
print(jax.make_jaxpr(jax.vmap(jax.grad(lambda w, a: (a @ w).sum()), (None, 0)))(jnp.ones(4), rows))
print(jax.typeof(jax.jacfwd(lambda a: a ** 3)(row)), jax.typeof(jax.jacrev(lambda a: a ** 3)(row)))
print(jax.grad(lambda b, a: (a + b).sum())(row, x), jax.grad(lambda a: jnp.abs(a).sum())(x).sharding.spec)
