"""Collectives: what a mapped function says of all examples is what is so along the batch axis."""

import numpy as np
import pytest
from batches import assert_close

import minijax as jax
import minijax.numpy as jnp
from minijax import lax

X = jnp.arange(24.0).reshape(4, 2, 3)
Y = jnp.sin(jnp.arange(16.0)).reshape(4, 4)


def along(f, x=X, **options):
    return jax.vmap(f, axis_name="i", **options)(x)


@pytest.mark.parametrize("name, reduced", [("psum", np.sum), ("pmean", np.mean), ("pmax", np.max), ("pmin", np.min)])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_reduction_along_the_axis_is_the_same_for_all(name, reduced, axis):
    got = along(lambda x: getattr(lax, name)(x, "i"), in_axes=axis, out_axes=None)
    assert_close(got, reduced(np.asarray(X), axis).astype("float32"))


def test_two_axes_are_reduced_together_or_one_by_one():
    both = lambda f: jax.vmap(jax.vmap(f, axis_name="j"), axis_name="i")(X)
    assert_close(both(lambda x: lax.psum(x, ("i", "j"))), both(lambda x: lax.psum(lax.psum(x, "i"), "j")))
    assert_close(both(lambda x: lax.pmax(x, ("j", "i"))), np.broadcast_to(np.asarray(X).max((0, 1)), X.shape))


def test_each_example_knows_its_place():
    assert along(lambda x: lax.axis_index("i")).tolist() == [0, 1, 2, 3]
    grid = jax.vmap(jax.vmap(lambda x: lax.axis_index(("i", "j")), axis_name="j"), axis_name="i")(X)
    assert grid.tolist() == [[0, 1], [2, 3], [4, 5], [6, 7]]


def test_examples_are_permuted_gathered_and_exchanged():
    perm = [2, 0, 3, 1]
    assert_close(along(lambda x: lax.pshuffle(x, "i", perm)), np.asarray(X)[perm])
    assert_close(along(lambda x: lax.ppermute(x, "i", [(s, d) for d, s in enumerate(perm)])), np.asarray(X)[perm])
    assert_close(along(lambda x: lax.pbroadcast(x, "i", 1)), np.stack([X[1]] * 4))
    assert_close(along(lambda x: lax.all_gather(x, "i", axis=1), out_axes=None), np.moveaxis(np.asarray(X), 0, 1))
    assert_close(along(lambda x: lax.all_to_all(x, "i", 0, 0), Y), np.asarray(Y).T)
    assert_close(along(lambda x: lax.psum_scatter(x, "i"), Y), np.asarray(Y).sum(0))


def test_all_to_all_undoes_itself():
    x = jnp.arange(4 * 4 * 4.0).reshape(4, 4, 4)
    there_and_back = lambda v: lax.all_to_all(lax.all_to_all(v, "i", 0, 1), "i", 1, 0)
    assert_close(along(there_and_back, x), x)


LINEAR = {
    "psum": lambda x: lax.psum(x, "i"),
    "pmean": lambda x: lax.pmean(x, "i"),
    "ppermute": lambda x: lax.ppermute(x, "i", [(0, 2), (1, 0), (2, 3), (3, 1)]),
    "all_gather": lambda x: lax.all_gather(x, "i"),
    "all_gather tiled": lambda x: lax.all_gather(x, "i", tiled=True),
    "psum_scatter": lambda x: lax.psum_scatter(x, "i"),
    "psum_scatter tiled": lambda x: lax.psum_scatter(x, "i", tiled=True),
    "all_to_all": lambda x: lax.all_to_all(x[:, None], "i", 0, 1),
}


@pytest.mark.parametrize("name", LINEAR)
def test_the_cotangents_of_a_batch_are_those_of_the_transposed_matrix(name):
    f = lambda x: along(LINEAR[name], x)
    out, pull = jax.vjp(f, Y)
    ct = jnp.cos(jnp.arange(float(out.size))).reshape(out.shape)
    _, pushed = jax.jvp(f, (Y,), (Y * 2,))
    np.testing.assert_allclose((ct * pushed).sum(), (pull(ct)[0] * Y * 2).sum(), rtol=1e-4)
    assert_close(jax.jit(f)(Y), out)


@pytest.mark.parametrize("name", LINEAR)
def test_a_collective_of_one_axis_is_mapped_along_another(name):
    x = jnp.stack([Y, Y * 2, Y * 3], 1)  # [i, j, N]
    f = jax.vmap(LINEAR[name], axis_name="j")  # along j first, then along i
    got = jax.vmap(f, axis_name="i")(x)
    want = jnp.stack([along(LINEAR[name], x[:, j]) for j in range(3)], 1)
    assert_close(got, want)
    turned = jax.vmap(jax.vmap(LINEAR[name], in_axes=-1, out_axes=-1), axis_name="i")(jnp.moveaxis(x, 1, -1))
    assert_close(jnp.moveaxis(turned, -1, 1), want)


@pytest.mark.parametrize("order", [("i", "j"), ("j", "i")])
def test_all_to_all_over_two_axes_is_one_over_their_product(order):
    x = jnp.arange(2 * 3 * 6.0).reshape(2, 3, 6)
    inner, outer = ("j", "i") if order == ("i", "j") else ("i", "j")
    x = x if order == ("i", "j") else jnp.arange(36.0).reshape(2, 3, 6)
    f = lambda v: lax.all_to_all(v, order, 0, 0, tiled=True)
    got = jax.vmap(jax.vmap(f, axis_name=inner), axis_name=outer)(x)
    flat = jax.vmap(lambda v: lax.all_to_all(v, "k", 0, 0, tiled=True), axis_name="k")(x.reshape(6, 6))
    assert_close(got, flat.reshape(2, 3, 6))


def test_a_program_with_named_axes_can_be_printed_and_not_run():
    jaxpr = jax.make_jaxpr(lambda x: lax.psum(x, "i"), axis_env=[("i", 4)])(1.0)
    assert str(jaxpr.eqns[0].primitive) == "psum"
    with pytest.raises(NameError, match="unbound axis name"):
        jax.core.eval_jaxpr(jaxpr, jaxpr.consts, 1.0)
