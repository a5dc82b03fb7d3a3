"""What a process sees of arrays that span two processes, each with two devices. A program written for JAX."""

import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


def show(f):
    try:
        print(repr(f()))
    except Exception as error:
        print(f"{type(error).__name__}: {error}")


def shards(f):
    show(lambda: [(s.device, s.index, s.replica_id, s.data) for s in f().addressable_shards])


where = ("localhost:23461", 2, int(sys.argv[1])) if len(sys.argv) > 1 else ()  # for JAX, which knows of no mpiexec
print(jax.distributed.is_initialized())
for _ in range(2):
    show(lambda: jax.distributed.initialize(*where))
me = jax.process_index()

print(jax.devices(), jax.local_devices(), jax.device_count(), jax.local_device_count())
print(me, jax.process_count(), jax.process_indices(), *jax.devices())
print([(d.process_index, d.local_hardware_id) for d in jax.devices()])
show(lambda: jax.local_devices(process_index=1))
show(lambda: jax.local_devices(process_index=5))

mesh = jax.make_mesh((4,), ("x",))
line, copies = NamedSharding(mesh, P("x")), NamedSharding(mesh, P())
print(mesh, mesh.devices, mesh.local_devices, mesh.is_multi_process, mesh.local_mesh)
print(line.is_fully_addressable, len(line.device_set), sorted(d.id for d in line.addressable_devices))
print(line.addressable_devices_indices_map((8,)))

x = jax.make_array_from_callback((8,), line, lambda index: np.arange(8, dtype=np.float32)[index])
print(x, f"{x}", [x], x.is_fully_addressable, x.is_fully_replicated, x.shape, x.nbytes, len(x), x.is_deleted())
shards(lambda: x)
print(sorted((s.device.id, s.index[0].start, s.data is None) for s in x.global_shards))
show(lambda: x._value)
show(lambda: np.asarray(x))
show(lambda: x.tolist())
show(lambda: jax.device_get(x))
show(lambda: x.unsafe_buffer_pointer())
show(lambda: x.addressable_data(0))
show(lambda: x.addressable_data(2))
show(lambda: (x + 1).sharding.spec)
shards(lambda: (x + 1) * 2)
show(lambda: x.sum())
show(lambda: (float(x.sum()), x.sum().is_fully_addressable, x.sum().sharding.spec))
show(lambda: x + jnp.ones(8))
show(lambda: x + jax.device_put(np.ones(8), jax.local_devices()[0]))
show(lambda: (jnp.ones(3).devices(), jax.jit(lambda a: a * 2)(jnp.ones(3)).devices()))

show(lambda: jax.device_put(np.arange(8.0), line))
show(lambda: jax.device_put(np.arange(8.0) + me, line))
shards(lambda: jax.device_put(jnp.arange(8.0), copies))
show(lambda: jax.device_put(x, copies))
shards(lambda: jax.device_put(jnp.arange(4), NamedSharding(Mesh(jax.local_devices(), ("x",)), P("x"))))

from_local = jax.make_array_from_process_local_data
local = np.arange(4) + 10 * me
shards(lambda: from_local(line, local))
shards(lambda: from_local(line, local, (8,)))
shards(lambda: from_local(line, local, (4,)))
show(lambda: from_local(line, local[:3], (8,)))
show(lambda: from_local(line, local[:3]))
show(lambda: from_local(line, local, (None,)))
shards(lambda: from_local(copies, local))
grid = jax.make_mesh((2, 2), ("x", "y"))
block = np.arange(8).reshape(2, 4) + 10 * me
shards(lambda: from_local(NamedSharding(grid, P("x", "y")), block))
shards(lambda: from_local(NamedSharding(grid, P("y", "x")), block))
shards(lambda: from_local(NamedSharding(grid, P("y")), block))
first, second, third, fourth = jax.devices()
shards(lambda: from_local(NamedSharding(Mesh([first, third, second, fourth], ("x",)), P("x")), local))
singles = [jax.device_put(np.ones(2) * k, device) for k, device in enumerate(jax.local_devices())]
shards(lambda: jax.make_array_from_single_device_arrays((8,), line, singles))
show(lambda: jax.make_array_from_single_device_arrays((8,), line, singles[:1]))

show(lambda: multihost_utils.process_allgather(x, tiled=True))
show(lambda: multihost_utils.process_allgather(x))
show(lambda: multihost_utils.process_allgather(np.arange(2) + me))
show(lambda: multihost_utils.process_allgather({"a": np.arange(2) + me, "b": x.sum()}, tiled=True))
show(lambda: multihost_utils.broadcast_one_to_all(np.arange(2) + me))
show(lambda: multihost_utils.broadcast_one_to_all({"a": 3.5 + me, "b": True}, is_source=me == 1))
show(lambda: multihost_utils.sync_global_devices("here"))
show(lambda: multihost_utils.sync_global_devices("here" if me else "there"))
show(lambda: multihost_utils.assert_equal(np.ones(3) * me))
show(lambda: multihost_utils.host_local_array_to_global_array(local, mesh, P("x")))
show(lambda: multihost_utils.global_array_to_host_local_array(x, mesh, P("x")))

far = jax.device_put(np.ones(3), fourth)
shards(lambda: far)
show(lambda: (far.is_deleted(), far.is_fully_addressable, far.sharding))
show(lambda: (x.delete(), x.is_deleted(), x))
show(lambda: x + 1)
show(lambda: (jax.distributed.shutdown(), jax.distributed.is_initialized()))
