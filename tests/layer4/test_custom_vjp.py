"""Functions that bring a rule for reverse mode, under everything else."""

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.extend.core import check_jaxpr


@jax.custom_vjp
def tripled(x, y):
    """sin(x) y, whose rule says three times the derivative."""
    return jnp.sin(x) * y


tripled.defvjp(
    lambda x, y: (tripled(x, y), (x, y)), lambda r, ct: (3 * ct * jnp.cos(r[0]) * r[1], 3 * ct * jnp.sin(r[0]))
)
TRUE = 3 * np.cos(1.0) * 2.0, 3 * np.sin(1.0)


def under_scan(x, y):
    return lax.scan(lambda c, _: (c, tripled(*c)), (x, y), None, length=1)[1][0]


SURROUNDINGS = {
    "alone": tripled,
    "jit": jax.jit(tripled),
    "jit of jit": jax.jit(lambda x, y: jax.jit(tripled)(x, y)),
    "cond": lambda x, y: lax.cond(x > 0, tripled, lambda x, y: x, x, y),
    "scan": under_scan,
    "checkpoint": jax.checkpoint(tripled),
    "checkpoint of jit": jax.checkpoint(jax.jit(tripled)),
    "another custom_vjp's fwd": lambda x, y: tripled(x, y) + 0.0 * y,
}


@pytest.mark.parametrize("f", SURROUNDINGS.values(), ids=SURROUNDINGS.keys())
def test_the_rule_is_the_derivative_wherever_the_function_stands(f):
    both = jax.grad(f, (0, 1))
    check_jaxpr(jax.make_jaxpr(both)(1.0, 2.0))
    for grad in (both, jax.jit(both), lambda x, y: jax.vjp(f, x, y)[1](1.0)):
        np.testing.assert_allclose(grad(1.0, 2.0), TRUE, rtol=1e-6)


def test_the_rule_may_be_differentiated_again():
    assert np.isclose(jax.grad(jax.grad(tripled))(1.0, 2.0), -3 * np.sin(1.0) * 2.0)


def test_residuals_may_be_any_tree():
    f = jax.custom_vjp(lambda x: {"a": x * 2})
    f.defvjp(lambda x: (f(x), {"one": [x, None], "two": (jnp.sin(x),)}), lambda r, ct: (ct["a"] * r["two"][0],))
    assert jax.grad(lambda x: f(x)["a"])(1.0) == jnp.sin(1.0)


def test_results_that_nobody_uses_have_zero_cotangents_and_are_dropped():
    seen = []
    f = jax.custom_vjp(lambda x: (x * 2, x * 3))
    f.defvjp(lambda x: (f(x), None), lambda r, ct: (seen.append(ct[1]), (ct[0] * 7,))[1])
    g = jax.jit(jax.grad(jax.jit(lambda x: f(x)[0])))
    assert g(1.0) == 7.0
    assert jax.grad(lambda x: f(x)[0])(1.0) == 7.0
    assert seen[-1] == 0.0


def test_a_rule_that_is_left_with_some_of_its_results_still_takes_cotangents_of_all():
    f = jax.custom_vjp(lambda x: (x * 2, x * 3))
    f.defvjp(lambda x: (f(x), f(x)[0]), lambda double, ct: (ct[0] * double + ct[1],))
    assert jax.grad(jax.grad(jax.jit(lambda x: f(x)[0])))(5.0) == 10.0


def test_a_closed_over_value_is_not_differentiated_silently():
    def outer(a, x):
        g = jax.custom_vjp(lambda x: a * x)
        g.defvjp(lambda x: (g(x), x), lambda x, ct: (ct * 3,))
        return g(x)

    assert jax.grad(outer, 1)(1.0, 2.0) == 3.0
    with pytest.raises(jax.errors.UnexpectedTracerError):
        jax.grad(outer)(1.0, 2.0)
    with pytest.raises(Exception, match="with respect to a closed-over value"):
        jax.grad(jax.jit(outer))(1.0, 2.0)


def test_a_solution_is_differentiated_through_its_equation_and_not_its_steps():
    def root(a):
        halved = lambda f, x: lax.while_loop(lambda x: abs(f(x)) > 1e-6, lambda x: x - f(x) / (2 * x), x)
        return lax.custom_root(lambda x: x * x - a, 1.0, halved, lambda g, y: y / g(1.0))

    assert np.isclose(root(9.0), 3.0)
    assert np.isclose(jax.grad(root)(9.0), 1 / 6)
    assert np.isclose(jax.grad(jax.grad(root))(9.0), -1 / (4 * 27), atol=1e-5)


def test_a_linear_solve_is_transposed_to_a_solve_with_the_transpose():
    a, b = jnp.array([[3.0, 1.0], [0.5, 2.0]]), jnp.array([1.0, 2.0])
    inverse = lambda matvec, b: jnp.linalg.solve(jnp.stack([matvec(e) for e in jnp.eye(2)], 1), b)
    by_rule = lambda a, b: lax.custom_linear_solve(lambda x: a @ x, b, inverse, inverse).sum()
    expected = np.linalg.solve(np.asarray(a).T, np.ones(2))
    of_a, of_b = jax.grad(by_rule, (0, 1))(a, b)
    np.testing.assert_allclose(of_b, expected, rtol=1e-5)
    np.testing.assert_allclose(of_a, -np.outer(expected, np.linalg.solve(a, b)), rtol=1e-5)
