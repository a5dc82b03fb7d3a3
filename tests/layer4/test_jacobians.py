"""Matrices of derivatives."""

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp

X = jnp.array([1.0, 2.0, -3.0])


def f(x, y):
    return {"cubes": x**3 * y, "sum": x.sum()}


@pytest.mark.parametrize("jacobian", [jax.jacfwd, jax.jacrev])
def test_a_jacobian_has_the_axes_of_the_result_and_then_of_the_argument(jacobian):
    got = jacobian(f, argnums=(0, 1))(X, 2.0)
    np.testing.assert_allclose(got["cubes"][0], np.diag(6 * np.square(X)))
    np.testing.assert_allclose(got["cubes"][1], np.asarray(X) ** 3)
    np.testing.assert_allclose(got["sum"][0], np.ones(3))
    assert got["sum"][1] == 0.0


@pytest.mark.parametrize("jacobian", [jax.jacfwd, jax.jacrev])
def test_a_jacobian_of_arrays_of_several_axes(jacobian):
    x = jnp.arange(6.0).reshape(2, 3)
    got = jacobian(lambda x: x.T * 2)(x)
    assert got.shape == (3, 2, 2, 3)
    np.testing.assert_array_equal(got, 2 * np.eye(6).reshape(2, 3, 2, 3).transpose(1, 0, 2, 3))


@pytest.mark.parametrize("jacobian", [jax.jacfwd, jax.jacrev])
def test_a_jacobian_of_nothing_is_empty(jacobian):
    assert jacobian(lambda x: x * 2)(jnp.zeros(0)).shape == (0, 0)


@pytest.mark.parametrize("jacobian", [jax.jacfwd, jax.jacrev])
def test_a_jacobian_hands_through_what_comes_beside_the_value(jacobian):
    got, aux = jacobian(lambda x: (x * x, x + 1), has_aux=True)(2.0)
    assert (got, aux) == (4.0, 3.0)


def test_the_hessian_is_the_matrix_of_second_derivatives():
    got = jax.hessian(lambda x: (x**3).sum() + x[0] * x[1])(X)
    np.testing.assert_allclose(got, [[6, 1, 0], [1, 12, 0], [0, 0, -18]])


def test_a_holomorphic_jacobian():
    got = jax.jacfwd(lambda z: z * z, holomorphic=True)(jnp.array([1 + 1j]))
    np.testing.assert_allclose(got, [[2 + 2j]])


@pytest.mark.parametrize("jacobian", [jax.jacfwd, jax.jacrev])
def test_a_jacobian_by_integers_is_refused(jacobian):
    with pytest.raises(TypeError, match=f"{jacobian.__name__} requires real"):
        jacobian(lambda x: x * 2)(3)
