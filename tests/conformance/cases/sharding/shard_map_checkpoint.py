import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
x, w = jnp.arange(8.0), jnp.float32(2.0)
over = lambda f, i, o: jax.shard_map(f, mesh=mesh, in_specs=i, out_specs=o)
ring = [(i, (i + 1) % 4) for i in range(4)]

f = jax.checkpoint(over(lambda v: jnp.sin(jnp.sin(v)), P("x"), P("x")))
print(jax.make_jaxpr(jax.grad(lambda a: f(a).sum()))(x))
g = over(lambda w, v: jnp.cos(lax.psum(jnp.sin(v * w), "x")), (P(), P("x")), P())
for policy in ("everything_saveable", "nothing_saveable"):
    h = jax.checkpoint(lambda b, a: g(b, a).sum(), policy=getattr(jax.checkpoint_policies, policy))
    print(jax.make_jaxpr(jax.grad(h))(w, x))
    print(jax.grad(h)(w, x))
step = over(jax.checkpoint(lambda v: jnp.sin(lax.ppermute(v, "x", ring))), P("x"), P("x"))
print(jax.grad(lambda a: lax.scan(lambda c, _: (jax.checkpoint(step)(c), None), a, length=3)[0].sum())(x))
print(jax.hessian(lambda a: (step(a) ** 2).sum())(x[:4]))
