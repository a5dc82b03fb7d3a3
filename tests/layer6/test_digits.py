"""Draws have JAX's digits: its steps, its functions. (What JAX itself draws is in tests/conformance/cases/random.)"""

import fractions

import numpy as np
import pytest

import minijax as jax
from minijax.layer2_jit import digits64, fused
from minijax.layer6_random import digits
from minijax.layer6_random.memory import program_of_words
from minijax.layer6_random.rounding import as_compiled, noise_lgamma_p

R, KEY = jax.random, jax.random.key(3)
POSITIVE, BOTH = np.linspace(1e-3, 9, 4001), np.linspace(-9, 9, 4001)
wider = pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="the reference needs a float wider than float64")

# Of each function: its exact form, where it is asked, and its largest error for float32 and float64, in ulp.
FUNCTIONS = {
    "log": (np.log, POSITIVE, 1.2, 0.6),
    "log1p": (np.log1p, np.linspace(-0.99, 0, 4001), 2.5, 130),
    "exp": (np.exp, BOTH, 1.0, 1.5),
    "rsqrt": (lambda x: 1 / np.sqrt(x), POSITIVE, 0.51, 1.5),
}


@wider
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_functions_of_samplers_are_as_exact_as_jax_has_them(name):
    exact, x, *most = FUNCTIONS[name]
    for dtype, limit in zip(("float32", "float64"), most, strict=True):
        x = x.astype(dtype)
        want = exact(x.astype(np.longdouble))
        got = getattr(digits, f"noise_{name}_{dtype}")(x)
        assert got.dtype == dtype
        assert np.max(np.abs(got - want)[want != 0] / np.spacing(np.abs(want.astype(dtype)))[want != 0]) < limit


def test_the_logarithm_of_gamma_in_samplers_has_jaxs_bits():
    x = np.array([0.5, 1, 3.7, 23, 1e3, 99_875, 1e6], np.float32)
    bits = [1058178688, 889192448, 1068944148, 1111614079, 1169721795, 1233135557, 1262718097]  # of jitted lax.lgamma
    for apply in (noise_lgamma_p.bind, jax.jit(noise_lgamma_p.bind)):
        assert np.asarray(apply(x)).view(np.int32).tolist() == bits
        np.testing.assert_allclose(apply(-x[2:4]), jax.lax.lgamma(-x[2:4]), rtol=1e-5)
        assert np.isinf(apply(np.float32([0, -2, np.inf, -np.inf]))).all()


DRAWS = ["uniform", "normal", "exponential", "laplace", "logistic", "gumbel", "maxwell"]


@pytest.mark.parametrize("name", DRAWS)
def test_a_float64_is_drawn_with_the_same_digits_interpreted_and_compiled(name):
    with jax.enable_x64(True):
        draw = lambda k: getattr(R, name)(k, (500,), np.float64)
        np.testing.assert_array_equal(draw(KEY), jax.jit(draw)(KEY))


def test_a_product_and_a_sum_of_float64_are_rounded_once():
    rng = np.random.default_rng(0)
    a, b, c = (rng.standard_normal(3000) * 2.0 ** rng.integers(-30, 30, 3000) for _ in range(3))
    c[:1000] = -(a * b)[:1000]  # what rounding took from the product is all that is left
    exact = [
        fractions.Fraction(x) * fractions.Fraction(y) + fractions.Fraction(z) for x, y, z in zip(a, b, c, strict=True)
    ]
    np.testing.assert_array_equal(fused.fma(a, b, c), [float(x) for x in exact])
    assert not np.array_equal(a * b + c, fused.fma(a, b, c))


def test_the_inverse_of_erf_is_one_near_its_ends_too():
    x = np.array([0.0, 0.5, -0.5, 0.9999, 1 - 2.0**-53, 1.0, -1.0, np.nan])
    with jax.enable_x64(True), np.errstate(all="ignore"):
        got = jax.lax.erf_inv(x)
        np.testing.assert_array_equal(got, jax.jit(jax.lax.erf_inv)(x))
        np.testing.assert_array_equal(got, digits64.erf_inv_float64(x))
        np.testing.assert_allclose(jax.lax.erf(got[:5]), x[:5], rtol=1e-15)


def names(jaxpr):
    return [eqn.primitive.name for eqn in jaxpr.eqns]


def test_the_programs_of_samplers_have_the_steps_of_jaxs_compiler():
    program = lambda draw: program_of_words(jax.make_jaxpr(draw)(KEY).eqns[0].params["jaxpr"])
    pareto = names(program(lambda k: R.pareto(k, 3.0, (5,))))
    assert pareto[-3:] == ["div", "mul", "noise_exp"]  # the divisor is one number
    crosswise = names(program(lambda k: R.f(k, 5.0, 7.0, (5,))))  # (a / b) / (c / d) = (a d) / (b c)
    assert crosswise[-3:] == ["mul", "mul", "div"]
    root = names(program(lambda k: R.maxwell(k, (5,))))
    assert root[-3:] == ["fma", "fma", "sqrt"]
    assert "reduce_sum" not in root


def test_scalars_of_a_product_are_multiplied_first_also_where_a_call_stands_between():
    def product(x, s, y):
        return jax.jit(lambda x: 3.0 * x)(x) * s, (2 * x) * y

    x = np.ones(4, "float32")
    eqns = as_compiled(jax.make_jaxpr(product)(x, np.float32(2), x).jaxpr).eqns
    assert [eqn.primitive.name for eqn in eqns] == ["mul"] * 4
    assert [eqn.outvars[0].aval.shape for eqn in eqns] == [(), (4,), (4,), (4,)]


def test_a_program_that_has_jaxs_digits_is_made_once():
    jaxpr = jax.make_jaxpr(lambda k: R.maxwell(k, (5,)))(KEY).eqns[0].params["jaxpr"]
    assert program_of_words(jaxpr) is program_of_words(jaxpr)
