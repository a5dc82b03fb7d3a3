"""What programs compute, as JSON, from process 0: the same in one process and in several."""

import json
import sys

import numpy as np

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.experimental import multihost_utils
from minijax.sharding import AxisType, NamedSharding, PartitionSpec as P

jax.distributed.initialize(heartbeat_timeout_seconds=60)
line = jax.make_mesh((4,), ("x",), axis_types=(AxisType.Auto,))
grid = jax.make_mesh((2, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
told = jax.make_mesh((2, 2), ("x", "y"))  # its types say how arrays are divided
BLOCKS = np.arange(1, 33, dtype=np.float32).reshape(4, 8)
RING = [(0, 1), (1, 2), (2, 3), (3, 0)]

# Of the row that a device has, along x.
COLLECTIVES = {
    "psum": lambda v: lax.psum(v, "x"),
    "pmean": lambda v: lax.pmean(v, "x"),
    "pmax": lambda v: lax.pmax(v, "x"),
    "pmax_of_nans": lambda v: lax.pmax(jnp.where(v % 5 == 0, jnp.nan, v), "x"),
    "pmin": lambda v: lax.pmin(v, "x"),
    "pmin_of_ints": lambda v: lax.pmin(v.astype(int), "x"),
    "psum_of_bfloat16": lambda v: lax.psum(v.astype(jnp.bfloat16), "x"),
    "psum_of_int8": lambda v: lax.psum(v.astype(jnp.int8), "x"),
    "pmax_of_bools": lambda v: lax.pmax(v > 20, "x"),
    "psum_in_groups": lambda v: lax.psum(v, "x", axis_index_groups=[[0, 3], [2, 1]]),
    "all_gather": lambda v: lax.all_gather(v, "x"),
    "all_gather_tiled": lambda v: lax.all_gather(v, "x", tiled=True),
    "psum_scatter": lambda v: lax.psum_scatter(v, "x", tiled=True),
    "psum_scatter_one": lambda v: lax.psum_scatter(v.reshape(4, 2), "x"),
    "ppermute": lambda v: lax.ppermute(v, "x", RING),
    "ppermute_of_some": lambda v: lax.ppermute(v, "x", [(0, 1), (3, 2)]),
    "all_to_all": lambda v: lax.all_to_all(v.reshape(4, 2), "x", 0, 1),
    "all_to_all_tiled": lambda v: lax.all_to_all(v, "x", 0, 0, tiled=True),
    "all_to_all_in_groups": lambda v: lax.all_to_all(v, "x", 0, 0, tiled=True, axis_index_groups=[[0, 2], [3, 1]]),
    "pbroadcast": lambda v: lax.pbroadcast(v, "x", 2),
    "axis_index": lambda v: v * lax.axis_index("x"),
    "in_scan": lambda v: lax.scan(lambda c, r: (lax.psum(c, "x") / 7 + r, c * r), v[0], v)[1],
    "in_while": lambda v: lax.while_loop(lambda c: lax.psum(c, "x").sum() < 5000, lambda c: c * 2, v),
    "in_branches": lambda v: lax.cond(lax.axis_index("x") % 2 == 0, lambda: v * 2, lambda: -v) + lax.psum(v, "x"),
    "in_vmap": lambda v: jax.vmap(lambda a: a * lax.psum(a, "x"))(v),
    "in_grad": lambda v: jax.grad(lambda a: (lax.psum(a * v, "x") ** 2).sum())(v),
}


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
values = {name: multihost_utils.process_allgather(x, tiled=True) for name, x in found.items()}
if jax.process_index() == 0:
    shown = {name: [str(found[name].sharding.spec), x.astype(float).tolist()] for name, x in values.items()}
    json.dump(shown, sys.stdout)
