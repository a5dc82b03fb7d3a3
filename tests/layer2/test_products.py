"""Products of large matrices: a library's routine, called by a kernel."""

import threading

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.layer2_jit import blas, compiler
from minijax.layer2_jit.alone import alone
from minijax.layer2_jit.render import canonical

pytestmark = pytest.mark.skipif(blas.library() is None, reason="NumPy has another library for matrices here")


def numbers(*shape):
    return np.random.default_rng(0).normal(size=shape).astype("float32")


def program(fun, *args):
    return compiler.Program(jax.make_jaxpr(fun)(*args))


WAYS = [
    "mk,kn->mn",
    "km,kn->mn",
    "mk,nk->mn",
    "km,nk->mn",
    "bmk,bkn->bmn",
    "bkm,bnk->bmn",
    "mk,kno->mno",
    "mkl,kln->mn",
]
SIZES = dict(b=3, m=40, k=70, n=50, o=3, l=2)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_product_is_computed_in_whatever_order_its_factors_lie(way, dtype):
    with jax.enable_x64():
        left, right = way.split("->")[0].split(",")
        x, y = (numbers(*(SIZES[axis] for axis in axes)).astype(dtype) for axes in (left, right))
        got = jax.jit(lambda x, y: jnp.einsum(way, x, y))(x, y)
        np.testing.assert_allclose(got, np.einsum(way, x, y), rtol=1e-4, atol=1e-4)


def test_it_is_a_line_of_a_kernel():
    text = jax.jit(jnp.matmul).lower(numbers(64, 70), numbers(70, 80)).as_text()
    assert "matmul_float32(c, 0, a, 0, b, 0, 64, 70, 80, False, False)" in text


def test_products_of_all_sizes_have_one_form():
    made = [program(jnp.matmul, numbers(m, k), numbers(k, n)).steps[0][1] for m, k, n in ((64, 64, 64), (90, 80, 70))]
    made.append(program(lambda x, y: x.T @ y, numbers(80, 80), numbers(80, 64)).steps[-1][1])
    assert len({canonical(kernel)[0] for kernel in made}) == 1


def test_a_matrix_may_be_multiplied_with_itself():
    x = numbers(64, 64)
    np.testing.assert_allclose(jax.jit(lambda x: x @ x)(x), x @ x, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(jax.jit(lambda x: x @ x.T)(x), x @ x.T, rtol=1e-4, atol=1e-4)


def test_a_transposed_sum_of_products_is_one_of_transposed_products():
    def fun(a, b, c, d):
        return (a @ b + 2.0 * (c @ d)).T

    args = numbers(64, 70), numbers(70, 80), numbers(64, 90), numbers(90, 80)
    assert not any(eqn.primitive is lax.transpose_p for eqn in program(fun, *args).jaxpr.eqns)
    np.testing.assert_allclose(jax.jit(fun)(*args), fun(*args), rtol=1e-4, atol=1e-4)


def test_but_not_where_a_product_is_needed_as_it_is():
    def fun(a, b, c):
        product = a @ b
        return (product + c).T, product

    args = numbers(64, 70), numbers(70, 80), numbers(64, 80)
    for got, expected in zip(jax.jit(fun)(*args), fun(*args), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-4)


def attention(x, keep=None):
    scores = jnp.einsum("bhqd,bhkd->bhqk", x, x) / 4
    scores = scores if keep is None else jnp.where(keep, scores, -jnp.inf)
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores), x)


def by_numpy(x, keep=True):
    scores = np.where(keep, np.exp(np.einsum("bhqd,bhkd->bhqk", x, x) / 4), 0)
    return np.einsum("bhqk,bhkd->bhqd", scores / scores.sum(-1, keepdims=True), x)


def test_a_few_products_are_done_at_the_same_time_and_many_numbers_one_after_the_other():
    parts = lambda *shape: [step.in_parts for _, step in program(attention, numbers(*shape)).steps]
    assert parts(2, 4, 128, 32) == [True, True, True]
    assert parts(1, 2, 128, 32) == [False, True, False]
    huge = program(jnp.matmul, numbers(4, 512, 512), numbers(4, 512, 512)).steps[0][1]
    assert not huge.in_parts and huge.in_order


def test_attention_needs_one_array_of_scores():
    x, triangle = numbers(3, 4, 130, 32), np.tril(np.ones((130, 130), bool))
    text = jax.jit(attention).lower(x).as_text()
    assert text.count("= empty((3, 4, 130, 130)") == 1 and "for i0 in range(1560):  # [3, 4, 130]" in text
    np.testing.assert_allclose(jax.jit(attention)(x), by_numpy(x), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(jax.jit(attention)(x, triangle), by_numpy(x, triangle), rtol=1e-4, atol=1e-5)


def test_the_library_has_its_threads_again_whoever_else_computes_alone():
    get, _ = blas.about_threads()
    before, f, x = get(), jax.jit(attention), numbers(2, 4, 128, 32)
    want = np.asarray(f(x))
    assert get() == before
    wrong = []

    def calls():
        wrong.extend(1 for _ in range(100) if not np.allclose(f(x), want, atol=1e-4))

    threads = [threading.Thread(target=calls) for _ in range(2)]
    [t.start() for t in threads]
    for _ in range(300):
        with alone():
            wrong.extend([1] * (get() != 1))
    [t.join() for t in threads]
    assert not wrong and get() == before
