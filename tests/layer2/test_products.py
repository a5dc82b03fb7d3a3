"""Products of large matrices: a library's routine, called by a kernel."""

import threading
import time

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.layer2_jit import blas, compiler
from minijax.layer2_jit.alone import alone, in_parts, threads_aside
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
    assert "matmul_float32(c, 0, a, 0, b, 0, 64, 70, 80, False, False)  # [64, 70] @ [70, 80]\n" in text


def test_its_comment_says_how_the_factors_lie():
    text = jax.jit(lambda x, y: x.T @ y.T).lower(numbers(70, 64), numbers(80, 70)).as_text()
    assert "64, 70, 80, True, True)  # [70, 64].T @ [80, 70].T\n" in text


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


def test_who_is_interrupted_while_it_waits_to_compute_alone_leaves_all_as_it_was(monkeypatch):
    def interrupt(seconds):
        raise KeyboardInterrupt

    before = blas.threads()
    monkeypatch.setattr(time, "sleep", interrupt)
    monkeypatch.setattr(in_parts, "value", 1)  # as while a kernel runs in parts
    with pytest.raises(KeyboardInterrupt), alone():
        pass
    monkeypatch.undo()
    assert threads_aside.value == 0 and blas.threads() == before
    with pytest.raises(KeyboardInterrupt), alone(), alone():
        assert threads_aside.value and blas.threads() <= 1
        raise KeyboardInterrupt
    assert threads_aside.value == 0 and blas.threads() == before


@pytest.mark.parametrize("dtype", ["int8", "int32", "uint64"])
def test_matrices_of_whole_numbers_have_loops_of_any_size(dtype):
    with jax.enable_x64():
        x, y = (np.random.default_rng(k).integers(0, 100, (2, 70, 70)).astype(dtype) for k in range(2))
        for way in ("bij,bjk->bik", "bij,bkj->bik", "bji,bjk->bki"):
            fun = lambda x, y, way=way: jnp.einsum(way, x, y)
            assert "kernel" in jax.jit(fun).lower(x, y).as_text()
            np.testing.assert_array_equal(jax.jit(fun)(x, y), np.einsum(way, x, y))


@pytest.mark.parametrize("way", [
    "abc,c->ab", "abc,b->ac", "b,abc->ac", "abc,cb->a", "bc,abc->a", "abc,bca->", "abc,abc->", "d,d->", "abc,ab->c",
])  # fmt: skip
def test_a_large_product_with_a_vector_is_a_sum(way):
    sizes = dict(a=60, b=40, c=20, d=40_000)
    left, right = way.split("->")[0].split(",")
    numbers = np.random.default_rng(0)
    x, y = (numbers.integers(-3, 4, [sizes[c] for c in axes]).astype("float32") for axes in (left, right))
    fun = lambda x, y: jnp.einsum(way, x, y)
    assert "matmul" not in jax.jit(fun).lower(x, y).as_text()
    np.testing.assert_array_equal(jax.jit(fun)(x, y), np.einsum(way, x, y))


@pytest.mark.parametrize("way, is_turned", [("ab,b->a", False), ("abc,bc->a", False), ("abc,cb->a", True)])
def test_a_vector_is_transposed_only_where_its_axes_are_in_another_order(way, is_turned):
    sizes = dict(a=900, b=40, c=20)
    x, y = (np.ones([sizes[c] for c in axes], "float32") for axes in way.split("->")[0].split(","))
    text = jax.jit(lambda x, y: jnp.einsum(way, x, y)).lower(x, y).as_text()
    assert "matmul" not in text and ("transpose" in text) == is_turned


def test_products_with_a_vector_that_are_no_sums_stay():
    with jax.enable_x64():
        x, v = np.ones((200, 200), "float16"), np.full(200, 100.0, "float16")
        assert (jax.jit(jnp.matmul)(x, v) == 20000).all()  # summed up in float32, rounded once
        z = np.ones((200, 200), "complex64")
        np.testing.assert_allclose(jax.jit(jnp.matmul)(z, z[0] * 1j), np.full(200, 200j))
        assert jax.jit(jnp.matmul)(x == 1, v == 100).all()


@pytest.mark.parametrize("fun", [
    lambda x, y: jnp.stack([x, y]), lambda x, y: jnp.stack([x, y], 1), lambda x, y: jnp.stack([x, y * 2], -1),
    lambda x, y: jnp.concatenate([x, y]), lambda x, y: jnp.concatenate([x, y[:, :9], x], 1),
    lambda x, y: jnp.concatenate([x[:9], y, x[:9]]), lambda x, y: jnp.pad(x, 1) + jnp.pad(y, 1, constant_values=2.0),
    lambda x, y: jnp.concatenate([jnp.stack([x, y], 1), jnp.stack([y, x], 1)], 1)[:, ::-1],
])  # fmt: skip
def test_parts_are_copied_in_one_loop_where_they_can_be(fun):
    x, y = numbers(300, 100), numbers(300, 100) + 1
    np.testing.assert_array_equal(jax.jit(fun)(x, y), fun(x, y))


def test_a_stack_is_made_in_parts():
    x = numbers(1000, 1000)
    for axis in (0, 1, 2):
        ((_, kernel),) = program(lambda x, axis=axis: jnp.stack([x, x], axis), x).steps
        assert kernel.in_parts


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize(("summed", "columns"), [
    (4, 4), (7, 40), (8, 8), (16, 64), (64, 16), (33, 64), (64, 33), (48, 48), (49, 48), (100, 9), (1, 30), (30, 1),
])  # fmt: skip
def test_small_products_are_added_to_rows_or_in_sums(rows, summed, columns):
    x = np.random.default_rng(0).integers(-9, 10, (5, rows, summed)).astype("float32")
    y = np.random.default_rng(1).integers(-9, 10, (5, summed, columns)).astype("float32")
    for way, right in (("bij,bjk->bik", y), ("bij,bkj->bik", y.transpose(0, 2, 1).copy()), ("bij,jk->bik", y[0])):
        fun = lambda x, y, way=way: jnp.einsum(way, x, y)
        np.testing.assert_array_equal(jax.jit(fun)(x, right), np.einsum(way, x, right))
    single = jax.jit(lambda x, y: y @ x)
    np.testing.assert_array_equal(single(x[0, 0], y[0].T.copy()), y[0].T @ x[0, 0])


def test_a_single_row_is_put_together_from_rows_unless_it_is_short():
    text = lambda n: jax.jit(lambda x, y: x @ y).lower(numbers(n), numbers(n, n)).as_text()
    assert "c_1" in text(32) and "c[i0] = sum(c[i0], c_)" in text(64)


@pytest.mark.parametrize("shape", [(9, 1), (1, 9), (4, 9), (9, 4), (70, 600)])
def test_a_product_of_batches_without_a_sum_is_computed_whichever_axis_has_the_batches(shape):
    x, y = (np.random.default_rng(k).integers(-9, 10, n).astype("float32") for k, n in enumerate((shape, shape[1])))
    fun = lambda x, y: lax.dot_general(x, y, (((), ()), ((1,), (0,))))
    np.testing.assert_array_equal(jax.jit(fun)(x, y), (x * y).T)
