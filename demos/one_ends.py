"""A program of which one process ends too early: the others get an error, and do not wait forever.

mpiexec -n 4 python demos/one_ends.py
"""

import numpy as np

import minijax as jax
from minijax import lax
from minijax.sharding import NamedSharding, PartitionSpec as P

jax.distributed.initialize(heartbeat_timeout_seconds=5)
me = jax.process_index()
mesh = jax.make_mesh((jax.device_count(),), ("x",))
total = jax.jit(jax.shard_map(lambda v: lax.psum(v, "x"), mesh=mesh, in_specs=P("x"), out_specs=P()))
x = jax.device_put(np.ones(jax.device_count(), np.float32), NamedSharding(mesh, P("x")))

for i in range(5):
    if i == 3 and me == 2:
        print(f"process {me}: step {i}, here I stop", flush=True)
        raise MemoryError("the batch is too large, say")
    try:
        found = float(total(x)[0])
    except jax.errors.JaxRuntimeError as error:
        print(f"process {me}: step {i}, {error}", flush=True)
        raise SystemExit(1) from None
    if me == 0:
        print(f"process {me}: step {i}, the sum is {found}", flush=True)
