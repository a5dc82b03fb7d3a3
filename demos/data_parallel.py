"""Data-parallel training: each process has its own part of the data, all have the same parameters.

    mpiexec -n 4 python demos/data_parallel.py

The gradient of the loss of all data is the mean of the gradients of the parts: the program does not say so, it follows
from how the arrays are divided.
"""

import numpy as np

import minijax as jax
import minijax.numpy as jnp
from minijax.sharding import AxisType, NamedSharding, PartitionSpec as P

jax.distributed.initialize(heartbeat_timeout_seconds=60)
mesh = jax.make_mesh((jax.device_count(),), ("data",), axis_types=(AxisType.Auto,))
divided, copies = NamedSharding(mesh, P("data")), NamedSharding(mesh, P())


def examples(start, stop):
    """Some of the 512 points of a curve, as a process would read them from its own file."""
    x = np.linspace(-2, 2, 512, dtype=np.float32)[start:stop, None]
    return x, np.sin(3 * x) * np.exp(-x * x)


def predict(params, x):
    (w1, b1), (w2, b2) = params
    return jnp.tanh(x @ w1 + b1) @ w2 + b2


@jax.jit
def step(params, x, y):
    loss, slopes = jax.value_and_grad(lambda p: ((predict(p, x) - y) ** 2).mean())(params)
    return jax.tree.map(lambda p, slope: p - 0.1 * slope, params, slopes), loss


own = 512 // jax.process_count()
start = own * jax.process_index()
x, y = (jax.make_array_from_process_local_data(divided, part) for part in examples(start, start + own))

keys = jax.random.split(jax.random.key(0), 2)
params = [
    (jax.random.normal(keys[0], (1, 32)), jnp.zeros(32)),
    (jax.random.normal(keys[1], (32, 1)) / 32, jnp.zeros(1)),
]
params = jax.device_put(params, copies)

for i in range(201):
    params, loss = step(params, x, y)
    if i % 50 == 0 and jax.process_index() == 0:
        print(f"step {i:3}   loss {float(loss):.5f}", flush=True)
