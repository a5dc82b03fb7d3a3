"""jnp.vectorize and its kin do what NumPy's do."""

import numpy as np
import pytest
from batches import assert_close

import minijax as jax
import minijax.numpy as jnp

SHAPES = [((), ()), ((3,), ()), ((2, 3), (3,)), ((2, 1), (1, 4)), ((1, 1), (1,)), ((2, 1, 3), (5, 1)), ((0, 2), (2,))]


@pytest.mark.parametrize("a, b", SHAPES)
def test_a_function_of_scalars_is_broadcast_as_numpy_does_it(a, b):
    x, y = (np.arange(np.prod(s, dtype=int), dtype="float32").reshape(s) for s in (a, b))
    seen = []
    got = jnp.vectorize(lambda p, q: seen.append((p.shape, q.shape)) or p * 10 + q)(x, y)
    assert_close(got, jnp.asarray(x * 10 + y))
    assert set(seen) == {((), ())}


@pytest.mark.parametrize("a, b", SHAPES)
def test_core_axes_are_the_last_ones(a, b):
    x, y = (np.sin(np.arange(np.prod((*s, *core), dtype=int), dtype="float32")).reshape(*s, *core)
            for s, core in ((a, (4, 2)), (b, (2,))))  # fmt: skip
    got = jnp.vectorize(lambda m, v: m @ v, signature="(i,j),(j)->(i)")(x, y)
    assert_close(got, jnp.asarray(np.vectorize(lambda m, v: m @ v, signature="(i,j),(j)->(i)", otypes="f")(x, y)))


def test_several_results_and_arguments_that_are_left_alone():
    f = jnp.vectorize(lambda x, how: (x.sum(), x * len(how)), excluded={1}, signature="(n)->(),(n)")
    total, scaled = f(jnp.ones((2, 3)), "abc")
    assert total.tolist() == [3.0, 3.0] and scaled.tolist() == [[3.0] * 3] * 2


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
@pytest.mark.parametrize("fun", [lambda v: v.sum(), lambda v: v[::-1], lambda v: v[:2, None] * v[None, :3]])
def test_apply_along_axis(axis, fun):
    x = np.arange(60.0, dtype="float32").reshape(3, 4, 5)
    assert_close(jnp.apply_along_axis(fun, axis, x), jnp.asarray(np.apply_along_axis(fun, axis, x)))


def test_a_ufunc_of_ones_own_has_numpys_methods():
    f = jnp.frompyfunc(lambda a, b: a + 10 * b, 2, 1)
    assert f(jnp.arange(3), 1).tolist() == [10, 11, 12]
    assert f.outer(jnp.arange(2), jnp.arange(3)).tolist() == [[0, 10, 20], [1, 11, 21]]


def test_fromfunction_calls_its_function_once():
    calls = []
    got = jnp.fromfunction(lambda i, j: calls.append(1) or 10 * i + j, (2, 3))
    assert_close(got, jnp.asarray(np.fromfunction(lambda i, j: 10 * i + j, (2, 3), dtype="float32")))
    assert calls == [1]


def test_jacobians_are_mapped_and_so_are_theirs():
    f = lambda x: jnp.sin(x) * x.sum()
    x = jnp.arange(3.0)
    assert_close(jax.jacfwd(f)(x), jax.jacrev(f)(x))
    assert_close(jax.jacfwd(jax.jacfwd(f))(x), jax.jacrev(jax.jacfwd(f))(x))
