import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

jax.set_mesh(jax.make_mesh((4, 2), ("x", "y")))
x = jax.device_put(np.arange(32.0).reshape(8, 4), P("x", "y"))
rows = jax.reshard(x, P("x", None))

print(jax.make_jaxpr(jax.vmap(lambda r: jnp.where(r > 0, r, 0.0)))(x))
print(jax.make_jaxpr(jax.vmap(jax.jit(lambda r: r * 2), in_axes=1, out_axes=1))(x))
print(jax.make_jaxpr(jax.vmap(lambda r: lax.fori_loop(0, 3, lambda i, c: c * 2, r)))(x))
print(jax.make_jaxpr(jax.vmap(lambda r: lax.while_loop(lambda c: c.sum() < 100, lambda c: c + 1, r)))(x))
print(jax.make_jaxpr(jax.vmap(lambda r: jnp.zeros(4)))(x))
print(jax.make_jaxpr(jax.vmap(jax.grad(lambda r: jnp.tanh(r).sum())))(x))
for f in (jnp.sort, jnp.linalg.norm, lambda r: r.at[0].set(1.0), lambda r: lax.cond(r.sum() > 4, lambda: r, lambda: -r)):
    print(jax.typeof(jax.vmap(f)(rows)))
for f in (jax.checkpoint(jnp.sin), lambda r: lax.psum(r, "i"), lambda r: r - lax.pmean(r, "i")):
    print(jax.typeof(jax.vmap(f, axis_name="i")(x)))
print(jax.vmap(lambda r: lax.while_loop(lambda c: c.max() < 40, lambda c: c * 2 + 1, r))(x))
for other in (jnp.ones((8, 4)), np.ones((8, 4))):
    try:
        jax.vmap(lambda a, b: a + b)(x, other)
    except Exception as e:
        print(type(e).__name__, "|", e)
