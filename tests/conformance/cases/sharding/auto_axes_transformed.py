import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4, 2), ("x", "y"))
jax.set_mesh(mesh)
x = jax.device_put(np.arange(32.0).reshape(8, 4), P("x", "y"))

@jax.sharding.auto_axes
def gram(a):
    print(jax.typeof(a))
    return a @ a.T

print(jax.jit(lambda a: gram(a, out_sharding=P("x", "y")))(x).sharding.spec)
print(jax.grad(lambda a: gram(a, out_sharding=P("x", "y")).sum())(x).sharding.spec)
print(jax.make_jaxpr(jax.grad(lambda a: gram(a, out_sharding=P("x", "y")).sum()))(x))
print(jax.typeof(jax.vmap(lambda a: jax.sharding.auto_axes(jnp.sin, out_sharding=P("y"))(a))(jax.reshard(x, P(None, "y")))))

auto = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
jax.set_mesh(auto)
y = jax.device_put(np.arange(32.0).reshape(8, 4), P("x", "y"))
print(jax.sharding.explicit_axes(lambda a: a * 2, in_sharding=P("x"))(y).sharding.spec)
print(jax.sharding.explicit_axes(lambda a: a * 2, in_sharding=P("x"), axes="x")(y).sharding.spec)
print(jax.sharding.auto_axes(lambda a: a * 2, out_sharding=P("x"))(y)[:2])
