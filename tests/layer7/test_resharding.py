"""Arrays divided anew, what `out_sharding=` means, and how results are divided along Auto axes."""

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.sharding import AxisType, NamedSharding, PartitionSpec as P, auto_axes, explicit_axes, reshard


def grid(kind=AxisType.Explicit):
    return jax.make_mesh((2, 2), ("x", "y"), axis_types=(kind,) * 2)


def put(mesh, *entries, shape=(4, 4)):
    return jax.device_put(np.arange(np.prod(shape), dtype=np.float32).reshape(shape), NamedSharding(mesh, P(*entries)))


def shown(x):
    return str(jax.typeof(x))


# ---- reshard


def test_reshard_changes_the_type_and_no_value():
    with jax.set_mesh(grid()):
        x = put(grid(), "x", "y")
        y = reshard(x, P(None, "x"))
    assert (shown(y), y.sharding.spec) == ("float32[4,4@x]", P(None, "x"))
    np.testing.assert_array_equal(y, x)
    assert [s.data.shape for s in y.addressable_shards] == [(4, 2)] * 4


def test_the_cotangent_of_a_reshard_is_divided_as_its_operand():
    with jax.set_mesh(grid()):
        x = put(grid(), "x", None)
        g = jax.grad(lambda x: (reshard(x, P(None, "y")) ** 2).sum())(x)
    assert shown(g) == "float32[4@x,4]"
    np.testing.assert_array_equal(g, 2 * np.asarray(x))


def test_a_batch_keeps_its_axis_through_a_reshard():
    with jax.set_mesh(grid()):
        out = jax.vmap(lambda r: reshard(r, P("y")))(put(grid(), "x", None))
    assert shown(out) == "float32[4@x,4@y]"


def test_reshard_refuses_what_types_do_not_show():
    with pytest.raises(ValueError, match="not under a mesh context"):
        reshard(np.ones(4), P("x"))
    with jax.set_mesh(grid(AxisType.Auto)), pytest.raises(ValueError, match="of type Auto or Manual"):
        reshard(np.ones(4), P("x"))
    with jax.set_mesh(grid()), pytest.raises(ValueError, match="Resource axis: q"):
        reshard(np.ones(4), P("q"))


# ---- out_sharding


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: jnp.zeros((4, 2), out_sharding=P("x")), "float32[4@x,2]"),
        (lambda: jnp.full((4,), 2.0, out_sharding=P(("x", "y"))), "~float32[4@(x,y)]"),
        (lambda: jnp.arange(4, out_sharding=P("y")), "int32[4@y]"),
        (lambda: jnp.arange(0.0, 8.0, 2.0, out_sharding=P("y")), "float32[4@y]"),
        (lambda: jnp.empty((4, 2), out_sharding=P(None, "y")), "float32[4,2@y]"),
        (lambda: jnp.broadcast_to(jnp.ones(2), (4, 2), out_sharding=P("x")), "float32[4@x,2]"),
        (lambda: jnp.ones((4, 4)).reshape(2, 8, out_sharding=P("x", "y")), "float32[2@x,8@y]"),
        (lambda: jnp.dot(jnp.ones((4, 2)), jnp.ones((2, 4)), out_sharding=P("x", "y")), "float32[4@x,4@y]"),
        (lambda: jax.random.normal(jax.random.key(0), (4, 2), out_sharding=P("x")), "float32[4@x,2]"),
        (lambda: jax.nn.one_hot(jnp.arange(4), 2, out_sharding=P("x")), "float32[4@x,2]"),
    ],
)  # fmt: skip
def test_a_result_is_divided_as_out_sharding_says(make, told):
    with jax.set_mesh(grid()):
        out = make()
        assert shown(out) == told
        assert str(jax.make_jaxpr(make)().out_avals[0]) == told
        assert len({str(s.index) for s in out.addressable_shards}) > 1


def test_a_sampler_is_told_how_by_a_sharding_only():
    with pytest.raises(TypeError, match="argument of bits only supports instances"):
        jax.random.bits(jax.random.key(0), out_sharding=1)


def test_a_gather_along_a_divided_axis_is_told_how():
    with jax.set_mesh(grid()):
        x = put(grid(), "x", "y")
        assert shown(x.at[jnp.array([0, 3])].get(out_sharding=P(None, "y"))) == "float32[2,4@y]"
        assert shown(x.at[0].get(out_sharding=P("y"))) == "float32[4@y]"


# ---- with_sharding_constraint


def test_a_constraint_along_auto_axes_places_the_result():
    mesh = grid(AxisType.Auto)
    f = jax.jit(lambda x: lax.with_sharding_constraint(x * 2, NamedSharding(mesh, P("x"))))
    out = f(np.arange(4, dtype=np.float32))
    assert out.sharding == NamedSharding(mesh, P("x"))
    np.testing.assert_array_equal(f(np.arange(4, dtype=np.float32)), [0, 2, 4, 6])


def test_a_constraint_along_explicit_axes_is_an_assertion():
    with jax.set_mesh(grid()):
        x = put(grid(), "x", None)
        assert lax.with_sharding_constraint(x, P("x", None)) is x
        with pytest.raises(AssertionError, match="acts as an assert"):
            lax.with_sharding_constraint(x, P("y", None))


@pytest.mark.parametrize(
    ("sharding", "error", "message"),
    [
        (lambda mesh: P("x"), RuntimeError, "requires a non-empty mesh in context"),
        (lambda mesh: 3, TypeError, "but got 3"),
        (lambda mesh: NamedSharding(mesh, P(None, "x")), ValueError, "valid for values of rank at least 2"),
        (lambda mesh: NamedSharding(mesh, P("x")), ValueError, "partitioned 2 times, but the dimension size is 3"),
    ],
)
def test_a_constraint_that_does_not_fit_is_refused(sharding, error, message):
    with pytest.raises(error, match=message):
        lax.with_sharding_constraint(np.ones(3), sharding(grid(AxisType.Auto)))


# ---- functions where axes are of another type


def test_auto_axes_hide_what_types_show():
    seen = []

    def loose(v):
        seen.append(shown(v))
        return v[0] + v.sum(0)

    with jax.set_mesh(grid()):
        x = put(grid(), "x", "y")
        assert shown(auto_axes(loose, out_sharding=P("y"))(x)) == "float32[4@y]"
        assert shown(auto_axes(loose, axes="x")(x, out_sharding=P("y"))) == "float32[4@y]"
        with pytest.raises(TypeError, match="Missing required keyword argument: 'out_sharding'"):
            auto_axes(loose)(x)
    assert seen == ["float32[4,4]", "float32[4,4@y]"]


def test_explicit_axes_show_what_types_hide():
    seen = []
    with jax.set_mesh(grid(AxisType.Auto)):
        out = explicit_axes(lambda v: (seen.append(shown(v)), v * 2)[1], in_sharding=P("x"))(
            np.ones((4, 2), np.float32)
        )
    assert (seen, shown(out)) == (["float32[4@x,2]"], "float32[4,2]")


# ---- jit


def test_a_program_is_traced_again_in_another_mesh():
    seen = []
    f = jax.jit(lambda x: seen.append(shown(x)) or jnp.zeros(4) + x)
    f(np.ones(4, np.float32))
    with jax.set_mesh(grid()):
        f(np.ones(4, np.float32))
        assert "ctx_mesh=Mesh('x': 2, 'y': 2, axis_types=(Explicit, Explicit))" in str(jax.make_jaxpr(f)(np.ones(4)))
    f(np.ones(4, np.float32))
    assert len(seen) == 2


def test_in_and_out_shardings_place_arguments_and_results():
    mesh = grid()
    with jax.set_mesh(mesh):
        f = jax.jit(lambda x: x * 2, in_shardings=P("x"), out_shardings=P("y"))
        out = f(np.ones(4, np.float32))
        assert (shown(out), out.sharding.spec) == ("float32[4@y]", P("y"))
        assert str(jax.make_jaxpr(f)(np.ones(4, np.float32)).out_avals[0]) == "float32[4@y]"
        with pytest.raises(ValueError, match="does not match the sharding on the respective arg"):
            f(put(mesh, "y", shape=(4,)))
    with pytest.raises(RuntimeError, match="jit requires a non-empty mesh in context"):
        f(np.ones(4, np.float32))


@pytest.mark.parametrize(
    ("f", "told"),
    [
        (lambda x: x + 1, P("x", "y")),
        (lambda x: x.sum(0), P("y")),
        (lambda x: x.T, P("y", "x")),
        (lambda x: x @ x.T, P("x")),
        (lambda x: x[0], P("y")),
        (lambda x: x[:, 1], P("x")),
        (lambda x: jnp.sort(x, 0), P("x", "y")),
        (lambda x: lax.scan(lambda c, r: (c + r, c * r), jnp.zeros(4), x)[1], P(None, "y")),
        (lambda x: lax.fori_loop(0, 3, lambda i, c: c * 2, x), P("x", "y")),
        (lambda x: lax.cond(True, lambda v: v * 2, lambda v: v, x), P("x", "y")),
        (lambda x: lax.with_sharding_constraint(x.T, P("x")), P("x")),
    ],
)
def test_along_auto_axes_results_are_divided_as_their_operands(f, told):
    mesh = grid(AxisType.Auto)
    x = put(mesh, "x", "y")
    with jax.set_mesh(mesh):
        out = jax.jit(f)(x)
        assert out.sharding.spec == told
        assert shown(out) == f"float32[{','.join(map(str, out.shape))}]"
        np.testing.assert_allclose(out, jax.jit(f)(np.asarray(x)))


def test_a_constraint_speaks_of_auto_axes_only():
    mixed = jax.make_mesh((2, 2), ("x", "y"), axis_types=(AxisType.Explicit, AxisType.Auto))
    for one in (jax.make_mesh((2, 2), ("x", "y")), mixed):
        x = jax.device_put(np.ones((4, 4), np.float32), NamedSharding(one, P("x")))
        with pytest.raises(ValueError, match=r"can only refer to Auto axes of the mesh.*meant to use `reshard`"):
            jax.lax.with_sharding_constraint(x, NamedSharding(one, P("x")))
        free = jax.lax.with_sharding_constraint(x, NamedSharding(one, P()))
        assert np.array_equal(free, x)
    with jax.set_mesh(mixed):
        x = jax.device_put(np.ones((4, 4), np.float32), P("x"))
        assert jax.lax.with_sharding_constraint(x, P(None, "y")).shape == (4, 4)
        with pytest.raises(ValueError, match="can only refer to Auto axes of the mesh"):
            jax.lax.with_sharding_constraint(x, P("x"))
