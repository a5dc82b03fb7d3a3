"""Where arrays live: devices, committed arrays, their parts, and arrays made from parts."""

import gc
import os
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax.layer1_core import buffers
from minijax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P, SingleDeviceSharding

SHAPE = (8, 4)
SPECS = [P(), P("x"), P(None, "x"), P("y", "x"), P(("x", "y")), P(("y", "x"), None), P(None, ("x", "y"))]


def mesh():
    return jax.make_mesh((2, 2), ("x", "y"))


def counting(shape=SHAPE):
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_the_parts_of_an_array_are_the_array(spec):
    value = counting()
    x = jax.device_put(value, NamedSharding(mesh(), spec))
    assert np.array_equal(x, value)
    assert len(x.addressable_shards) == 4
    for shard in x.addressable_shards:
        assert np.array_equal(shard.data, value[shard.index])
        assert shard.data.devices() == {shard.device}
        assert shard.data.committed
        assert shard.data.shape == x.sharding.shard_shape(SHAPE)


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_replicas_of_a_part_are_counted_from_0(spec):
    x = jax.device_put(counting(), NamedSharding(mesh(), spec))
    of_part = {}
    for shard in x.addressable_shards:
        of_part.setdefault(str(shard.index), []).append(shard.replica_id)
    assert all(ids == list(range(len(ids))) for ids in of_part.values())
    assert x.is_fully_replicated == (len(of_part) == 1)
    replicas = np.prod([mesh().shape[name] for name in x.sharding.replicated_axes])
    assert {len(ids) for ids in of_part.values()} == {replicas}


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_an_array_is_put_together_from_its_parts(spec):
    value, sharding = counting(), NamedSharding(mesh(), spec)
    asked = []
    made = jax.make_array_from_callback(SHAPE, sharding, lambda index: (asked.append(str(index)), value[index])[1])
    assert np.array_equal(made, value)
    assert len(asked) == len(set(asked))  # each distinct part once
    parts = [shard.data for shard in made.addressable_shards]
    again = jax.make_array_from_single_device_arrays(SHAPE, sharding, parts)
    assert np.array_equal(again, value)
    assert again.sharding == sharding


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_a_sharding_survives_pickling(spec):
    sharding = NamedSharding(mesh(), spec)
    assert pickle.loads(pickle.dumps(sharding)) == sharding


@pytest.mark.parametrize("ndim", [0, 1, 2])
def test_shardings_are_equivalent_where_each_device_holds_the_same_part(ndim):
    first = jax.devices()[0]
    alone, of_one = SingleDeviceSharding(first), NamedSharding(Mesh(np.array([first]), "x"), P())
    assert alone.is_equivalent_to(of_one, ndim) and of_one.is_equivalent_to(alone, ndim)
    assert alone != of_one
    assert not alone.is_equivalent_to(NamedSharding(mesh(), P()), ndim)
    assert not of_one.is_equivalent_to(SingleDeviceSharding(jax.devices()[1]), ndim)


def test_a_result_is_where_its_committed_operand_is():
    for device in jax.devices():
        x = jax.device_put(jnp.ones(3), device)
        for out in (x + 1, 1 - x, jnp.sum(x), jax.jit(lambda x: x * 2)(x)):
            assert out.devices() == {device}
            assert out.committed


def test_committed_operands_on_two_devices_are_refused():
    first, second = (jax.device_put(jnp.ones(4), d) for d in jax.devices()[:2])
    spread = jax.device_put(jnp.ones(4), NamedSharding(mesh(), P("x")))
    for a, b in ((first, second), (second, first), (first, spread), (spread, second)):
        with pytest.raises(ValueError, match="Received incompatible devices for jitted computation"):
            a + b
    with pytest.raises(ValueError, match=r"device ids \[0, 1, 2, 3\] on platform CPU"):
        jax.device_put(jnp.ones(4), jax.devices()[6]) + spread


def test_a_committed_operand_elsewhere_is_refused_where_a_mesh_is_set():
    x = jax.device_put(jnp.ones(4), jax.devices()[7])
    with jax.set_mesh(mesh()), pytest.raises(ValueError, match="and jit's context mesh with device ids"):
        x * 2


def test_where_a_mesh_is_set_new_arrays_are_on_all_of_its_devices():
    grid = mesh()
    with jax.set_mesh(grid):
        for x in (jnp.zeros(4), jnp.array([1.0, 2.0]), jnp.arange(3), jnp.ones(2) * 2):
            assert x.devices() == set(grid.devices.flat)
            assert x.committed
    assert jnp.zeros(4).devices() == {jax.devices()[0]}


def test_deleting_an_array_deletes_its_parts():
    x = jax.device_put(counting(), NamedSharding(mesh(), P("x")))
    part = x.addressable_data(0)
    x.delete()
    assert x.is_deleted()
    for use in (lambda: x + 1, lambda: np.asarray(x), lambda: x.addressable_shards):
        with pytest.raises(RuntimeError, match=r"Array has been deleted with shape=float32\[8@x,4\]"):
            use()
    assert part.is_deleted() and part.shape == (4, 4)


def test_a_buffer_is_deleted_for_all_arrays_that_have_it_and_for_no_others():
    x = jax.device_put(counting(), NamedSharding(mesh(), P("x")))
    first, last = x.addressable_data(0), x.addressable_data(3)
    there = jax.device_put(last, last.device)
    copy = jnp.array(x)
    last.delete()
    assert x.is_deleted() and there.is_deleted()
    assert not first.is_deleted() and not copy.is_deleted()


def test_which_arrays_have_a_buffer_is_forgotten_with_the_buffer():
    gc.collect()
    known = len(buffers._holders)
    x = jax.device_put(counting(), NamedSharding(mesh(), P("x")))
    parts = [x.addressable_data(i % 4) for i in range(40)]
    assert len(buffers._holders) == known + 4
    assert max(map(len, buffers._holders.values())) <= 11
    del x, parts
    gc.collect()
    assert len(buffers._holders) == known


def test_memory_kinds_are_told_by_types():
    here = SingleDeviceSharding(jax.devices()[1], memory_kind="pinned_host")
    x = jax.device_put(jnp.ones(3), here)
    assert str(jax.typeof(x)) == "float32<host>[3]"
    assert (x * 2).sharding == here
    assert str(jax.typeof(jax.device_put(x, jax.memory.Space.Device))) == "float32[3]"
    with pytest.raises(ValueError, match="memory_space of all inputs passed to `add` must be the same"):
        x + jnp.ones(3)
    with pytest.raises(ValueError, match="Got memory kind: attic"):
        SingleDeviceSharding(jax.devices()[0], memory_kind="attic")


def test_a_part_of_the_wrong_shape_or_device_is_refused():
    sharding = NamedSharding(mesh(), P("x"))
    parts = [jax.device_put(jnp.ones(2), d) for d in jax.devices()[:4]]
    make = jax.make_array_from_single_device_arrays
    with pytest.raises(ValueError, match="but got 3"):
        make((4,), sharding, parts[:3])
    with pytest.raises(ValueError, match="must be from distinct devices"):
        make((4,), sharding, parts[:1] * 4)
    with pytest.raises(ValueError, match=r"Expected shard shape \(4,\) doesn't match"):
        make((8,), sharding, parts)
    with pytest.raises(ValueError, match="devices do not match"):
        make((4,), sharding, [*parts[:3], jax.device_put(jnp.ones(2), jax.devices()[7])])
    with pytest.raises(TypeError, match="Unsupported type"):
        make((4,), sharding, [np.ones(2)] * 4)


def test_parts_of_two_dtypes_are_refused():
    sharding = NamedSharding(mesh(), P("x"))
    first, longer = np.ones(2, np.float32), np.ones(3, np.int32)
    message = "must have matching dtypes. Got int32, expected float32 for buffer: [1 1 1]"
    with pytest.raises(ValueError, match=re.escape(message)):
        jax.make_array_from_callback((4,), sharding, lambda index: longer if index[0].start else first)
    parts = [jax.device_put(x, d) for x, d in zip([first] * 2 + [longer] * 2, jax.devices()[:4], strict=True)]
    with pytest.raises(ValueError, match=re.escape(message)):
        jax.make_array_from_single_device_arrays((4,), sharding, parts)
    with pytest.raises(ValueError, match=r"Expected shard shape \(2,\) doesn't match"):
        jax.make_array_from_single_device_arrays((4,), sharding, parts[::-1])


def test_device_put_inside_of_a_program_gives_the_result_its_type():
    sharding = NamedSharding(mesh(), P("x"))
    f = jax.jit(lambda x: jax.device_put({"a": x, "b": x + 1}, {"a": sharding, "b": None}))
    out = f(counting((4,)))
    assert str(f.trace(counting((4,))).out_avals) == "{'a': ShapedArray(float32[4@x]), 'b': ShapedArray(float32[4])}"
    assert np.array_equal(out["b"], counting((4,)) + 1)


def test_the_environment_says_how_many_devices_there_are():
    program = "import minijax; print(minijax.device_count())"
    flags = {"XLA_FLAGS": "--xla_dump_to=/nowhere --xla_force_host_platform_device_count=3"}
    for more, count in (({}, "1"), (flags, "3"), ({"JAX_NUM_CPU_DEVICES": "5"}, "5")):
        run = subprocess.run([sys.executable, "-c", program], env=os.environ | more, capture_output=True, text=True)
        assert run.stdout.strip() == count, run.stderr


def test_meshes_are_equal_where_devices_names_and_types_are():
    grid = np.array(jax.devices()[:4]).reshape(2, 2)
    assert Mesh(grid, ("x", "y")) == Mesh(grid, ("x", "y"))
    assert hash(Mesh(grid, ("x", "y"))) == hash(Mesh(grid, ("x", "y")))
    for other in (Mesh(grid.T, ("x", "y")), Mesh(grid, ("y", "x")), Mesh(grid, ("x", "y"), (AxisType.Explicit,) * 2)):
        assert Mesh(grid, ("x", "y")) != other


# ---- shown


def shown(capsys, shape, spec, **options):
    mesh = jax.make_mesh((2, 2), ("x", "y"))
    jax.debug.visualize_sharding(shape, NamedSharding(mesh, spec), **options)
    return capsys.readouterr().out.splitlines()


def test_a_table_shows_which_devices_hold_which_part(capsys):
    assert shown(capsys, (8, 4), P("x", "y"), scale=0.4, min_width=7) == [
        "┌─────┬─────┐", "│CPU 0│CPU 1│", "├─────┼─────┤", "│CPU 2│CPU 3│", "└─────┴─────┘",
    ]  # fmt: skip
    assert shown(capsys, (8,), P("y")) == ["┌───────┬───────┐", "│CPU 0,2│CPU 1,3│", "└───────┴───────┘"]
    assert [len(line) for line in shown(capsys, (8, 4096), P("x"))] == [80] * 11
    with pytest.raises(ValueError, match="only works for shapes with 1 and 2 dimensions"):
        shown(capsys, (2, 2, 2), P())


def test_the_sharding_of_a_value_inside_of_a_program_is_told_once(capsys):
    mesh = jax.make_mesh((2, 2), ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    x = jax.device_put(np.ones((4, 4), np.float32), NamedSharding(mesh, P("x", "y")))
    found = []

    @jax.jit
    def double_sums(x):
        y = x.sum(1)
        jax.debug.inspect_array_sharding(y, callback=found.append)
        return y * 2

    double_sums(x), double_sums(x)
    assert found == [NamedSharding(mesh, P("x"))]
    jax.debug.inspect_array_sharding({"a": x}, callback=found.append)
    assert found[1:] == [x.sharding]
    jax.debug.visualize_array_sharding(x)
    assert "CPU 3" in capsys.readouterr().out
