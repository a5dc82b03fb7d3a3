"""What programs compute, as JSON, from process 0: the same in one process and in several."""

import json
import sys

import numpy as np
from collective_programs import BLOCKS, COLLECTIVES

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.experimental import multihost_utils
from minijax.sharding import AxisType, NamedSharding, PartitionSpec as P

jax.distributed.initialize(heartbeat_timeout_seconds=60)
line = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Auto,))
grid = jax.make_mesh((2, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
told = jax.make_mesh((2, 2), ("x", "y"))  # its types say how arrays are divided


def by_row(f):
    return jax.shard_map(lambda v: f(v[0])[None], mesh=line, in_specs=P("x"), out_specs=P("x"), check_vma=False)


def loss(w, x):
    return ((jnp.tanh(x @ w[0]) @ w[1]) ** 2).mean()


def trained(mesh, data, weights):
    """The losses of some steps, for data and weights that are divided so."""
    key = jax.random.key(0)
    w = [jax.random.normal(jax.random.fold_in(key, i), (8, 8)) for i in range(2)]
    w = [jax.device_put(x, NamedSharding(mesh, spec)) for x, spec in zip(w, weights, strict=True)]
    x = jax.device_put(np.sin(np.arange(64.0)).reshape(8, 8), NamedSharding(mesh, data))
    step = jax.jit(jax.value_and_grad(loss))
    losses = []
    for _ in range(3):
        value, slopes = step(w, x)
        w = [a - 0.1 * b for a, b in zip(w, slopes, strict=True)]
        losses.append(value)
    return jnp.stack(losses)


def loop_of_some(v):
    """Devices that stand apart along x go on for other times; those along y speak to each other."""
    loop = lambda: lax.while_loop(lambda c: lax.pmax(c.sum(), "y") < 999, lambda c: c + lax.psum(c, "y"), v)
    return lax.cond(lax.axis_index("x") == 0, loop, lambda: v)


def divided(mesh, spec):
    return jax.device_put(BLOCKS, NamedSharding(mesh, spec))


PROGRAMS = {
    "sums": lambda: divided(grid, P("x", "y")).sum(0) + divided(grid, P("x", "y")).mean(),
    "products": lambda: divided(grid, P("x", "y")) @ divided(grid, P("y", None)).T,
    "sorted": lambda: jnp.sort(divided(grid, P("x", "y"))[:, ::-1], axis=1),
    "reshard": lambda: jax.device_put(divided(line, P("x")) * 2, NamedSharding(line, P(None, "x"))),
    "told": lambda: jnp.dot(divided(told, P("x", None)), divided(told, P(None, "y")).T.sum(1), out_sharding=P("x")),
    "told_reshard": lambda: jax.sharding.reshard(divided(told, P("x", "y")), P("y", "x")) + 1,
    "data_parallel": lambda: trained(line, P("x"), (P(), P())),
    "tensor_parallel": lambda: trained(line, P(), (P(None, "x"), P("x", None))),
    "both": lambda: trained(grid, P("x"), (P(None, "y"), P("y", None))),
    "random": lambda: jax.random.normal(jax.random.key(3), (8,), out_sharding=P("x")),
    "some_axes": lambda: jax.shard_map(
        lambda v: lax.psum(v, "x"), mesh=grid, in_specs=P("x"), out_specs=P(), axis_names={"x"}
    )(BLOCKS),
    "loops_of_some": lambda: jax.shard_map(
        loop_of_some, mesh=grid, in_specs=P("x", "y"), out_specs=P("x", "y"), check_vma=False
    )(BLOCKS),
    "two_axes": lambda: jax.shard_map(
        lambda v: lax.psum(v, "y") + lax.axis_index(("y", "x")), mesh=grid, in_specs=P("x", "y"), out_specs=P("x"),
        check_vma=False,
    )(BLOCKS),
}  # fmt: skip

found = {}
for name, f in COLLECTIVES.items():
    found[name] = by_row(f)(divided(line, P("x")))
    found[f"jitted {name}"] = jax.jit(by_row(f))(divided(line, P("x")))
for name, program in PROGRAMS.items():
    with jax.set_mesh(told if name in ("told", "told_reshard", "random") else line if "parallel" in name else grid):
        found[name] = program()

try:  # some devices would go on, others stop
    by_row(lambda v: lax.while_loop(lambda c: c[0] < 9, lambda c: c + lax.psum(c, "x"), v))(divided(line, P("x")))
except RuntimeError as error:
    refused = str(error)

values = {name: multihost_utils.process_allgather(x, tiled=True) for name, x in found.items()}
if jax.process_index() == 0:
    shown = {name: [str(found[name].sharding.spec), x.astype(float).tolist()] for name, x in values.items()}
    json.dump(shown | {"refused": [refused, 0]}, sys.stdout)
