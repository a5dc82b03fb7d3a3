"""vmap: which axes are mapped, and what a mapped function may do."""

import numpy as np
import pytest
from batches import assert_close

import minijax as jax
import minijax.numpy as jnp
from minijax import lax

X = jnp.arange(24.0).reshape(2, 3, 4)


@pytest.mark.parametrize("in_axis", range(-3, 3))
@pytest.mark.parametrize("out_axis", range(-3, 3))
def test_an_axis_goes_out_where_it_is_wanted(in_axis, out_axis):
    seen = []
    got = jax.vmap(lambda x: seen.append(x.shape) or jnp.sin(x), in_axes=in_axis, out_axes=out_axis)(X)
    assert seen == [tuple(np.delete(X.shape, in_axis))]
    assert_close(got, np.moveaxis(np.sin(X), in_axis, out_axis))


def test_trees_of_axes_are_prefixes_of_the_arguments():
    tree = {"w": X, "b": (X[0], 2.0)}
    axes = ({"w": 1, "b": (0, None)}, None)
    got = jax.vmap(lambda t, s: {"y": t["w"].sum() + t["b"][0].sum() + t["b"][1] * s}, in_axes=axes)(tree, 3.0)
    want = np.stack([X[:, i].sum() + X[0, i].sum() + 6.0 for i in range(3)])
    assert_close(got, {"y": want.astype("float32")})


def test_a_result_that_is_the_same_for_all_is_repeated_or_comes_out_once():
    f = lambda x: (x, jnp.ones(2))
    assert jax.vmap(f, out_axes=(0, 1))(X)[1].shape == (2, 2)
    assert jax.vmap(f, out_axes=(0, None))(X)[1].shape == (2,)


def test_arguments_by_name_are_mapped_along_their_first_axis():
    got = jax.vmap(lambda x, *, scale: x * scale, in_axes=1)(X[0].T, scale=jnp.arange(3.0))
    assert_close(got, np.asarray(X[0]) * np.arange(3, dtype="float32")[:, None])


def test_a_list_of_axes_is_a_tuple_of_axes():
    assert_close(jax.vmap(lambda x, y: x + y, in_axes=[0, None])(X, 1.0), X + 1)


def test_a_mapped_function_keeps_its_name_and_takes_closed_over_batches():
    def f(x):
        return jax.vmap(lambda y: x @ y)(X[0])

    assert jax.vmap(f).__name__ == "f"
    assert_close(jax.vmap(f)(X[0]), np.asarray(X[0]) @ np.asarray(X[0]).T)


def test_jit_traces_again_where_a_named_axis_has_another_size():
    mean = jax.jit(lambda x: lax.psum(x, "i") / lax.axis_size("i"))
    for n in (2, 5, 2):
        x = jnp.arange(float(n))
        assert_close(jax.vmap(mean, axis_name="i")(x), jnp.full(n, x.mean()))
    with pytest.raises(NameError, match="unbound axis name: i"):
        mean(1.0)


def test_an_inner_name_hides_an_outer_one():
    rows = jax.vmap(jax.vmap(lambda x: lax.psum(x, "i"), axis_name="i"), axis_name="i")(X[0])
    assert_close(rows, np.repeat(np.asarray(X[0]).sum(1, keepdims=True), 4, 1))


def test_jit_inside_and_outside_give_the_same():
    f = lambda x, y: jnp.tanh(x @ y) + x.sum()
    want = jax.vmap(f, (0, None))(X[0], X[0, 0])
    assert_close(jax.jit(jax.vmap(f, (0, None)))(X[0], X[0, 0]), want)
    assert_close(jax.vmap(jax.jit(f), (0, None))(X[0], X[0, 0]), want)


def test_a_mapped_gradient_is_the_gradient_of_each_example():
    loss = lambda w, x: jnp.log1p(jnp.exp(-(w * x).sum()))
    w = jnp.arange(4.0) / 4
    each = [jax.grad(loss)(w, x) for x in X[0]]
    assert_close(jax.jit(jax.vmap(jax.grad(loss), in_axes=(None, 0)))(w, X[0]), np.stack(each))
    total = jax.grad(lambda w: jax.vmap(loss, in_axes=(None, 0))(w, X[0]).sum())(w)
    assert_close(total, np.stack(each).sum(0))


def test_a_tracer_must_not_leave_its_function():
    kept = []
    jax.vmap(lambda x: kept.append(x) or x)(X)
    with pytest.raises(jax.errors.UnexpectedTracerError, match="wrapped in a BatchTracer to escape"):
        kept[0] + 1


def test_numpy_arrays_and_numbers_are_arguments_too():
    assert_close(jax.vmap(lambda x: x * 2)(np.arange(3)), jnp.arange(3) * 2)
    assert_close(jax.vmap(lambda x, y: x + y, (0, None))(np.arange(3.0, dtype="float32"), 1), jnp.arange(3.0) + 1)


def test_a_message_calls_the_function_in_which_a_stand_in_was_made_as_python_does():
    def branch(x):
        return 1.0 if x > 0 else 2.0

    with pytest.raises(jax.errors.TracerBoolConversionError, match=r"\(test_a_message_\w+\.<locals>\.branch\)"):
        jax.vmap(branch)(X[0, 0])


@pytest.mark.parametrize("f", [jnp.add, jnp.multiply, jnp.power, jnp.arctan2, jnp.less, lambda x, y: x - y])
def test_operands_that_do_not_fit_are_told_by_the_shapes_of_one_example(f):
    with pytest.raises(TypeError, match=r"shapes for broadcasting: \(3, 4\), \(4, 3\)"):
        jax.vmap(f)(X, X.swapaxes(1, 2))
    with pytest.raises(TypeError, match=r"shapes for broadcasting: \(4,\), \(3,\)"):
        jax.vmap(jax.vmap(f))(X[:, :2], X.swapaxes(1, 2)[:, :2])


def test_an_argument_with_axis_none_may_be_anything():
    thing = object()
    assert_close(
        jax.vmap(lambda x, f, s, o: f(x) if s == "f" and o is thing else x, (0, None, None, None))(
            X, jnp.sin, "f", thing
        ),
        np.sin(X),
    )
