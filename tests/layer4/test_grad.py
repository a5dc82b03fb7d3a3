"""What users call: gradients of trees and of compiled functions, within one another, and what is refused."""

import gc
import weakref

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax.dtypes import float0
from minijax.errors import TracerBoolConversionError, UnexpectedTracerError

X = jnp.array([0.3, 0.6, -1.0])


def test_a_gradient_has_the_tree_of_its_argument():
    got = jax.grad(lambda d: d["a"] * d["b"][0])({"a": 2.0, "b": (3.0, X)})
    assert jax.tree.structure(got) == jax.tree.structure({"a": 0, "b": (0, 0)})
    assert (got["a"], got["b"][0]) == (3.0, 2.0)
    np.testing.assert_array_equal(got["b"][1], np.zeros(3))


@pytest.mark.parametrize(
    ("argnums", "want"), [(0, 12.0), (1, 8.0), (-1, 6.0), ((0, 2), (12.0, 6.0)), ([1], (8.0,)), ((2, 0), (6.0, 12.0))]
)
def test_argnums_say_by_which_arguments(argnums, want):
    assert jax.grad(lambda x, y, z: x * y * z, argnums)(2.0, 3.0, 4.0) == want


def test_keywords_are_held_fixed():
    assert jax.grad(lambda x, *, k: x * k)(2.0, k=5.0) == 5.0


def test_what_comes_beside_the_value_holds_no_tracers():
    (value, aux), slope = jax.value_and_grad(lambda x: (x * x, {"x": x, "name": "square"}), has_aux=True)(3.0)
    assert (value, aux, slope) == (9.0, {"x": 3.0, "name": "square"}, 6.0)
    assert jax.jvp(lambda x: (x * x, x), (3.0,), (1.0,), has_aux=True) == (9.0, 6.0, 3.0)
    assert jax.linearize(lambda x: (x * x, x), 3.0, has_aux=True)[2] == 3.0


def test_a_linear_function_keeps_residuals_and_no_results():
    out, push = jax.linearize(lambda x: jnp.cos(3.0 * x), X)
    gone = weakref.ref(out)
    del out
    gc.collect()
    assert gone() is None
    np.testing.assert_allclose(push(X), -3.0 * X * jnp.sin(3.0 * X), rtol=1e-6)


def test_inner_and_outer_perturbations_are_not_confused():
    assert jax.grad(lambda x: x * jax.grad(lambda y: x + y)(1.0))(1.0) == 1.0
    assert jax.jvp(lambda x: x * jax.jvp(lambda y: x * y, (1.0,), (1.0,))[1], (3.0,), (1.0,))[1] == 6.0
    assert jax.grad(lambda x: x * jax.grad(jax.jit(lambda y: x * y * y))(x))(2.0) == 24.0
    assert jax.jit(jax.grad(lambda x: jax.grad(lambda y: jax.jit(lambda z: x * y * z)(y))(3.0)))(2.0) == 6.0


def test_derivatives_of_all_orders():
    f, x = lambda x: x**5, 2.0
    for want in [80.0, 160.0, 240.0, 240.0, 120.0, 0.0]:
        f = jax.grad(f)
        assert f(x) == want
        assert jax.jit(f)(x) == want


def test_forward_over_reverse_is_reverse_over_forward():
    def f(x):
        return (jnp.tanh(x) * x).sum()

    forward = jax.jvp(jax.grad(f), (X,), (X,))[1]
    reverse = jax.grad(lambda x: jax.jvp(f, (x,), (X,))[1])(X)
    twice = jax.vjp(jax.grad(f), X)[1](X)[0]
    np.testing.assert_allclose(forward, reverse, rtol=1e-5)
    np.testing.assert_allclose(forward, twice, rtol=1e-5)
    np.testing.assert_allclose(forward, jax.hessian(f)(X) @ X, rtol=1e-5)


def test_a_compiled_gradient_runs_as_loops():
    gradient = jax.jit(jax.grad(lambda x: (jnp.tanh(x) * jnp.exp(x)).sum()))
    text = gradient.lower(jnp.ones(1000)).as_text()
    assert text.count("for ") == 1
    assert "tanh" in text


def test_a_function_that_two_gradients_share_is_traced_once():
    count = []
    inner = jax.jit(lambda x: (count.append(1), x * x)[1])
    jax.grad(lambda x: inner(x) + inner(2 * x))(3.0)
    jax.grad(inner)(4.0)
    assert len(count) == 1


def test_equal_calls_have_one_derivative():
    inner = jax.jit(lambda x: jnp.sin(x) * x)
    jaxpr = jax.make_jaxpr(jax.grad(lambda x: inner(inner(x))))(1.0)
    calls = [eqn.params["jaxpr"] for eqn in jaxpr.eqns if eqn.primitive.name == "jit"]
    assert len(calls) == 4
    assert calls[0] is calls[1]
    assert calls[2] is calls[3]


# ---- types


def test_an_integer_has_a_gradient_that_holds_nothing():
    by_x, by_n = jax.grad(lambda x, n: x * n, argnums=(0, 1), allow_int=True)(2.0, 3)
    assert by_x == 3.0
    assert by_n.dtype == float0
    out, tangent = jax.jvp(lambda n: n * 2, (3,), (np.zeros((), float0),))
    assert out == 6
    assert tangent.dtype == float0


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_a_gradient_has_the_dtype_of_its_argument(dtype):
    assert jax.grad(lambda x: (x.astype("float32") * 2).sum())(X.astype(dtype)).dtype == dtype


def test_a_holomorphic_function_has_a_complex_derivative():
    assert jax.grad(lambda z: z**3, holomorphic=True)(1 + 2j) == 3 * (1 + 2j) ** 2


def test_python_branches_on_a_value_that_is_differentiated():
    def f(x):
        return x * x if x > 0 else -x

    assert (jax.grad(f)(3.0), jax.grad(f)(-3.0)) == (6.0, -1.0)
    with pytest.raises(TracerBoolConversionError):
        jax.jit(jax.grad(f))(3.0)


# ---- what is refused


@pytest.mark.parametrize(
    ("fun", "args", "error", "message"),
    [
        (lambda x: x, (1,), TypeError, "grad requires real- or complex-valued inputs"),
        (lambda x: x, (X,), TypeError, r"Gradient only defined for scalar-output functions. Output had shape: \(3,\)."),
        (lambda x: x * 1j, (1.0,), TypeError, "grad requires real-valued outputs"),
        (lambda x: x, (), TypeError, "requires at least 1 positional arguments to be passed by the caller"),
        (lambda x: x, ("a",), TypeError, "Argument 'a' of type <class 'str'> is not a valid JAX type"),
    ],
)
def test_grad_refuses(fun, args, error, message):
    with pytest.raises(error, match=message):
        jax.grad(fun)(*args)


def test_grad_refuses_axes_to_reduce():
    with pytest.raises(NotImplementedError, match="reduce_axes argument to grad is deprecated"):
        jax.grad(lambda x: x, reduce_axes=("i",))


@pytest.mark.parametrize("transform", [jax.grad, lambda f: lambda x: jax.jvp(f, (x,), (x,))])
def test_a_value_that_got_away_is_refused(transform):
    kept = []
    transform(lambda x: (kept.append(x * 2), x)[1])(1.0)
    with pytest.raises(UnexpectedTracerError):
        kept[0] + 1
    with pytest.raises(UnexpectedTracerError):
        jax.jit(lambda y: kept[0] + y)(1.0)


def test_a_primitive_without_a_rule_is_named():
    p = jax.extend.core.Primitive("mystery")
    p.def_abstract_eval(lambda x: x)
    p.def_impl(lambda x: x)
    with pytest.raises(NotImplementedError, match="Differentiation rule for 'mystery' not implemented"):
        jax.grad(p.bind)(1.0)
