"""shard_map: what each device computes, what its type says, and what is refused."""

import numpy as np
import pytest
from collective_programs import BLOCKS, COLLECTIVES
from compared import assert_close, assert_same

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.layer1_core.jaxpr import check_jaxpr
from minijax.layer7_sharding.shard_map import inside_of
from minijax.sharding import AxisType, NamedSharding, PartitionSpec as P
from ops import CASES

F32 = np.float32


def line(n=4, kind=AxisType.Auto):
    return jax.make_mesh((n,), ("x",), axis_types=(kind,))


def grid():
    return jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)


PARTS = P("x")


def on_each(f, in_specs=PARTS, out_specs=PARTS, mesh=None, **options):
    return jax.shard_map(f, mesh=mesh or line(), in_specs=in_specs, out_specs=out_specs, **options)


# ---- the same as without


@pytest.mark.parametrize("case", CASES[::3], ids=str)
def test_what_all_devices_have_is_computed_as_on_one(case):
    args = [*map(jnp.asarray, case.values())]
    got = on_each(case.fun, in_specs=P(), out_specs=P(), mesh=line(2), check_vma=False)(*args)
    assert_close(got, case.fun(*args))


REFUSED_BY_VMAP = {"psum_in_groups", "pmax_in_groups", "all_to_all_in_groups", "ppermute_of_some"}


@pytest.mark.parametrize("name", [name for name in COLLECTIVES if name not in REFUSED_BY_VMAP])
def test_a_collective_gives_each_device_what_vmap_gives_each_example(name):
    f = COLLECTIVES[name]
    want = jax.vmap(f, axis_name="x")(BLOCKS)
    got = on_each(lambda v: f(v[0])[None], check_vma=False)(BLOCKS)
    np.testing.assert_allclose(got, want, rtol=1e-6)
    np.testing.assert_allclose(jax.jit(on_each(lambda v: f(v[0])[None], check_vma=False))(BLOCKS), want, rtol=1e-6)


def test_a_device_to_which_nothing_is_sent_gets_zeros():
    f = on_each(lambda v: lax.ppermute(v, "x", [(0, 1), (3, 2)]))
    np.testing.assert_array_equal(f(np.arange(4, dtype=F32)), [0, 0, 3, 0])


def test_collectives_along_two_axes_count_devices_by_the_first():
    x = np.arange(8, dtype=F32)
    index = on_each(lambda v: lax.axis_index(("x", "y"))[None] + 0 * v, P(("x", "y")), P(("x", "y")), grid())(x)
    np.testing.assert_array_equal(index, x)
    gathered = on_each(lambda v: lax.all_gather(v, ("y", "x"), tiled=True), P(("x", "y")), P(("x", "y")), grid())(x)
    np.testing.assert_array_equal(gathered[:8], x.reshape(4, 2).T.ravel())


def test_branches_may_differ_between_devices():
    f = on_each(lambda v: lax.cond(lax.axis_index("x") % 2 == 0, lambda: v * 2, lambda: -v), check_vma=False)
    np.testing.assert_array_equal(f(np.arange(4, dtype=F32)), [0, -1, 4, -3])


def test_a_loop_with_collectives_goes_on_for_all_or_none():
    body = lambda c: c + lax.psum(c, "x")
    f = on_each(lambda v: lax.while_loop(lambda c: c[0] < 3, body, v), check_vma=False)
    with pytest.raises(RuntimeError, match="must go on for all devices alike"):
        f(np.arange(4, dtype=F32))


# ---- types


def test_types_say_along_which_axes_values_vary():
    seen = []

    def body(v, w):
        seen.extend(map(str, map(jax.typeof, (v, w, v * w, lax.psum(v, "y"), lax.psum(v, ("x", "y"))))))
        return v

    on_each(body, (P("x", "y"), P()), P("x", "y"), grid())(np.ones((8, 4), F32), np.float32(2))
    told = ["[2,2]{V:(x,y)}", "[]", "[2,2]{V:(x,y)}", "[2,2]{V:x}", "[2,2]"]
    assert seen == [f"float32{shape}" for shape in told]


def test_results_vary_along_the_axes_that_their_specs_name():
    f = on_each(lambda v: (lax.psum(v, "x"), v, lax.psum(v, "x")), P("x"), (P("x"), P(("x", "y")), P()), grid())
    program = jax.make_jaxpr(f)(np.ones(8, F32)).eqns[-1].params["jaxpr"]
    assert [sorted(aval.vma) for aval in program.out_avals] == [["x"], ["x", "y"], []]
    assert [eqn.params["axes"] for eqn in program.eqns if eqn.primitive.name == "pvary"] == [("x",), ("y",)]
    np.testing.assert_array_equal(f(np.arange(8, dtype=F32))[0], [12, 16] * 4)


@pytest.mark.parametrize("name", [name for name in COLLECTIVES if name != "psum_in_groups"])
def test_the_program_of_a_device_is_well_typed(name):
    f = COLLECTIVES[name]
    made = jax.make_jaxpr(on_each(lambda v: lax.pcast(0.0, "x", to="varying") + f(v[0])[None]))(BLOCKS)
    with inside_of(made.eqns[-1].params):
        check_jaxpr(made.eqns[-1].params["jaxpr"])


def test_partly_manual_functions_see_whole_axes_otherwise():
    f = on_each(lambda v: lax.psum(v, "x"), P("x"), P(), grid(), axis_names={"x"})
    x = np.arange(32, dtype=F32).reshape(8, 4)
    np.testing.assert_array_equal(f(x), x.reshape(4, 2, 4).sum(0))
    with pytest.raises(NameError, match="unbound axis name: y"):
        on_each(lambda v: lax.psum(v, "y"), P("x"), P("x"), grid(), axis_names={"x"})(x)


def test_on_explicit_axes_the_types_of_arguments_are_the_specs():
    mesh = line(kind=AxisType.Explicit)
    x = jax.device_put(np.arange(8, dtype=F32), NamedSharding(mesh, P("x")))
    with jax.set_mesh(mesh):
        out = jax.shard_map(lambda v: v * 2, out_specs=P("x"))(x)
    assert str(jax.typeof(out)) == "float32[8@x]"
    with pytest.raises(ValueError, match="does not match the specs of the input"):
        on_each(lambda v: v, mesh=mesh)(np.arange(8, dtype=F32))


def test_a_value_from_outside_is_one_that_all_devices_have():
    c = jnp.arange(2.0)
    np.testing.assert_array_equal(on_each(lambda v: v + c)(np.zeros(8, F32)), [0, 1] * 4)
    np.testing.assert_array_equal(jax.jit(lambda y: on_each(lambda v: v + y)(np.zeros(8, F32)))(c), [0, 1] * 4)


def test_results_are_where_the_specs_say():
    out = on_each(lambda v: (v, lax.psum(v, "x")), out_specs=(P("x"), P()))(np.arange(8, dtype=F32))
    assert [x.sharding.spec for x in out] == [P("x"), P()]
    assert [s.data.shape for s in out[0].addressable_shards] == [(2,)] * 4


# ---- derivatives and batches

SUMS = {
    "sum": lambda w, v: lax.psum((jnp.sin(v) * w).sum(), "x"),
    "product": lambda w, v: lax.pmean((v * w * lax.psum(v.sum(), "x")).sum(), "x"),
    "gathered": lambda w, v: lax.psum((lax.all_gather(v, "x", tiled=True) * w).sum(), "x"),
    "permuted": lambda w, v: lax.psum((lax.ppermute(v, "x", [(0, 1), (1, 0)]) * v * w).sum(), "x"),
    "scanned": lambda w, v: lax.psum(lax.scan(lambda c, r: (c * r + w, c), v[0], v)[0], "x"),
    "jitted": lambda w, v: lax.psum(jax.jit(lambda a: jnp.cos(a * w).sum())(v), "x"),
}


@pytest.mark.parametrize("checked", [True, False])
@pytest.mark.parametrize("name", SUMS)
def test_gradients_are_finite_differences(name, checked):
    f = on_each(SUMS[name], (P(), P("x")), P(), check_vma=checked)
    w, v = np.float32(0.7), np.linspace(-1, 1, 8, dtype=F32)
    for run in (lambda g: g, jax.jit):
        by_w, by_v = run(jax.grad(f, (0, 1)))(w, v)
        eps, e = 1e-2, np.eye(8, dtype=F32)[3] * F32(1e-2)
        np.testing.assert_allclose(by_w, (f(w + eps, v) - f(w - eps, v)) / (2 * eps), rtol=3e-3, atol=1e-3)
        np.testing.assert_allclose(by_v[3], (f(w, v + e) - f(w, v - e)) / (2 * eps), rtol=3e-3, atol=1e-3)
    _, tangent = jax.jvp(f, (w, v), (np.float32(1), np.zeros(8, F32)))
    np.testing.assert_allclose(tangent, by_w, rtol=1e-5, atol=1e-6)


def test_a_gradient_inside_sums_over_devices_that_have_the_same():
    f = on_each(lambda w, v: jax.grad(lambda w: (w * v).sum())(w), (P(), P("x")), P())
    np.testing.assert_allclose(f(np.float32(2), np.arange(8, dtype=F32)), 28.0)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_batch_is_a_stack_of_calls(axis):
    f = on_each(lambda v: (v * lax.psum(v.sum(), "x"), lax.psum(v, "x")), out_specs=(P("x"), P()))
    xs = np.arange(3 * 8 * 2, dtype=F32).reshape(3, 8, 2)
    got = jax.vmap(f, in_axes=axis)(np.moveaxis(xs, 0, axis))
    for k in range(3):
        assert_same([x[k] for x in got], f(xs[k]))


# ---- what does not fit


@pytest.mark.parametrize(
    ("specs", "shape", "message"),
    [
        ((P("x"), P("x")), (6,), "4 does not evenly divide 6"),
        ((P("x", None), P("x")), (8,), "an in_specs entry which is too long"),
        ((P("x"), P(None, "x")), (8,), "an out_specs entry which is too long"),
        ((P("q"), P()), (8,), "in_specs refers to 'q'"),
        ((P("x"), P()), (8,), "could not infer replication over any axes"),
        ((P("x"), (P(), P())), (8,), "different types at key path"),
    ],
)
def test_specs_that_do_not_fit_are_refused(specs, shape, message):
    with pytest.raises(ValueError, match=message):
        on_each(lambda v: v, *specs)(np.ones(shape, F32))


def test_what_is_no_spec_or_no_mesh_is_refused():
    with pytest.raises(TypeError, match=r"must be a pytree of `jax\.sharding.PartitionSpec`"):
        on_each(lambda v: v, 3)(np.ones(8, F32))
    with pytest.raises(TypeError, match="instance for its second argument, but got 3"):
        on_each(lambda v: v, mesh=3)(np.ones(8, F32))
    with pytest.raises(ValueError, match="context mesh cannot be empty"):
        jax.shard_map(lambda v: v, out_specs=P())(np.ones(8, F32))
    with pytest.raises(ValueError, match="incompatible devices"):
        on_each(lambda v: v)(jax.device_put(np.ones(8, F32), jax.devices()[3]))


def test_only_what_is_the_same_for_all_can_be_cast_to_varying():
    with pytest.raises(ValueError, match="Unsupported pcast from=varying, to='varying'"):
        on_each(lambda v: lax.pcast(v, "x", to="varying"))(np.ones(8, F32))
    with pytest.raises(ValueError, match=r"pvary should be called under jax\.shard_map"):
        lax.pcast(np.ones(8, F32), "x", to="varying")
    with pytest.raises(ValueError, match=r"pvary should be called under jax\.shard_map"):
        jax.vmap(lambda v: lax.pcast(v, "x", to="varying"), axis_name="x")(np.ones(8, F32))


def test_a_carry_must_vary_as_it_comes_out():
    with pytest.raises(TypeError, match=r"pcast\(..., \('x',\), to='varying'\)`, to the initial carry"):
        on_each(lambda v: lax.scan(lambda c, r: (c + r, c), 0.0, v)[1])(np.ones(8, F32))
