import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))

def show(shape, spec, new):
    x = jax.device_put(jnp.arange(np.prod(shape)).reshape(shape), NamedSharding(mesh, P(*spec)))
    y = x.reshape(new)
    print(shape, spec, new, y.sharding.spec, jax.jit(lambda a: a.reshape(new))(x).sharding.spec, int(y.ravel()[5]))

show((8, 4), ("x", "y"), (32,))
show((4, 4), ("x", "y"), (16,))
show((8, 4), ("y", "x"), (32,))
show((8, 4), (None, "x"), (32,))
show((8, 4), (("x", "y"),), (4, 2, 4))
show((8, 4), (("x", "y"),), (2, 4, 4))
show((8, 4), ("x", "y"), (2, 4, 4))
show((8, 4), ("x", "y"), (8, 1, 4))
show((8, 4), (None, "y"), (4, 8))
show((2, 8, 4), ("y", "x"), (16, 4))
show((2, 8, 4), (None, "x", "y"), (16, 4))
show((2, 8, 4), (None, "x", "y"), (2, 32))
show((32,), (("x", "y"),), (8, 4))
show((32,), (("x", "y"),), (2, 16))
