"""The partitioner: the program of one device computes its parts of what the whole program computes."""

import zlib

import numpy as np
import pytest
from compared import assert_close

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.layer1_core.array import numpy_value
from minijax.layer1_core.evaluate import keep_interpreted, stored
from minijax.layer1_core.jaxpr import check_jaxpr
from minijax.layer1_core.lax.reducing import reduce_p
from minijax.layer4_grad.programs import closed_over_nothing
from minijax.layer5_vmap.axes import bound
from minijax.layer7_sharding.lockstep import run_in_lockstep
from minijax.layer7_sharding.partitioned import partition
from minijax.layer7_sharding.partitioning import partition_rules
from minijax.layer7_sharding.shard_map import parts_of, put_together
from minijax.sharding import AbstractMesh, AxisType, NamedSharding, PartitionSpec as P
from ops import CASES

F32 = np.float32
MESHES = [
    AbstractMesh((2,), ("x",)),
    AbstractMesh((4,), ("x",)),
    AbstractMesh((2, 2), ("x", "y")),
    AbstractMesh((3, 2), ("x", "y")),
    AbstractMesh((2, 4), ("x", "y")),
]


def random_spec(rng, shape, mesh):
    """One of the ways to divide an array of this shape evenly."""
    names, entries = [str(name) for name in rng.permutation(mesh.axis_names)], []
    for n in shape:
        mine = []
        while n and names and n % mesh.shape[names[0]] == 0 and rng.random() < 0.6:
            n //= mesh.shape[names[0]]
            mine.append(names.pop(0))
        entries.append(tuple(mine))
    return P(*entries)


def check_parts(fun, args, mesh, rng):
    """Divide the arguments at random, run the program of a device on each, and compare with the whole."""
    jaxpr, consts = closed_over_nothing(jax.make_jaxpr(fun)(*args))
    values = [numpy_value(x) for x in (*consts, *jax.tree.leaves(args))]
    specs = [random_spec(rng, x.shape, mesh) for x in values]
    made = partition(stored[-1](jaxpr), specs, mesh)
    with bound(mesh.shape_tuple):
        check_jaxpr(made.jaxpr)
    keep_interpreted(made.jaxpr)
    places = list(mesh.coordinates())
    columns = [parts_of(x, NamedSharding(mesh, spec)) for x, spec in zip(values, specs, strict=True)]
    rows = [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in places]
    found = zip(*run_in_lockstep(made.jaxpr, rows, places), strict=True)
    for parts, spec, want in zip(found, made.out_specs, jax.tree.leaves(fun(*args)), strict=True):
        assert_close(put_together(parts, NamedSharding(mesh, spec)), numpy_value(want))
    return made


@pytest.mark.parametrize("case", CASES, ids=str)
def test_parts_of_a_case_are_parts_of_the_whole(case):
    seed = zlib.crc32(case.name.encode())
    for mesh in (MESHES[seed % 5], MESHES[(seed + 2) % 5]):
        check_parts(case.fun, [*map(jnp.asarray, case.values())], mesh, np.random.default_rng(seed))


def draw(*shape):
    return jnp.asarray(np.random.default_rng(sum(shape)).normal(size=shape).astype(F32))


ROWS = np.array([[1, 3], [0, 7], [5, 5], [2, 6]])


def attention(x, wq, wk, wv, wo):
    heads = lambda w: (x @ w).reshape(*x.shape[:2], 4, -1)
    weights = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", heads(wq), heads(wk)))
    return jnp.einsum("bhqk,bkhd->bqhd", weights, heads(wv)).reshape(x.shape) @ wo


def recurrent(c, xs, w):
    return lax.scan(lambda c, x: (jnp.tanh(c @ w + x), c.sum()), c, xs)


PROGRAMS = {
    "mlp": (lambda x, a, b: jnp.tanh(x @ a) @ b, (8, 8), (8, 16), (16, 8)),
    "mlp_grad": (lambda a, b, x: jax.grad(lambda a: (jnp.tanh(x @ a) @ b).var())(a), (8, 16), (16, 8), (8, 8)),
    "attention": (attention, (4, 8, 16), *[(16, 16)] * 4),
    "attention_grad": (
        lambda *args: jax.grad(lambda *a: attention(*a).sum(), tuple(range(5)))(*args), (4, 8, 16), *[(16, 16)] * 4,
    ),
    "rows": (lambda e: e[ROWS], (8, 16)),
    "rows_outside": (
        lambda e: [e.at[i].get(mode=m) for m in ("fill", "clip") for i in (ROWS * 2 - 3, (ROWS, ROWS * 3))], (8, 16),
    ),
    "integer_rows": (lambda e: jnp.round(e).astype(int)[ROWS], (8, 16)),
    "rows_written": (
        lambda e, u: [f(e.at[i], u, mode=mode) for mode in ("drop", "clip") for i in (ROWS[:2] * 2 - 3, ROWS[1:3] * 2)
                      for f in (lambda r, u, **kw: r.add(u, **kw), lambda r, u, **kw: r.max(u, **kw))],
        (8, 16), (2, 2, 16),
    ),
    "rows_grad": (lambda e: jax.grad(lambda e: (e[ROWS] ** 2).sum())(e), (8, 16)),
    "take_along": (lambda x: jnp.take_along_axis(x, ROWS, 1), (4, 8)),
    "scan": (recurrent, (4, 8), (6, 4, 8), (8, 8)),
    "scan_grad": (lambda *a: jax.grad(lambda *a: recurrent(*a)[0].sum(), (0, 2))(*a), (4, 8), (6, 4, 8), (8, 8)),
    "reverse_scan": (lambda c, xs: lax.scan(lambda c, x: (c + x, c * x), c, xs, reverse=True), (4, 8), (4, 4, 8)),
    "while": (lambda x: lax.while_loop(lambda c: abs(c).sum() < 100, lambda c: c * 1.5 + 1, x), (4, 8)),
    "vmapped_while": (
        lambda x: jax.vmap(lambda r: lax.while_loop(lambda c: abs(c).max() < 40, lambda c: c * 2 + 1, r))(x), (8, 8),
    ),
    "best_places": (
        lambda x: [f(v, d) for f in (jnp.argmax, jnp.argmin) for v in (x, jnp.round(x), x > 0, x.at[3, 1].set(jnp.nan))
                   for d in (0, 1)], (8, 8),
    ),
    "fori": (lambda x: lax.fori_loop(0, 3, lambda i, c: c + c.mean(0), x), (4, 8)),
    "cond": (lambda x: lax.cond(x.sum() > 0, lambda x: x.sum(1), lambda x: -x.sum(1), x), (4, 8)),
    "cumulative": (lambda x: (jnp.cumsum(x, 0), lax.cumsum(x, 1, reverse=True), jnp.cumprod(x, 0)), (8, 8)),
    "reversed": (lambda x: (x[::-1], jnp.flip(x)), (8, 8)),
    "counted": (lambda x: x + jnp.arange(8) + lax.broadcasted_iota(F32, (8, 8), 0), (8, 8)),
    "concatenated": (lambda x, y: jnp.concatenate([x, y]), (8, 8), (4, 8)),
    "reshaped": (lambda x: [x.reshape(s) for s in ((32, 8), (4, 8, 4, 2), (4, 64), (256,), (2, 128))], (4, 8, 8)),
    "sorted": (lambda x: (jnp.sort(x, 0), jnp.argmax(x, 0), jnp.argmin(x, 1), lax.top_k(x, 2)), (8, 8)),
    "reduced": (lambda x: (x.sum(0), x.max(1), x.min(), x.prod(0), (x > 0).all(0), (x > 0).any(), x.std(0)), (8, 8)),
    "updated": (lambda x, u: x.at[:, 2:4].set(u), (8, 8), (8, 2)),
    "window": (lambda x: (lax.dynamic_slice(x, (3, 0), (2, 8)), lax.dynamic_update_slice(x, x[:2], (5, 0))), (8, 8)),
    "conv": (lambda x, k: lax.conv(x, k, (1, 1), "SAME"), (4, 2, 8, 8), (4, 2, 3, 3)),
    "pool": (lambda x: lax.reduce_window(x, -np.inf, lax.max, (1, 2, 2), (1, 2, 2), "VALID"), (4, 8, 8)),
    "random": (lambda x: x + jax.random.normal(jax.random.key(0), (8, 8)), (8, 8)),
    "cholesky": (lambda x: jnp.linalg.cholesky(x @ x.transpose(0, 2, 1) + jnp.eye(4)), (8, 4, 4)),
    "checkpoint": (lambda x: jax.grad(jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)).sum()))(x), (8, 8)),
    "einsum": (lambda x, y: (jnp.einsum("bij,bkj->bik", x, y), jnp.einsum("bij,bkj->k", x, y)), (4, 4, 8), (4, 4, 8)),
    "joined": (lambda x: (jnp.roll(x, 1, 0), jnp.tile(x, (2, 1)), jnp.stack([x, x]), jnp.split(x, 2, 1)), (8, 8)),
    "solve": (lambda a, b: jnp.linalg.solve(a + 8 * jnp.eye(8), b), (8, 8), (8,)),
    "custom": (lambda x: jax.nn.gelu(x) + jax.nn.silu(x) + jax.nn.logsumexp(x), (8, 8)),
    "callback": (lambda x: jax.pure_callback(np.sort, jax.ShapeDtypeStruct((8, 8), F32), x) + x, (8, 8)),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_parts_of_a_program_are_parts_of_the_whole(name):
    fun, *shapes = PROGRAMS[name]
    for k, mesh in enumerate(MESHES):
        rng = np.random.default_rng(k)
        for _ in range(2):
            check_parts(fun, [draw(*shape) for shape in shapes], mesh, rng)


# ---- the text: which collectives there are, and what they send


def struct(mesh, shape, *entries):
    return jax.ShapeDtypeStruct(shape, F32, sharding=NamedSharding(mesh, P(*entries)))


def program(fun, *args):
    return jax.jit(fun).lower(*args).partitioned()


def sent(made):
    return [(each.name, each.axes, each.bytes) for each in made.collectives]


def grid(kind=AxisType.Auto):
    return AbstractMesh((4, 2), ("x", "y"), (kind,) * 2)


MOVES = {
    "gather": ((8, 8), P("x"), P(), [("all_gather", ("x",), 192)]),
    "gather_inner": ((8, 8), P(("x", "y")), P("x"), [("all_gather", ("y",), 32)]),
    "gather_both": ((8, 8), P(("x", "y")), P(), [("all_gather", ("x", "y"), 224)]),
    "cut": ((8, 8), P(), P("x", "y"), []),
    "exchange": ((8, 8), P("x"), P(None, "x"), [("all_to_all", ("x",), 48)]),
    "exchange_inner": ((8, 8), P(("y", "x")), P("y", "x"), [("all_to_all", ("x",), 24)]),
    "cut_then_gather": ((8, 8), P("x"), P(None, "y"), [("all_gather", ("x",), 96)]),
}


@pytest.mark.parametrize("name", MOVES)
def test_a_value_is_divided_anew_with_the_least_that_does_it(name):
    shape, before, after, want = MOVES[name]
    place = NamedSharding(grid(), after)
    made = program(lambda x: lax.with_sharding_constraint(x, place), struct(grid(), shape, *before))
    assert sent(made) == want


def test_summands_become_a_sum_or_the_own_part_of_it():
    x, w = struct(grid(), (8, 16), None, "x"), struct(grid(), (16, 8), "x")
    assert sent(program(jnp.matmul, x, w)) == [("psum", ("x",), 2 * 256 * 3 // 4)]
    place = NamedSharding(grid(), P("x"))
    scattered = lambda x, w: lax.with_sharding_constraint(x @ w, place)
    assert sent(program(scattered, x, w)) == [("reduce_scatter", ("x",), 256 * 3 // 4)]


def test_the_weights_that_the_batch_axis_divides_are_gathered():
    made = program(jnp.matmul, struct(grid(), (8, 16), "x"), struct(grid(), (16, 8), "x"))
    assert sent(made) == [("all_gather", ("x",), 16 * 8 * 4 * 3 // 4)]
    assert made.out_specs == (P("x"),)


def test_explicit_types_say_where_the_collectives_are():
    mesh = grid(AxisType.Explicit)
    x, w = struct(mesh, (8, 16), None, "x"), struct(mesh, (16, 8), "x", None)
    made = program(lambda x, w: jnp.matmul(x, w, out_sharding=NamedSharding(mesh, P("x", "y"))), x, w)
    assert sent(made) == [("reduce_scatter", ("x",), 8 * 4 * 4 * 3 // 4)]
    assert made.out_specs == (P("x", "y"),)
    made = program(lambda x: jax.reshard(x, NamedSharding(mesh, P("y"))).sum(), x)
    assert [each.name for each in made.collectives] == ["all_gather", "psum"]


def test_equal_collectives_are_done_once():
    made = program(lambda x: (x - x.max(0)) / x.max(0), struct(grid(), (8, 8), "x"))
    assert sent(made) == [("pmax", ("x",), 2 * 32 * 3 // 4)]


def test_what_is_cut_off_a_broadcast_is_not_made():
    made = program(lambda x: jnp.full((8, 8), 2.0) * x, struct(grid(), (8, 8), "x"))
    assert not made.collectives
    assert all(v.aval.shape in ((), (2, 8)) for eqn in made.jaxpr.eqns for v in eqn.outvars)


def test_the_ones_that_a_gradient_begins_with_are_divided_as_the_batch():
    made = program(lambda w, x: jax.grad(lambda w: (jnp.sin(x @ w[0]) @ w[1]).mean())(w),
                   [struct(grid(), (8, 8))] * 2, struct(grid(), (16, 8), "x"))  # fmt: skip
    assert sent(made) == [("psum", ("x",), 2 * 256 * 3 // 4)] * 2
    assert not any(16 in v.aval.shape for eqn in made.jaxpr.eqns for v in eqn.outvars)


def test_only_values_and_places_are_sent_for_the_best_of_a_divided_axis():
    made = program(lambda x: jnp.argmax(x, 1), struct(grid(), (8, 64), "y", "x"))
    assert sent(made) == [("all_gather", ("x",), 3 * 4 * 4)] * 2
    assert made.out_specs == (P("y"),)


def test_rows_of_a_divided_vocabulary_are_looked_up_where_they_are():
    ids = jax.ShapeDtypeStruct((16, 8), np.int32, sharding=NamedSharding(grid(), P("y")))
    made = program(lambda table, ids: table[ids], struct(grid(), (1024, 32), "x"), ids)
    assert sent(made) == [("psum", ("x",), 2 * (8 * 8 * 32 * 4) * 3 // 4)]
    assert made.out_specs == (P("y"),)


def test_each_device_writes_the_rows_of_its_own_part_of_a_vocabulary():
    ids = jax.ShapeDtypeStruct((16, 8), np.int32)
    made = program(lambda table, ids: table.at[ids].add(1.0), struct(grid(), (1024, 32), "x"), ids)
    assert not made.collectives
    assert made.out_specs == (P("x"),)


def test_a_loop_with_a_condition_of_each_example_goes_on_while_any_device_does():
    loop = jax.vmap(lambda r: lax.while_loop(lambda c: c.max() < 40, lambda c: c * 2 + 1, r))
    made = program(loop, struct(grid(), (8, 4), "x"))
    assert made.out_specs == (P("x"),)
    assert {(each.name, each.axes) for each in made.collectives} == {("all_gather", ("x",))}
    assert made.bytes == 3  # one truth value to each of three others


def test_collectives_in_loops_count_for_each_round():
    made = program(lambda c, xs: lax.scan(lambda c, x: (c + x.sum(), None), c, xs)[0],
                   struct(grid(), ()), struct(grid(), (5, 8), None, "x"))  # fmt: skip
    (each,) = made.collectives
    assert (each.name, each.bytes, each.times, made.bytes) == ("psum", 6, 5, 30)
    made = program(lambda x: lax.while_loop(lambda c: c.sum() < 9, lambda c: c + 1, x), struct(grid(), (8,), "x"))
    assert [each.times for each in made.collectives] == [None]
    assert "in each further round of a while loop" in str(made)


def test_the_text_has_the_bytes_of_each_collective_and_the_total():
    text = str(program(lambda x, a, b: jnp.tanh(x @ a) @ b, struct(grid(), (8, 16), "x"),
                       struct(grid(), (16, 32), None, "y"), struct(grid(), (32, 16), "y")))  # fmt: skip
    assert "the program of each of 8 devices: 'x': 4, 'y': 2" in text
    assert "psum[along=y bytes=128]" in text
    assert text.endswith("one device sends 128 bytes in 1 collective")


def test_what_has_no_rule_is_computed_whole():
    assert reduce_p not in partition_rules
    fun = lambda x: lax.reduce(x, F32(1), lambda a, b: a * b / 2, (1,))
    made = program(fun, struct(grid(), (8, 4), "x"))
    assert sent(made) == [("all_gather", ("x",), 8 * 4 * 4 * 3 // 4)]
    assert made.out_specs == (P(),)
    check_parts(fun, [draw(8, 4)], MESHES[4], np.random.default_rng(0))


def test_a_program_without_a_mesh_has_no_parts():
    with pytest.raises(ValueError, match=r"partitioned\(\) needs a mesh"):
        program(lambda x: x + 1, np.ones(3, F32))


def test_a_layer_of_a_transformer_on_4096_devices():
    mesh = AbstractMesh((256, 16), ("data", "model"))
    d, hidden, heads = 4096, 16384, 32

    def layer(x, w):
        q, k, v = (jnp.einsum("btd,dhk->bthk", x, w[name]) for name in "qkv")
        weights = jax.nn.softmax(jnp.einsum("bqhk,bshk->bhqs", q, k) / np.sqrt(d // heads))
        x = x + jnp.einsum("bhqs,bshk,hkd->bqd", weights, v, w["o"])
        return x + jax.nn.gelu(x @ w["up"]) @ w["down"]

    s = lambda shape, *entries: struct(mesh, shape, *entries)
    w = {name: s((d, heads, d // heads), None, "model") for name in "qkv"}
    w |= {"o": s((heads, d // heads, d), "model"), "up": s((d, hidden), None, "model"), "down": s((hidden, d), "model")}
    made = program(layer, s((512, 2048, d), "data"), w)
    size = 2 * 2048 * d * 4  # bytes of one device's examples
    assert sent(made) == [("psum", ("model",), 2 * size * 15 // 16)] * 2
    assert made.out_specs == (P("data"),)
    step = program(lambda x, w: jax.grad(lambda w: layer(x, w).sum())(w), s((512, 2048, d), "data"), w)
    assert {each.axes for each in step.collectives} == {("model",), ("data",)}
    assert step.out_specs == tuple(x.sharding.spec for x in jax.tree.leaves(w))
