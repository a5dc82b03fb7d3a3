"""What the checks of chapter 7 say about single wrong answers, and that what they expect is found in another way."""

import itertools

import numpy as np
import pytest
from answers import answer_with, solution_of
from wrong_chapter7 import REPLACED

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.course import check
from minijax.course.catalogue import EXERCISES
from minijax.course.chapter3_given import numbers
from minijax.course.chapter4_given import rounded
from minijax.course.chapter7_cases import OPERANDS, PLACED
from minijax.course.chapter7_expected import bytes_counted, einsum_type_by_parts, placed_by_jit, spec_by_search
from minijax.course.chapter7_given import (
    attention,
    auto_mesh,
    data_parallel,
    device,
    explicit_mesh,
    largest,
    mlp,
    near,
    on_each,
    part_shapes,
    parts_held,
    picture,
    place_told,
    some,
    talk,
)
from minijax.course.judge import PASSED, judge
from minijax.layer7_sharding.types import ShardingTypeError
from minijax.sharding import NamedSharding, PartitionSpec as P

# ---- what is shown


def test_there_are_nine_exercises():
    assert [id for id in EXERCISES if id.startswith("7.")] == [f"7.{i}" for i in range(1, 10)]


def test_a_place_that_is_wrong_is_told_by_ids_of_devices(capsys):
    check("7.1", answer_with("7.1", *REPLACED["7.1", "others are moved to where the first committed one is"]))
    said = capsys.readouterr().out
    assert "place_told(placement, [at_1, at_2], device(0))" in said
    assert (
        "expected: 'ValueError: Received incompatible devices for jitted computation'\ngot:      ([1], True)\n" in said
    )


def test_collectives_that_are_too_many_are_counted(capsys):
    check("7.8", answer_with("7.8", *REPLACED["7.8", "a sum in each step"]))
    said = capsys.readouterr().out
    assert "talk(f, params, *data)\n\nexpected: {'psum': 2}\ngot:      {'psum': 4}\n" in said
    assert "A known mistake: a sum in each step." in said


@pytest.mark.parametrize("id", [id for id in EXERCISES if id.startswith("7.")])
def test_a_check_shows_no_addresses_and_no_paths(id, capsys):
    check(id, lambda *args, **kwargs: object())
    said = capsys.readouterr().out
    assert "0x" not in said and ".py" not in said


# ---- another right answer passes


def placement_by_sets(operands, default):
    wanted = {frozenset(x.devices()) for x in operands if getattr(x, "committed", False)}
    if len(wanted) > 1:
        raise ValueError("Received incompatible devices for jitted computation. Got too many")
    return next(iter(wanted), {default}), bool(wanted)


def spec_by_names_and_sizes(blocks, names):
    return spec_by_search(blocks, names)


def ring_sum_in_scans(x, name):
    n, me = lax.axis_size(name), lax.axis_index(name)
    to_previous = [(i, (i - 1) % n) for i in range(n)]  # the other way round

    def add(part, k):
        return lax.ppermute(part, name, to_previous) + lax.dynamic_index_in_dim(parts, (me + k) % n, 0, False), None

    def pass_on(part, _):
        part = lax.ppermute(part, name, to_previous)
        return part, part

    parts = x.reshape(n, -1)
    part, _ = lax.scan(add, parts[me], jnp.arange(1, n))
    _, others = lax.scan(pass_on, part, length=n - 1)
    whole = jnp.concatenate([part[None], others])  # of the parts me - 1, me, me + 1, ...
    return jnp.roll(whole, me - 1, axis=0).reshape(x.shape)


def mean_gradient_in_python(loss, params, batches, name):
    """The means are taken of all batches at once, and their derivative is made by one pass back."""
    own = lax.pcast(params, name, to="varying")
    whole = lambda own: jax.vmap(lambda *batch: loss(own, *batch))(*batches).mean()
    return lax.pmean(jax.value_and_grad(whole)(own), name)


def attention_in_a_loop(q, k, v, name, causal=False):
    """The other way around, by a loop of Python's, and with the logarithm of the sum in place of two numbers."""
    n, me, size = lax.axis_size(name), lax.axis_index(name), len(q)
    out, log_sum = jnp.zeros((size, v.shape[1])), jnp.full((size, 1), -jnp.inf)
    for i in range(n):
        owner = (me + i) % n
        s = q @ k.T / q.shape[1] ** 0.5
        if causal:
            s = jnp.where((me - owner) * size + jnp.arange(size)[:, None] >= jnp.arange(size), s, -1e30)
        block_sum = jax.nn.logsumexp(s, axis=1, keepdims=True)
        both = jnp.logaddexp(log_sum, block_sum)
        out = out * jnp.exp(log_sum - both) + jnp.exp(s - both) @ v
        log_sum = both
        if i < n - 1:
            k, v = lax.ppermute((k, v), name, [(i, (i - 1) % n) for i in range(n)])
    return out


def two_layers_by_einsum(mesh):
    def part(x, params):
        w1, b1, w2, b2 = params
        return lax.psum(jnp.einsum("bh,ho->bo", jnp.maximum(jnp.einsum("bi,ih->bh", x, w1) + b1, 0), w2), "x") + b2

    specs = (P(), (P(None, "x"), P("x"), P("x", None), P()))
    f = jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=P())
    return lambda x, *params: f(x, params)


@pytest.mark.parametrize(
    "id, answer",
    [
        ("7.1", placement_by_sets), ("7.3", spec_by_names_and_sizes), ("7.5", bytes_counted),
        ("7.6", two_layers_by_einsum), ("7.7", ring_sum_in_scans), ("7.8", mean_gradient_in_python),
        ("7.9", attention_in_a_loop),
    ],
)  # fmt: skip
def test_an_answer_of_another_form_passes(id, answer):
    verdict = judge(EXERCISES[id], answer)
    assert verdict.state == PASSED, verdict


# ---- what is at hand


def test_meshes_have_the_first_devices_in_order_and_devices_have_numbers():
    assert auto_mesh(x=2, y=4).device_ids.tolist() == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert auto_mesh(x=2).are_all_axes_auto and explicit_mesh(x=2).are_all_axes_explicit
    assert device(5).id == 5


def test_parts_and_pictures_are_those_of_the_sharding():
    mesh = auto_mesh(x=2, y=2)
    assert parts_held(mesh, P(None, "y"), (3, 4)) == [((0, 3), (0, 2)), ((0, 3), (2, 4))] * 2
    x = jax.device_put(np.arange(16.0).reshape(4, 4), NamedSharding(mesh, P(("y", "x"))))
    held = parts_held(mesh, P(("y", "x")), (4, 4))
    for shard, (rows, columns) in zip(x.addressable_shards, held, strict=True):
        assert np.array_equal(shard.data, np.arange(16.0).reshape(4, 4)[slice(*rows), slice(*columns)])
    assert [blocks.tolist() for blocks in picture(mesh, P(("y", "x")), 2)] == [[[0, 2], [1, 3]], [[0, 0], [0, 0]]]


def test_what_devices_say_is_counted_as_often_as_it_is_said():
    mesh = auto_mesh(x=2)

    def f(x):
        total = lax.fori_loop(0, 5, lambda i, c: lax.ppermute(c, "x", [(0, 1), (1, 0)]), x)
        return total + lax.psum(x[0], "x") * lax.axis_index("x")

    assert talk(on_each(f, mesh), jnp.ones(6)) == {"ppermute": 15, "psum": 1}
    assert talk(on_each(lambda x: lax.pcast(jnp.float32(2), "x", to="varying") * x, mesh), jnp.ones(6)) == {}
    assert talk(jax.jit(on_each(lambda x: lax.all_gather(x, "x").sum(0), mesh)), jnp.ones(6)) == {"all_gather": 3}


def test_what_one_device_gets_and_makes_is_measured():
    f = on_each(lambda x: (x[:, None] * x).sum(1), auto_mesh(x=2))
    assert part_shapes(f, jnp.ones(6)) == [(3,)] and largest(f, jnp.ones(6)) == 9


def test_numbers_that_are_close_count_as_the_others():
    assert near(lambda: (1.0, 2.0, 0.0), lambda: (1.0001, 2.1, 0.0004)) == (1.0, 2.1, 0.0)


def test_the_layers_and_attention_on_one_device():
    assert numbers(mlp, *map(jnp.array, ([[1.0]], [[2.0, -2.0]], [1.0, 1.0], [[1.0], [5.0]], [0.5]))) == [[3.5]]
    q, k, v = jnp.zeros((3, 1)), jnp.zeros((3, 1)), jnp.array([[0.0], [1.0], [5.0]])
    assert rounded(attention, q, k, v) == [[2.0]] * 3
    assert rounded(attention, q, k, v, True) == [[0.0], [0.5], [2.0]]
    one, scale = jnp.array([[1.0, 0.0]]), np.exp(1 / np.sqrt(2))
    weight = scale / (scale + 1)
    assert rounded(attention, one, jnp.eye(2), jnp.eye(2)) == [[round(weight, 4), round(1 - weight, 4)]]


def test_a_data_parallel_function_gets_all_parameters_and_some_of_the_examples():
    seen = []

    def gradient(loss, params, batches, name):
        seen.append((params.shape, [x.shape for x in batches], name))
        return lax.pmean(batches[0].sum(), name)

    data_parallel(gradient, None, auto_mesh(x=2))(jnp.ones(3), jnp.ones((5, 4)), jnp.ones((5, 4, 7)))
    assert seen == [((3,), [(5, 2), (5, 2, 7)], "x")]


# ---- what is expected is right


@pytest.mark.parametrize("operands, default", OPERANDS)
def test_jit_and_single_operations_agree_on_where_results_are(operands, default):
    names = dict(jax=jax, jnp=jnp, device=device, auto_mesh=auto_mesh, NamedSharding=NamedSharding, P=P)
    exec(PLACED, names)
    values = eval(f"[{operands}]", names)

    def by_sum(values, default):
        with jax.default_device(default):
            out = jax.tree.reduce(jnp.add, [jnp.sum(x) for x in values])
        return out.devices(), out.committed

    place = device(default)
    assert place_told(by_sum, values, place) == place_told(placed_by_jit, values, place)


def test_every_picture_of_a_spec_has_that_spec_and_another_has_none():
    mesh = auto_mesh(x=2, y=2)
    for entries in itertools.product((None, "x", "y", ("x", "y"), ("y", "x")), repeat=2):
        if sum(map(str(entries).count, "xy")) == len({*str(entries)} & {*"xy"}):  # no name twice
            assert spec_by_search(picture(mesh, P(*entries), 2), ("x", "y")) == P(*entries)
    assert spec_by_search([np.array([1, 0])], ("x",)) is None


@pytest.mark.parametrize("letters", ["ij,jk->ik", "i,i->", "ij,j->i", "bij,bjk->bik"])
def test_types_of_products_are_those_of_einsum(letters):
    """On arrays themselves, where the operands agree about batches."""
    mesh = explicit_mesh(x=2, y=2)
    ranks = [len(operand) for operand in letters.split("->")[0].split(",")]
    put = lambda spec, ndim: jax.device_put(jnp.zeros((8,) * ndim), NamedSharding(mesh, spec))
    for names in itertools.product((None, "x", "y"), repeat=2):
        specs = [P(*(None,) * (ndim - 1), name) for ndim, name in zip(ranks, names, strict=True)]
        try:
            found = str(jax.typeof(jnp.einsum(letters, *map(put, specs, ranks))))
        except ShardingTypeError as error:
            found = type(error).__name__
        assert found == einsum_type_by_parts(letters, mesh, *specs), specs


def test_bytes_are_counted_by_what_a_device_did_not_have():
    before, after = [((0, 2), (0, 2)), ((2, 4), (0, 2))], [((0, 2), (1, 3)), ((2, 4), (0, 1))]
    assert bytes_counted(before, after, 4) == 2 * 4


def test_a_solution_works_in_a_compiled_program():
    mesh, args = auto_mesh(x=4), some((8, 2), (8, 2), (8, 1))
    f = on_each(lambda q, k, v: solution_of("7.9")(q, k, v, "x", causal=True), mesh)
    whole = lambda q, k, v: attention(q, k, v, True)
    assert np.allclose(jax.jit(f)(*args), whole(*args), atol=1e-5)
