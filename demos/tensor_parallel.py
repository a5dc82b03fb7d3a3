"""A tensor-parallel network: each process has a part of every layer's parameters, all have the same data.

    mpiexec -n 4 python demos/tensor_parallel.py

The program of one device is written by hand. The first matrix is divided by columns, the second by rows: so what lies
between them stays where it is computed, and one sum over all devices is enough.
"""

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.sharding import NamedSharding, PartitionSpec as P

jax.distributed.initialize(heartbeat_timeout_seconds=60)
mesh = jax.make_mesh((jax.device_count(),), ("model",))
COLUMNS, ROWS = P(None, "model"), P("model", None)


def network(x, w1, w2):
    """Of one device: w1 [8, 64/n], w2 [64/n, 1]."""
    hidden = jnp.tanh(x @ w1)  # [B, 64/n]: nobody else needs it
    return lax.psum(hidden @ w2, "model")  # [B, 1]


def loss(weights, x, y):
    predicted = jax.shard_map(network, mesh=mesh, in_specs=(P(), COLUMNS, ROWS), out_specs=P())(x, *weights)
    return ((predicted - y) ** 2).mean()


@jax.jit
def step(weights, x, y):
    value, slopes = jax.value_and_grad(loss)(weights, x, y)
    return jax.tree.map(lambda w, slope: w - 0.05 * slope, weights, slopes), value


keys = jax.random.split(jax.random.key(0), 3)
x = jax.random.normal(keys[0], (256, 8))
y = jnp.sin(x.sum(axis=1, keepdims=True))
weights = jax.random.normal(keys[1], (8, 64)) / 3, jax.random.normal(keys[2], (64, 1)) / 8
weights = [jax.device_put(w, NamedSharding(mesh, spec)) for w, spec in zip(weights, (COLUMNS, ROWS), strict=True)]
x, y = jax.device_put((x, y), NamedSharding(mesh, P()))

part = weights[0].addressable_shards[0].data
if jax.process_index() == 0:
    print(f"weights {jax.typeof(weights[0])}, {jax.typeof(weights[1])}", flush=True)
    print(f"each device has {part.shape[0]} x {part.shape[1]} of the first", flush=True)
for i in range(101):
    weights, value = step(weights, x, y)
    if i % 25 == 0 and jax.process_index() == 0:
        print(f"step {i:3}   loss {float(value):.5f}", flush=True)
