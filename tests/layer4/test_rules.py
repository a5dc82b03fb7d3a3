"""Rules at points and in forms of their own: ties, zeros, what is refused."""

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
import minijax.scipy.special as jsp
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


# ---- what is refused, in JAX's words


def test_a_product_scattered_to_places_that_may_be_equal_is_refused():
    x, i = jnp.arange(3.0), jnp.array([0, 0])
    with pytest.raises(NotImplementedError, match="scatter_mul gradients are only implemented"):
        jax.grad(lambda u: x.at[i].multiply(u).sum())(jnp.ones(2))


def test_scatter_apply_is_refused():
    with pytest.raises(NotImplementedError, match="scatter_apply JVP not implemented"):
        jax.grad(lambda x: x.at[0].apply(jnp.sin).sum())(jnp.ones(2))


def test_a_reduction_from_a_start_that_moves_is_refused():
    with pytest.raises(NotImplementedError, match="non-zero tangents for initial values to reduction"):
        jax.grad(lambda v: lax.reduce(jnp.ones(3), v, lambda a, b: a + b * b, (0,)))(1.0)


def test_a_window_that_is_dilated_has_no_way_back_for_maxima():
    window = dict(window_dimensions=(2,), window_dilation=(2,))
    f = lambda x: lax.reduce_window(x, -jnp.inf, lax.max, **window).sum()
    with pytest.raises(NotImplementedError, match=r"\(MaxPool\) with window dilation, got window_dilation=\(2,\)\."):
        jax.grad(f)(jnp.arange(4.0))


@pytest.mark.parametrize(("argnum", "what"), [(0, "a and b"), (1, "a and b")])
def test_parameters_of_betainc_are_refused(argnum, what):
    with pytest.raises(ValueError, match=f"Betainc gradient with respect to {what} not supported."):
        jax.grad(lax.betainc, argnums=argnum)(0.5, 0.5, 0.5)


def test_eigenvectors_ask_for_a_promise():
    with pytest.raises(NotImplementedError, match="Derivatives of non-symmetric eigenvectors are only valid under"):
        jax.jvp(lax.linalg.eig, (jnp.eye(2),), (jnp.eye(2),))


def test_full_singular_vectors_are_refused():
    with pytest.raises(NotImplementedError, match="Singular value decomposition JVP not implemented for full matrices"):
        jax.jvp(lax.linalg.svd, (jnp.ones((2, 3)),), (jnp.ones((2, 3)),))


def test_a_callback_cannot_be_differentiated_and_a_debug_callback_is_only_called():
    x, seen = jnp.arange(2.0), []
    with pytest.raises(ValueError, match="Pure callbacks do not support JVP"):
        jax.grad(lambda x: jax.pure_callback(np.sin, x, x).sum())(x)
    jax.grad(lambda x: (jax.debug.callback(seen.append, x), (x * x).sum())[1])(x)
    np.testing.assert_array_equal(seen, [x])


@pytest.mark.parametrize("fun", [lax.nextafter, lax.zeta, lax.igamma_grad_a])
def test_what_jax_has_no_derivative_of_has_none_here(fun):
    with pytest.raises(NotImplementedError, match=f"Differentiation rule for '{fun.__name__}' not implemented"):
        jax.grad(fun)(1.5, 2.0)


# ---- values of their own


def test_what_is_read_outside_of_an_array_has_slope_zero():
    x, i = jnp.arange(3.0), jnp.array([1, 7])
    out, tangent = jax.jvp(lambda x: jnp.take(x, i), (x,), (x + 1,))
    np.testing.assert_array_equal(out, [1, np.nan])
    np.testing.assert_array_equal(tangent, [2, 0])
    np.testing.assert_array_equal(jax.grad(lambda x: jnp.take(x, i)[0])(x), [0, 1, 0])


def test_of_updates_for_one_place_only_the_one_that_stays_gets_the_cotangent():
    i, u = jnp.array([1, 1, 0]), jnp.arange(1.0, 4.0)
    out, pull = jax.vjp(lambda x, u: x.at[i].set(u), jnp.zeros(3), u)
    by_x, by_u = pull(jnp.array([10.0, 20.0, 30.0]))
    np.testing.assert_array_equal(by_x, [0, 0, 30])
    winner = int(out[1]) - 1
    np.testing.assert_array_equal(by_u, [20 * (winner == 0), 20 * (winner == 1), 10])


def test_a_function_of_scipys_has_the_slope_of_its_values():
    n, m, phi = jnp.array([2]), jnp.array([1]), jnp.array([0.3])
    f = lambda theta: jnp.abs(jsp.sph_harm_y(n, m, theta, phi, n_max=2)).sum()
    with jax.enable_x64(True):
        ahead, behind = f(np.array([0.5 + 1e-6])), f(np.array([0.5 - 1e-6]))
        np.testing.assert_allclose(jax.grad(f)(np.array([0.5]))[0], (ahead - behind) / 2e-6, rtol=1e-7)


def test_a_copy_is_transposed_to_a_copy_back():
    device = jax.devices()[0]
    program = jax.make_jaxpr(jax.grad(lambda x: jax.device_put(x, device).sum()))(jnp.ones(2))
    copies = [eqn.params for eqn in program.eqns if eqn.primitive.name == "device_put"]
    assert [(p["devices"], p["srcs"]) for p in copies] == [((device,), (None,)), ((None,), (device,))]
