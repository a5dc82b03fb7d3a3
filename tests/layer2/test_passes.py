"""Each pass gives a smaller program that computes the same; and kernels are as many as they must be."""

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.extend.core import check_jaxpr
from minijax.layer1_core.evaluate import interpret
from minijax.layer2_jit.compiler import Program
from minijax.layer2_jit.fusion import LONGEST, Group, Plan
from minijax.layer2_jit.passes import folded, inlined, merged, optimized, without_dead
from minijax.layer2_jit.render import canonical
from ops import CASES, Case

X = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)


def names(jaxpr):
    return [eqn.primitive.name for eqn in jaxpr.eqns]


def layer_norm(x):
    centred = x - x.mean(-1, keepdims=True)
    return centred / jnp.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)


@pytest.mark.parametrize("change", [inlined, folded, merged, without_dead, optimized])
@pytest.mark.parametrize("case", CASES[::7], ids=str)
def test_a_pass_keeps_the_types_and_the_values(change, case: Case) -> None:
    values = case.values()
    jaxpr = jax.make_jaxpr(case.fun)(*values)
    args = [np.asarray(x, aval.dtype) for x, aval in zip(jax.tree.leaves(values), jaxpr.in_avals, strict=True)]
    changed = change(jaxpr)
    check_jaxpr(changed)
    for got, want in zip(interpret(changed)(args), interpret(jaxpr)(args), strict=True):
        assert got.dtype == want.dtype and got.tobytes() == want.tobytes()


def test_the_programs_of_calls_are_put_in_their_place():
    inner = jax.jit(lambda x: jnp.sin(x) * 2.0)
    jaxpr = jax.make_jaxpr(lambda x: inner(inner(x)) + 1.0)(X)
    assert names(jaxpr) == ["jit", "jit", "add"]
    assert names(inlined(jaxpr)) == ["sin", "mul", "sin", "mul", "add"]


def test_equations_of_numbers_are_computed_before():
    assert names(folded(jax.make_jaxpr(lambda x: x * (jnp.float32(2.0) * 3.0))(X))) == ["mul"]


def test_a_choice_by_a_number_is_what_is_chosen():
    assert "select_n" not in names(folded(inlined(jax.make_jaxpr(lambda x: jnp.var(x) + jnp.where(True, x, 0.0))(X))))
    chosen = folded(jax.make_jaxpr(lambda x: lax.select_n(np.int32(7), x, x + 1.0, x * 2.0))(X))
    np.testing.assert_array_equal(interpret(chosen)([X])[0], X * 2)


def test_equal_equations_are_one_and_zeros_of_two_signs_are_two():
    assert names(merged(jax.make_jaxpr(lambda x: jnp.sin(x) + jnp.sin(x))(X))) == ["sin", "add"]
    assert names(merged(jax.make_jaxpr(lambda x: (x + 0.0) * (x + -0.0))(X))) == ["add", "add", "mul"]


def test_what_nobody_reads_is_dropped():
    assert names(without_dead(jax.make_jaxpr(lambda x: (jnp.cos(x), jnp.sin(x))[1])(X))) == ["sin"]


def groups(fun, *args):
    return [step for step in Plan(optimized(jax.make_jaxpr(fun)(*args))).steps if isinstance(step, Group)]


@pytest.mark.parametrize(
    ("fun", "kernels"),
    [
        (lambda x: jnp.maximum(x * 2.0 + 1.0, 0.0), 1),
        (lambda x: (x * 2.0, x + 1.0, -x), 1),
        (lambda x: (x * 2.0).sum(), 1),
        (lambda x: (x.sum(1), (x * x).sum(1)), 1),
        (lambda x: (x * 2.0).T + 1.0, 1),
        (lambda x: x[1:] - x[:-1], 1),
        (jax.nn.softmax, 3),
        (layer_norm, 3),
    ],
)
def test_a_chain_of_operations_is_as_few_kernels_as_it_must_be(fun, kernels):
    assert len(groups(fun, X)) == kernels


def test_what_is_expensive_is_computed_once():
    both = Program(jax.make_jaxpr(lambda x: (jnp.exp(x) * 2.0, jnp.exp(x).sum(1)))(X))
    assert both.text.count("exp_float32(") == 1
    stencil = Program(jax.make_jaxpr(lambda x: jnp.exp(x)[1:] - jnp.exp(x)[:-1])(X))
    assert stencil.text.count("exp_float32(") == 1
    spread = Program(jax.make_jaxpr(lambda x: jnp.exp(x[0])[None, :] * x)(X))
    assert "for i0 in range(4):  # [1, 4]\n" in spread.text  # not again for each row


def test_a_long_chain_is_cut_and_equal_pieces_are_compiled_once():
    def chain(x):
        for _ in range(1000):
            x = x * 1.5 - 0.25
        return x

    program = Program(jax.make_jaxpr(chain)(X))
    kernels = [step for name, step in program.steps if name.startswith("kernel")]
    assert 2000 // LONGEST <= len(kernels) <= 2200 // LONGEST
    texts = {canonical(kernel)[0] for kernel in kernels}
    assert len(texts) <= 3  # the first piece, those between, and the last
    np.testing.assert_allclose(program([X])[0], interpret(program.jaxpr)([X])[0], rtol=1e-4)


def test_planning_takes_no_longer_where_each_value_is_read_twice():
    """To follow each way from a result to an input would never end."""

    def doubled(x):
        for _ in range(60):
            x = x * 0.5 + x * 0.25
        return x.reshape(-1) * 2.0

    program = Program(jax.make_jaxpr(doubled)(X))
    np.testing.assert_allclose(program([X])[0], interpret(program.jaxpr)([X])[0], rtol=1e-4)


def test_what_keeps_the_elements_is_a_reshape_of_the_first_of_them_or_nothing():
    assert names(optimized(jax.make_jaxpr(lambda x: x[None].sum(0)[:, None, :].max(1) + 1.0)(X))) == ["add"]
    assert names(optimized(jax.make_jaxpr(lambda x: x.reshape(2, 6)[None].reshape(4, 3))(X))) == ["reshape"]


@pytest.mark.parametrize("spec", ["ij,jk->ki", "ji,jk->ki", "ij,kj->ki", "bij,bjk->bki", "ijl,lk->kij", "ijl,lk->jki"])
def test_a_transposed_product_is_the_product_of_the_factors_in_the_other_order(spec):
    sizes = dict(i=2, j=3, k=4, l=5, b=6)
    shapes = [[sizes[c] for c in part] for part in spec.partition("->")[0].split(",")]
    args = [np.random.default_rng(0).normal(size=shape).astype(np.float32) for shape in shapes]
    jaxpr = jax.make_jaxpr(lambda x, y: jnp.einsum(spec, x, y))(*args)
    smaller = optimized(jaxpr)
    check_jaxpr(smaller)
    np.testing.assert_allclose(interpret(smaller)(args)[0], interpret(jaxpr)(args)[0], rtol=1e-5, atol=1e-6)
    assert ("transpose" in names(smaller)) is (spec == "ijl,lk->jki")


def test_a_product_that_is_read_twice_is_computed_once():
    jaxpr = jax.make_jaxpr(lambda x, y: ((z := x @ y), z.T))(X, X.T)
    assert sorted(names(optimized(jaxpr))) == ["dot_general", "transpose"]


@pytest.mark.parametrize("spec", ["i,j->ij", "i,j->ji", "ij,k->ijk", "bi,bj->bij", "i,i->i"])
def test_a_product_without_a_sum_is_a_multiplication(spec):
    sizes = dict(i=2, j=3, k=4, b=5)
    shapes = [[sizes[c] for c in part] for part in spec.partition("->")[0].split(",")]
    args = [np.random.default_rng(0).normal(size=shape).astype(np.float32) for shape in shapes]
    jaxpr = jax.make_jaxpr(lambda x, y: jnp.einsum(spec, x, y))(*args)
    smaller = optimized(jaxpr)
    check_jaxpr(smaller)
    np.testing.assert_array_equal(interpret(smaller)(args)[0], interpret(jaxpr)(args)[0])
    assert "dot_general" not in names(smaller)
