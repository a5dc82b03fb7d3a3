"""The laws of differentiation, over all cases of ops.py whose primitives have rules."""

import differences
import numpy as np
import pytest
from differences import WideCase, paired, slope

import minijax as jax
from minijax.extend.core import check_jaxpr
from minijax.layer1_core import config

each_case = pytest.mark.parametrize("case", differences.differentiable(), ids=str)
each_reversible = pytest.mark.parametrize("case", differences.differentiable(differences.ONLY_FORWARD), ids=str)
# of each operation a real and a complex one: at double precision its other types differ by their shapes alone
one_of_each = {
    (case.name.partition("-")[0], "complex" in case.name): case
    for case in differences.differentiable(differences.ONLY_FORWARD)
}.values()
each_twice = pytest.mark.parametrize("case", differences.differentiable(differences.ONLY_ONCE), ids=str)


@pytest.fixture(autouse=True)
def double_precision():
    with jax.enable_x64(True):
        yield


def assert_close(got, want, rtol=1e-4):
    for g, w in zip(got, want, strict=True):
        g, w = np.asarray(g), np.asarray(w)
        assert g.shape == w.shape
        np.testing.assert_allclose(g, w, rtol=rtol, atol=rtol * (1 + np.abs(w).max(initial=0)))


@each_case
def test_a_jvp_is_the_slope_along_the_tangent(case):
    f = WideCase(case)
    tangents = f.draw(f.point)
    _, got = jax.jvp(f, f.point, tangents)
    assert_close(got, slope(f, f.point, tangents))


@each_reversible
def test_the_transpose_is_the_adjoint(case):
    f = WideCase(case)
    out, pull = jax.vjp(f, *f.point)
    tangents, cts = f.draw(f.point), f.draw(out)
    pushed, pulled = jax.jvp(f, f.point, tangents)[1], pull(cts)
    assert [(x.shape, x.dtype) for x in pulled] == [(x.shape, x.dtype) for x in f.point]
    np.testing.assert_allclose(paired(cts, pushed), paired(pulled, tangents), rtol=1e-8, atol=1e-8)


@each_reversible
def test_the_linearized_function_is_the_jvp(case):
    f = WideCase(case)
    out, push = jax.linearize(f, *f.point)
    tangents = f.draw(f.point)
    primals, pushed = jax.jvp(f, f.point, tangents)
    assert_close(out, primals, 1e-12)
    assert_close(push(*tangents), pushed, 1e-10)


@each_twice
def test_the_derivative_of_a_gradient_is_its_slope(case):
    f = WideCase(case)
    out = f(*f.point)
    tangents, cts = f.draw(f.point), f.draw(out)

    def pull(*xs):
        return jax.vjp(f, *xs)[1](cts)

    _, got = jax.jvp(pull, f.point, tangents)
    assert_close(got, slope(pull, f.point, tangents), 1e-3)


def gradient_of(case):
    """A function that pulls cotangents of a jitted case back, and the arguments that it takes."""
    f = WideCase(case)
    cts = f.draw(f(*f.point))
    return lambda *xs: jax.vjp(jax.jit(f), *xs)[1](cts), f.point


@each_reversible
def test_the_program_of_a_gradient_is_well_typed(case):
    pull, point = gradient_of(case)
    check_jaxpr(jax.make_jaxpr(pull)(*point))


@pytest.mark.parametrize("case", one_of_each, ids=str)
def test_a_compiled_gradient_is_the_gradient(case):
    pull, point = gradient_of(case)
    with config.interpret_jaxprs(True):
        want = pull(*point)
    assert_close(jax.jit(pull)(*point), want, 1e-10)


def test_every_exception_is_the_name_of_a_case():
    names = differences.EXCEPT | differences.ONLY_ONCE
    assert all(any(case.name.startswith(name) for case in differences.CASES) for name in names)
