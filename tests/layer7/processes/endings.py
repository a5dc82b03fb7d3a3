"""A program of which process 2 ends before the others, in the way that the argument names."""

import os
import sys

import numpy as np

import minijax as jax
from minijax import lax
from minijax.sharding import NamedSharding, PartitionSpec as P

jax.distributed.initialize(heartbeat_timeout_seconds=3, shutdown_timeout_seconds=60)
ENDS = {
    "raises": lambda: 1 / 0,
    "dies": lambda: os._exit(0),  # it says nothing, and MPI is not finalized
}
mesh = jax.make_mesh((4,), ("x",))
add = jax.jit(jax.shard_map(lambda v: v + lax.psum(v, "x"), mesh=mesh, in_specs=P("x"), out_specs=P("x")))
x = jax.device_put(np.ones(4, np.float32), NamedSharding(mesh, P("x")))
try:
    for step in range(5):
        if step == 3 and jax.process_index() == 2:
            ENDS[sys.argv[1]]()
        x = add(x)
except jax.errors.JaxRuntimeError as error:
    sys.stdout.write(f"process {jax.process_index()} after {step} steps: {error}\n")
    raise
