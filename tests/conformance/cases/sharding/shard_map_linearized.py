import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))
x = jnp.arange(32.0).reshape(8, 4) / 10

def show(f, i=P("x", "y"), o=P("x", "y"), **options):
    mapped = jax.shard_map(f, mesh=mesh, in_specs=i, out_specs=o, **options)
    g = jax.grad(lambda a: mapped(a).sum())
    print(jax.make_jaxpr(g)(x))
    print(g(x)[3])

show(jnp.exp)  # the result is the residual
show(lambda a: (jnp.ones_like(a) * a.sum(), jnp.tanh(a))[1])  # what is not needed stays
show(lambda a: jnp.exp(lax.pmean(a.sum(), ("x", "y"))), o=P())  # the number of devices is a residual
show(lambda a: jnp.sin(a * np.float32(3)) * 2.0 / 5.0, check_vma=False)
show(lambda a: a.mean() * a * 3.0, check_vma=False)
show(lambda a: jnp.sin(a.reshape(-1)).reshape(2, 2))

# branches that do not need the same residuals
show(lambda a: lax.cond(a.sum() > 5, lambda a: a, lambda a: jnp.zeros_like(a), a))
show(lambda a: lax.cond(lax.psum(a, ("x", "y")).sum() > 0, lambda a: a * a.sum(), jnp.sin, a))
show(lambda a: lax.switch(lax.axis_index("x"), [jnp.sin, jnp.cos, lambda a: a * 2, lambda a: a], a))
