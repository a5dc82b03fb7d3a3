"""Sorts and factors of small matrices in a loop are statements of its kernel; what is carried is written in place."""

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from compiled import assert_close, programs
from minijax import lax
from minijax.layer2_jit.loops import Kernel

NAN, INF = np.nan, np.inf
ROWS = np.array(
    [
        [1, 3, 3, -2, 0.5, 3, -7],
        [0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0],
        [1, NAN, 5, -NAN, INF, NAN, -INF],
        [INF, 2, -0.0, INF, 0.0, -INF, 2],
    ]
)
DTYPES = ["float32", "float64", "int8", "int64", "uint32", "bool"]
rng = np.random.default_rng(0)
A = rng.normal(size=(3, 4, 4)).astype(np.float32)
S = A @ A.transpose(0, 2, 1) + np.eye(4, dtype=np.float32)
B = rng.normal(size=(3, 4, 2)).astype(np.float32)


def one_kernel(fun, *args):
    compiled, interpreted, values = programs(fun, args)
    assert all(isinstance(step, Kernel) for _, step in compiled.steps)
    return compiled(values), interpreted(values), compiled


@pytest.mark.parametrize("dtype, axis", [*zip(DTYPES, [0, 1] * 3, strict=True)])
def test_a_small_sort_keeps_the_order_of_equal_elements(dtype, axis):
    with jax.enable_x64(True), np.errstate(invalid="ignore"):
        x, k = ROWS.astype(dtype), np.arange(ROWS.size, dtype=np.int32).reshape(ROWS.shape)
        both = lambda x, k: (
            lax.sort(x, dimension=axis),
            lax.sort((x, k), dimension=axis),
            lax.sort((k % 3, x, k), dimension=axis, num_keys=2),
            lax.top_k(x, 2, axis=axis),
        )
        got, want, _ = one_kernel(lambda x, k: lax.map(lambda pair: both(*pair), (x[None], k[None])), x, k)
    for g, w in zip(got, want, strict=True):
        assert (g.shape, g.dtype, g.tobytes()) == (w.shape, w.dtype, w.tobytes())


def test_more_of_the_largest_are_places_among_all():
    x = rng.integers(0, 9, (2, 30)).astype(np.float32)
    got, want, _ = one_kernel(lambda x: lax.map(lambda row: lax.top_k(row, 12), x), x)
    for g, w in zip(got, want, strict=True):
        assert np.array_equal(g, w)


@pytest.mark.parametrize(
    "fun, batched",
    [
        (lax.linalg.cholesky, True),
        (lax.linalg.lu, True),
        (jnp.linalg.inv, False),
        (lambda s: lax.linalg.lu(s[..., :2]), False),
        (lambda s: lax.linalg.lu(s[..., :2, :]), True),
        (lambda s: lax.linalg.lu(s * 0 + 1), False),
        (lambda s: lax.linalg.cholesky(s - 3 * jnp.eye(4)), False),
    ],
)
def test_a_small_matrix_is_factored_in_the_kernel(fun, batched):
    each = (lambda s: fun(jnp.stack([s, s.T + 1]))) if batched else fun
    got, want, _ = one_kernel(lambda s: lax.map(each, s), S)
    assert_close(got, want, rtol=2e-4)


@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("unit", [False, True])
def test_a_small_triangular_system_is_solved_in_the_kernel(left, lower, transposed, unit):
    params = dict(left_side=left, lower=lower, transpose_a=transposed, unit_diagonal=unit)
    solve = lambda pair: lax.linalg.triangular_solve(*pair, **params)
    got, want, _ = one_kernel(lambda a, b: lax.map(solve, (a, b)), S, B if left else B.transpose(0, 2, 1).copy())
    assert_close(got, want, rtol=2e-3)


X = np.linspace(-2, 2, 50, dtype=np.float32)
I, J = rng.permutation(50)[:16].astype(np.int32), rng.permutation(50)[:16].astype(np.int32)
IN_PLACE = {
    "an element": lambda k, x: x.at[k + 1].set(x[k] * 2 + x[0]),
    "added to": lambda k, x: x.at[k].add(x[k + 1]),
    "a window": lambda k, x: lax.dynamic_update_slice(x, jnp.ones(3), (k,)),
}
COPIED = {
    "elements read from others": lambda k, x: x.at[J].set(x[I]),
    "a window of itself": lambda k, x: lax.dynamic_update_slice(x, x[:-1], (k % 2,)),
    "read afterwards": lambda k, x: x.at[k].set(1.0) + x[k + 1],
    "twice": lambda k, x: x.at[I].set(1.0) * x.at[J].set(2.0),
}


@pytest.mark.parametrize("name", [*IN_PLACE, *COPIED])
def test_an_array_that_is_carried_is_written_in_place_where_nothing_reads_what_it_was(name):
    body = (IN_PLACE | COPIED)[name]
    got, want, compiled = one_kernel(lambda x: lax.fori_loop(0, 20, body, x), X)
    assert_close(got, want)
    ((_, kernel),) = compiled.steps
    assert (len([b for b in kernel.buffers if b.size >= 49]) == 2) is (name in IN_PLACE)
    scope = {"__name__": "text"}
    exec(compile(compiled.text, "text", "exec"), scope)
    assert_close(scope["main"](X), want)
