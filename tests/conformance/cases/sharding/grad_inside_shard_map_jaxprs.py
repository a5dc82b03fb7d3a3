import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))
w, x = jnp.ones((4, 3)), jnp.arange(32.0).reshape(8, 4) / 10

def show(f, *args, i=P("x", "y"), o=P("x", "y")):
    mapped = jax.shard_map(f, mesh=mesh, in_specs=i, out_specs=o)
    print(jax.make_jaxpr(mapped)(*args))
    print(jax.jit(mapped)(*args))

loss = lambda w, a: jnp.mean((a @ w) ** 2)
show(lambda w, a: lax.pmean(jax.grad(loss)(w, a), "x"), w, x, i=(P(), P("x")), o=P())
show(lambda w, a: jax.value_and_grad(lambda w: lax.pmean(loss(w, a), "x"))(w), w, x, i=(P(), P("x")), o=P())
show(lambda a: jax.grad(lambda a: (a * 2.0 + 1.0).sum() / 3.0)(a), x)
show(lambda a: jax.vmap(jax.grad(lambda r: jnp.maximum(r, 0.5).sum() / 3.0))(a), x)
show(lambda a: jax.jvp(lambda r: jnp.maximum(r, 0.5).sum() / 3.0 * r, (a,), (a,))[1], x)
show(lambda a: jax.jacrev(lambda r: jnp.sin(r) * 2.0)(a[0])[None], x)
show(lambda a: lax.scan(lambda c, r: (c + jax.grad(lambda r: (r * 2.0).sum())(r), None), jnp.zeros_like(a[0]), a)[0][None], x)
