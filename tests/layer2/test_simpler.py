"""What is put in simpler terms is computed by kernels, and as the impl rules do it: ties, NaN and zeros too."""

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from compiled import assert_close, programs
from minijax import lax
from minijax.layer2_jit.compiler import Program
from minijax.layer2_jit.loops import Kernel

INF, NAN = np.inf, np.nan
ROWS = np.array(
    [
        [1, 3, 3, -2, 0.5, 3, -7],
        [0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0],
        [1, NAN, 5, -NAN, INF, NAN, -INF],
        [-INF, -INF, -INF, -INF, -INF, -INF, -INF],
        [INF, 2, -0.0, INF, 0.0, -INF, 2],
        [NAN, NAN, NAN, NAN, NAN, NAN, NAN],
    ]
)
DTYPES = ["float32", "float64", "int8", "int32", "int64", "uint8", "uint32", "bool"]


def equal_bits(fun, *args):
    """Whether a function's program calls nothing and has the bits of the impl rules."""
    compiled, interpreted, values = programs(fun, args)
    assert all(isinstance(step, Kernel) for _, step in compiled.steps)
    for got, want in zip(compiled(values), interpreted(values), strict=True):
        assert (got.shape, got.dtype) == (want.shape, want.dtype)
        assert got.tobytes() == want.tobytes()


def rows(dtype):
    with np.errstate(invalid="ignore"):
        return ROWS.astype(dtype)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("fun", [lax.argmax, lax.argmin])
def test_the_first_of_equal_elements_is_found_and_the_first_nan_before_all(fun, dtype, axis):
    with jax.enable_x64(True):
        equal_bits(lambda x: fun(x, axis, "int32"), rows(dtype))


def test_a_place_that_its_dtype_cannot_say_is_what_the_impl_rule_says():
    x = np.zeros(300, np.float32)
    x[200] = 1
    compiled, interpreted, args = programs(lambda x: lax.argmax(x, 0, "int8"), [x])
    assert_close(compiled(args), interpreted(args))


@pytest.mark.parametrize("k", [1, 3, 7])
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_largest_few_are_in_the_order_of_their_bits(dtype, k):
    with jax.enable_x64(True):
        equal_bits(lambda x: lax.top_k(x, k), rows(dtype))
        equal_bits(lambda x: lax.top_k(x, min(k, 6), axis=0), rows(dtype))


def test_a_sort_is_called():
    compiled, _, _ = programs(jnp.sort, [np.zeros(10, np.float32)])
    assert not any(isinstance(step, Kernel) for _, step in compiled.steps)


EDGES = np.array([0, -0.0, 1, -1, 1.1, 65504, 65520, 1e-5, 6e-8, 1e-40, -1e-40, 3e38, -3e38, INF, -INF, NAN, 240, 0.3])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("bits", [(5, 10), (8, 7), (8, 23), (11, 52), (4, 3), (2, 1), (5, 30)])
def test_a_float_of_fewer_bits_has_the_bits_of_the_impl_rule(dtype, bits):
    with jax.enable_x64(True):
        more = np.random.default_rng(0).normal(size=500) * 10.0 ** np.arange(-250, 250)
        with np.errstate(over="ignore", under="ignore"):
            x = np.concatenate([EDGES, more]).astype(dtype)
        equal_bits(lambda x: lax.reduce_precision(x, *bits), x)


X = np.linspace(-2, 2, 24, dtype=np.float32).reshape(2, 3, 4)


@pytest.mark.parametrize(
    "fun",
    [
        lambda x: sum(row.sum() for row in x),
        lambda x: [*jnp.unstack(x, axis=2)],
        lambda x: jnp.stack([x, x + 1, x * 2], 1),
        lambda x: jnp.stack([x[0, 0, 0], x[1, 2, 3]]),
        lambda x: jnp.tile(x, (2, 1, 3)),
        lambda x: jnp.tile(x, (0, 1, 2)),
        lambda x: jnp.copy(x),
        lambda x: lax.reduce(x, x[0, 0, 0], lax.max, (1,)),
        lambda x: lax.reduce(x, jnp.float32(2), lambda a, b: a + b, (0, 2)),
        lambda x: lax.reduce((x, -x), (jnp.float32(0),) * 2, lambda a, b: (a[0] + b[0], a[1] + b[1]), (0,)),
        lambda x: lax.reduce_xor((x * 9).astype("int32"), (1,)),
        lambda x: lax.cumlogsumexp(x * 20, 1, reverse=True),
        lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 3), (1, 1, 2), "SAME"),
        lambda x: lax.reduce_window(x, 0.0, lambda a, b: a + b * b, (2, 2, 2), (1, 1, 1), "VALID"),
        lambda x: lax.bitcast_convert_type(x, "uint32") >> 3,
    ],
)
def test_nothing_is_called(fun):
    compiled, interpreted, args = programs(fun, [X])
    assert all(isinstance(step, Kernel) for _, step in compiled.steps)
    assert_close(compiled(args), interpreted(args))


def test_large_windows_and_many_parts_are_called():
    for fun in (
        lambda x: lax.reduce_window(x, 0.0, lax.add, (100,), (1,), "VALID"),
        lambda x: jnp.unstack(x),
        lambda x: lax.sort(x, dimension=0),
    ):
        x = np.random.default_rng(0).normal(size=200).astype(np.float32)
        compiled, interpreted, args = programs(fun, [x])
        assert not all(isinstance(step, Kernel) for _, step in compiled.steps)
        assert_close(compiled(args), interpreted(args), rtol=1e-4)


def test_wide_dtypes_stay_wide_when_the_program_is_compiled_later():
    x = np.array([2.0, 1.0, 1.0 + 1e-12])
    with jax.enable_x64(True):
        jaxpr = jax.make_jaxpr(lambda x: lax.top_k(x, 2)[0])(x)
    (got,) = Program(jaxpr)([x])
    assert got.dtype == np.float64 and got.tobytes() == np.array([2.0, 1.0 + 1e-12]).tobytes()


def test_the_text_of_what_is_in_simpler_terms_runs_in_plain_python():
    fun = lambda x: (lax.top_k(x, 2), lax.argmax(x, 1, "int32"), lax.reduce_precision(x, 5, 10), lax.lgamma(x))
    compiled, interpreted, args = programs(fun, [rows("float32")])
    scope = {"__name__": "text"}
    exec(compile(compiled.text, "text", "exec"), scope)
    assert_close(scope["main"](*args), interpreted(args))


# ---- long reductions


@pytest.mark.parametrize("shape", [(600, 500), (262_144,), (16, 16_384), (5, 7, 10_000), (3, 131_101)])
@pytest.mark.parametrize("reduction", ["sum", "max", "min", "prod"])
def test_a_long_reduction_is_one_of_rows_where_it_has_rows(shape, reduction):
    x = np.random.default_rng(0).uniform(0.9, 1.1, shape).astype("float32")
    fun = lambda x: getattr(jnp, reduction)(jnp.cos(x) * 1e-5 + 1)
    compiled, interpreted, args = programs(fun, [x])
    for got, want in zip(compiled(args), interpreted(args), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-2 if reduction == "prod" else 2e-5)
    assert len(compiled.steps) == (1 if shape == (3, 131_101) else 2)


def test_elements_on_the_way_to_a_long_reduction_are_not_stored():
    x, y = np.random.default_rng(0).uniform(0.9, 1.1, 2**18).astype("float32"), np.float32([2.0])
    fun = lambda x, y: (jnp.exp(x) * y * jnp.broadcast_to(y[0], (1,))).sum()
    compiled, interpreted, args = programs(fun, [x, y])
    assert f"empty(({2**18},)" not in compiled.text
    np.testing.assert_allclose(compiled(args), interpreted(args), rtol=2e-5)


def test_what_two_long_reductions_have_in_common_is_computed_once():
    x = np.random.default_rng(0).uniform(0.9, 1.1, 2**18).astype("float32")
    compiled, interpreted, args = programs(lambda x: jnp.sum(jnp.tan(x)) + jnp.sum(jnp.tan(x) ** 2), [x])
    assert compiled.text.count("tan_float32(") == 1
    assert f"empty(({2**18},)" not in compiled.text
    np.testing.assert_allclose(compiled(args), interpreted(args), rtol=2e-5)


def test_a_long_reduction_finds_nan_and_infinity():
    x = np.zeros((1_000, 300), "float32")
    for value in (np.nan, np.inf, -np.inf):
        x[700, 200] = value
        assert np.array_equal(np.asarray(jax.jit(jnp.max)(x)), x.max(), equal_nan=True)
        assert np.array_equal(np.asarray(jax.jit(jnp.sum)(x)), x.sum(), equal_nan=True)
