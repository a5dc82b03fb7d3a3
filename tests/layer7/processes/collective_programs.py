"""Programs of four devices that speak to each other along x: functions of the row of BLOCKS that a device has."""

import numpy as np

import minijax as jax
import minijax.numpy as jnp
from minijax import lax

BLOCKS = np.arange(1, 33, dtype=np.float32).reshape(4, 8)
RING = [(0, 1), (1, 2), (2, 3), (3, 0)]

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
    "pmax_in_groups": lambda v: lax.pmax(v, "x", axis_index_groups=[[0, 3], [2, 1]]),
    "all_gather": lambda v: lax.all_gather(v, "x"),
    "all_gather_tiled": lambda v: lax.all_gather(v, "x", tiled=True),
    "psum_scatter": lambda v: lax.psum_scatter(v, "x", tiled=True),
    "psum_scatter_one": lambda v: lax.psum_scatter(v.reshape(4, 2), "x"),
    "ppermute": lambda v: lax.ppermute(v, "x", RING),
    "pshuffle": lambda v: lax.pshuffle(v, "x", [2, 0, 3, 1]),
    "ppermute_of_some": lambda v: lax.ppermute(v, "x", [(0, 1), (3, 2)]),
    "all_to_all": lambda v: lax.all_to_all(v.reshape(4, 2), "x", 0, 1),
    "all_to_all_tiled": lambda v: lax.all_to_all(v, "x", 0, 0, tiled=True),
    "all_to_all_in_groups": lambda v: lax.all_to_all(v, "x", 0, 0, tiled=True, axis_index_groups=[[0, 2], [3, 1]]),
    "pbroadcast": lambda v: lax.pbroadcast(v, "x", 2),
    "axis_index": lambda v: v * lax.axis_index("x"),
    "in_scan": lambda v: lax.scan(lambda c, r: (lax.psum(c, "x") / 7 + r, c * r), v[0], v)[1],
    "in_reverse_scan": lambda v: lax.scan(lambda c, r: (lax.pmax(c, "x") + r, c * r), v[0], v, reverse=True)[1],
    "in_fori": lambda v: lax.fori_loop(0, 3, lambda i, c: c + lax.pmean(c, "x"), v),
    "in_while": lambda v: lax.while_loop(lambda c: lax.psum(c, "x").sum() < 5000, lambda c: c * 2, v),
    "in_branches": lambda v: lax.cond(lax.axis_index("x") % 2 == 0, lambda: v * 2, lambda: -v) + lax.psum(v, "x"),
    "in_jit": lambda v: jax.jit(lambda a: a - lax.pmean(a, "x"))(v),
    "in_vmap": lambda v: jax.vmap(lambda a: a * lax.psum(a, "x"))(v),
    "in_grad": lambda v: jax.grad(lambda a: (lax.psum(a * v, "x") ** 2).sum())(v),
}
