"""Programs on divided arrays are run in parts, side by side."""

import signal
import threading

import numpy as np
import pytest
from compared import assert_close

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.layer1_core.evaluate import keep_interpreted
from minijax.layer1_core.jaxpr import JaxprEqn
from minijax.layer1_core.quick import elsewhere_quick
from minijax.layer2_jit import alone
from minijax.layer7_sharding import side_by_side as threads
from minijax.layer7_sharding.lockstep import run_in_lockstep
from minijax.layer7_sharding.partitioned import partition
from minijax.layer7_sharding.segments import Segment, cut
from minijax.layer7_sharding.traffic import bytes_sent
from minijax.sharding import AbstractMesh, AxisType, NamedSharding, PartitionSpec as P

F32 = np.float32


def line(n=4, kind=AxisType.Auto):
    return jax.make_mesh((n,), ("x",), axis_types=(kind,))


def put(value, *entries, mesh=None):
    return jax.device_put(value, NamedSharding(mesh or line(), P(*entries)))


def steps_of(fun, shapes, specs):
    """The steps of the program of one device: 'seg', or the name of a collective."""
    avals = [jax.ShapeDtypeStruct(shape, F32) for shape in shapes]
    made = partition(jax.make_jaxpr(fun)(*avals), specs, AbstractMesh((4,), ("x",))).jaxpr
    joint = lambda eqn: eqn.primitive in bytes_sent or eqn.primitive.name == "axis_index"
    steps = cut(made, [bool(len(spec)) for spec in specs], joint, lambda eqn: eqn.primitive.name == "psum")
    return [step.primitive.name if isinstance(step, JaxprEqn) else "segment" for step in steps], steps


# ---- segments


def test_the_sums_of_all_gradients_come_together():
    loss = lambda a, b, x: ((jnp.tanh(x @ a) @ b) ** 2).sum()
    step = lambda a, b, x: [w - d for w, d in zip((a, b), jax.grad(loss, (0, 1))(a, b, x), strict=True)]
    names, _ = steps_of(step, [(8, 8), (8, 8), (4, 8)], [P(), P(), P("x")])
    assert names == ["segment", "psum", "psum", "segment"]


def test_what_is_the_same_on_all_devices_is_run_once_for_all():
    names, steps = steps_of(lambda w, x: (jnp.sin(w) @ w, x * 2), [(8, 8), (8,)], [P(), P("x")])
    assert names == ["segment", "segment"]
    ran = []
    same = steps[0]
    w = np.eye(8, dtype=F32)
    keep_interpreted(same.jaxpr)
    same.__dict__["program"] = lambda row: ran.append(row) or [row[0]]
    assert [out[0] is w for out in same.run([[w], [w], [w], [w]])] == [True] * 4
    assert len(ran) == 1


def test_what_costs_nothing_is_computed_where_it_is_read():
    _, steps = steps_of(lambda c, x: x * jnp.broadcast_to(c, (8, 8)), [(), (8, 8)], [P(), P("x")])
    assert len(steps) == 1


def test_compiled_segments_are_in_the_bodies_of_loops():
    f = jax.jit(lambda c, w: lax.scan(lambda c, _: (jnp.tanh(c @ w), c.sum()), c, None, length=3))
    c, w = np.ones((4, 8), F32), np.full((8, 8), 0.1, F32)
    assert_close(f(put(c, "x"), put(w, None, None)), f(c, w))
    text = str(f.lower(put(c, "x"), put(w)).partitioned())
    assert "psum[along=x" in text and "scan[" in text


# ---- results


@pytest.mark.parametrize("kind", [AxisType.Auto, AxisType.Explicit])
def test_each_device_has_its_part_of_a_result(kind):
    x, w = np.arange(32, dtype=F32).reshape(8, 4), np.arange(12, dtype=F32).reshape(4, 3)
    mesh = line(kind=kind)
    y = jax.jit(jnp.matmul)(put(x, "x", mesh=mesh), put(w, mesh=mesh))
    assert y.sharding.spec[0] == "x"
    for k, shard in enumerate(y.addressable_shards):
        assert_close(shard.data, x[2 * k : 2 * k + 2] @ w)
    assert all(part.flags.c_contiguous and not part.flags.writeable for part in y._arrays)


def test_a_result_that_all_devices_have_is_one_buffer():
    y = jax.jit(lambda x: x.sum())(put(np.ones(8, F32), "x"))
    assert float(y) == 8
    assert len({id(part) for part in y._arrays}) == 1


def test_an_array_of_the_callers_stays_his_own():
    x, y = np.ones(8, F32), put(np.ones(8, F32), "x")
    out = jax.jit(lambda a, b: (a, a + b))(x, y)
    x[:] = 5
    assert_close(out[0], np.ones(8, F32))


def test_large_constants_and_arrays_of_columns_are_divided_too():
    w = put(np.arange(64, dtype=F32).reshape(8, 8), None, "x")
    f = jax.jit(lambda x: (x @ w, w.T.sum(0)))
    x = np.ones((2, 8), F32)
    assert_close(f(put(x)), (x @ np.asarray(w), np.asarray(w).sum(1)))
    assert all(part.flags.c_contiguous for part in w._arrays)


def test_another_mesh_of_the_same_devices_is_taken_whole():
    x = put(np.arange(8, dtype=F32), "x")
    other = jax.make_mesh((2, 2), ("a", "b"), axis_types=(AxisType.Auto,) * 2)
    y = put(np.arange(8, dtype=F32), ("a", "b"), mesh=other)
    assert_close(jax.jit(jnp.add)(x, y), np.arange(8, dtype=F32) * 2)


def test_what_is_printed_is_printed_once(capsys):
    def f(x):
        jax.debug.print("sum {}", x.sum())
        return x + 1

    jax.jit(f)(put(np.ones(8, F32), "x"))
    assert capsys.readouterr().out == "sum 8.0\n"


def test_a_program_of_all_devices_prints_on_each(capsys):
    def f(v):
        jax.debug.print("{}", v.sum())
        return v

    jax.jit(jax.shard_map(f, mesh=line(), in_specs=P("x"), out_specs=P("x")))(np.arange(4, dtype=F32))
    assert capsys.readouterr().out.splitlines() == ["0.0", "1.0", "2.0", "3.0"]


def test_what_is_printed_stays_in_order_around_a_collective_that_could_come_before(capsys):
    def f(v):
        jax.debug.print("first {}", lax.psum(lax.psum(v, "x") * v, "x")[0])
        early = lax.psum(3 * v, "x")
        jax.debug.print("second {}", v[0])
        return v + early

    jax.jit(jax.shard_map(f, mesh=line(2), in_specs=P("x"), out_specs=P("x")))(np.ones(2, F32))
    assert capsys.readouterr().out.splitlines() == ["first 4.0"] * 2 + ["second 1.0"] * 2


def test_shard_map_in_a_program_stands_in_the_program_of_a_device():
    mesh = line()
    inner = jax.shard_map(lambda v: lax.psum(v, "x"), mesh=mesh, in_specs=P("x"), out_specs=P())
    f = jax.jit(lambda x: inner(x * 2) + 1)
    x = put(np.arange(8, dtype=F32), "x")
    made = f.lower(x).partitioned()
    assert [(each.name, each.bytes) for each in made.collectives] == [("psum", 12)]
    assert_close(f(x), np.arange(8, dtype=F32).reshape(4, 2).sum(0) * 2 + 1)


def test_a_call_goes_the_short_way_while_its_arguments_are_where_they_were():
    f = jax.jit(lambda x: x * 2)
    value = np.arange(8, dtype=F32)
    x, whole = put(value, "x"), put(value)
    short = elsewhere_quick[-1]([x], f.trace(x))
    y = short([x])
    assert_close(y, value * 2)
    assert y.sharding.spec == P("x")
    assert short([whole]) is None
    assert short([jnp.asarray(value)]) is None
    assert elsewhere_quick[-1]([jax.device_put(value, jax.devices()[1])], f.trace(value)) is None
    x.delete()
    assert short([x]) is None
    with pytest.raises(RuntimeError, match="has been deleted"):
        f(x)


# ---- threads


def test_threads_take_all_of_the_work_and_give_it_in_order(monkeypatch):
    monkeypatch.setattr(threads, "_workers", [threads.Worker(), threads.Worker()])
    seen = set()

    def square(x):
        seen.add(threading.get_ident())
        assert alone.threads_aside.value > 0
        return x * x

    assert threads.side_by_side(square, range(200), threads.SMALL) == [x * x for x in range(200)]
    assert alone.threads_aside.value == 0
    assert threads.side_by_side(lambda x: threading.get_ident(), [1, 2], 0) == [threading.get_ident()] * 2


def test_an_error_on_one_device_is_raised_and_the_next_call_works(monkeypatch):
    monkeypatch.setattr(threads, "_workers", [threads.Worker()])
    for bad in range(4):

        def fail(x, bad=bad):
            if x == bad:
                raise ValueError(f"device {x}")
            return x

        with pytest.raises(ValueError, match=f"device {bad}"):
            threads.side_by_side(fail, range(4), threads.SMALL)
        assert threads.side_by_side(abs, range(4), threads.SMALL) == [0, 1, 2, 3]
    assert alone.threads_aside.value == 0


def test_an_interrupt_leaves_everything_usable(monkeypatch):
    monkeypatch.setattr(threads, "_workers", [threads.Worker()])
    caller = threading.get_ident()

    def interrupted(x):
        if threading.get_ident() == caller:
            signal.raise_signal(signal.SIGINT)
        return x

    with pytest.raises(KeyboardInterrupt):
        threads.side_by_side(interrupted, range(100), threads.SMALL)
    assert threads.side_by_side(abs, range(4), threads.SMALL) == [0, 1, 2, 3]
    assert alone.threads_aside.value == 0


def test_devices_side_by_side_compute_what_one_does(monkeypatch):
    monkeypatch.setattr(threads, "SMALL", 0)
    x, w = np.linspace(-1, 1, 64, dtype=F32).reshape(8, 8), np.eye(8, dtype=F32) * 2
    f = jax.jit(lambda x, w: jnp.tanh(x @ w).sum(0) + jnp.sin(x))
    assert_close(f(put(x, "x"), put(w)), f(x, w))


def test_an_error_in_a_callback_of_a_divided_program_is_raised():
    def bad(x):
        raise ValueError("not today")

    f = jax.jit(lambda x: jax.pure_callback(bad, jax.ShapeDtypeStruct((8,), F32), x))
    x = put(np.ones(8, F32), "x")
    with pytest.raises(Exception, match="not today"):
        f(x)
    assert_close(jax.jit(lambda x: x + 1)(x), np.full(8, 2, F32))


def test_programs_are_run_in_lockstep_for_some_devices_only():
    """As branches are that some devices take."""
    jaxpr = jax.make_jaxpr(lambda x: x * 2)(F32(0))
    args = [[np.array(x, F32)] for x in (1, 3)]
    assert run_in_lockstep(jaxpr, args, [{"x": 0}, {"x": 2}]) == [[2], [6]]
    assert isinstance(cut(jaxpr, [True], lambda eqn: False, lambda eqn: False)[0], Segment)
