"""Rules at points and in forms of their own: ties, zeros, what is refused."""

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax import lax


def test_the_derivative_by_a_scalar_bound_of_clamp_is_refused_as_in_jax():
    x = jnp.arange(3.0)
    with pytest.raises(TypeError, match=r"select cases must have the same shapes, got \[\(3,\), \(\)\]\."):
        jax.grad(lambda low: lax.clamp(low, x, 2.0).sum())(1.0)


def test_a_tie_shares_the_derivative():
    assert jax.grad(lax.max, argnums=(0, 1))(1.0, 1.0) == (0.5, 0.5)
    assert jax.grad(lax.min, argnums=(0, 1))(1.0, 2.0) == (1.0, 0.0)


def test_the_absolute_value_has_slope_one_at_zero():
    assert jax.grad(jnp.abs)(0.0) == 1.0
    assert jax.grad(jnp.abs)(-0.0) == 1.0


def test_a_whole_power_of_zero_has_no_slope():
    assert jax.grad(lambda x: lax.pow(x, 0))(0.0) == 0.0
    assert jax.grad(lambda x: x**0)(0.0) == 0.0


def test_where_keeps_the_nan_of_the_branch_that_is_not_taken():
    assert np.isnan(jax.grad(lambda x: jnp.where(x > 0, jnp.sqrt(x), 0.0))(0.0))


def test_a_quotient_is_not_transposed_by_its_divisor():
    with pytest.raises(RuntimeError, match="nonlinear div can't be transposed"):
        jax.linear_transpose(lambda x: x / x, 1.0)(1.0)


@pytest.mark.parametrize("fun", [lax.floor, lax.sign, lax.round])
def test_a_step_has_slope_zero(fun):
    out, tangent = jax.jvp(fun, (1.5,), (1.0,))
    assert tangent == 0.0
    assert tangent.dtype == out.dtype


def test_broadcasting_is_undone_by_a_sum():
    row, whole = jnp.ones((1, 3)), jnp.ones((2, 3))
    by_row, by_whole = jax.grad(lambda a, b: lax.mul(a, b).sum(), argnums=(0, 1))(row, whole)
    np.testing.assert_array_equal(by_row, [[2, 2, 2]])
    np.testing.assert_array_equal(by_whole, np.ones((2, 3)))


@pytest.mark.parametrize("dims", [(([1], [0]), ([], [])), (([2, 1], [1, 2]), ([0], [0])), (([], []), ([], []))])
def test_a_product_of_matrices_is_transposed_along_any_axes(dims):
    _, (batch, _) = dims
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, 3, 4)[: 2 + bool(batch)]).astype("float32")
    xs = x, np.swapaxes(x, -1, -2)

    def f(x, y):
        return lax.dot_general(x, y, dims)

    out, pull = jax.vjp(f, *xs)
    ct = rng.standard_normal(out.shape).astype("float32")
    for i, got in enumerate(pull(ct)):
        tangents = [np.zeros_like(x) for x in xs]
        tangents[i] = rng.standard_normal(xs[i].shape).astype("float32")
        pushed = jax.jvp(f, xs, tuple(tangents))[1]
        np.testing.assert_allclose(np.sum(ct * pushed), np.sum(got * tangents[i]), rtol=1e-4)
