"""Large arrays: tiles where an operand lies across, strips of columns where rows are put together."""

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp


def numbers(*shape):
    return np.random.default_rng(0).normal(size=shape).astype("float32")


@pytest.mark.parametrize("shape", [(512, 512), (128, 160), (129, 131), (500, 300), (40, 2000), (2000, 40)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int8"])
def test_a_transpose_moves_each_element(shape, dtype):
    with jax.enable_x64():
        x = (100 * numbers(*shape)).astype(dtype)
        y = (100 * numbers(*shape[::-1])).astype(dtype)
        np.testing.assert_array_equal(jax.jit(lambda x: x.T * 2)(x), x.T * 2)
        np.testing.assert_array_equal(jax.jit(lambda x, y: x.T + y)(x, y), x.T + y)


@pytest.mark.parametrize("shape", [(128, 160), (256, 64), (64, 256), (132, 140), (12, 24, 80), (80, 24, 12)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint64"])
def test_squares_are_turned(shape, dtype):
    with jax.enable_x64():
        x = (100 * np.abs(numbers(*shape))).astype(dtype)
        y = (100 * np.abs(numbers(*shape[::-1]))).astype(dtype)
        both = jax.jit(lambda x, y: (x[..., 4:].T * 2 + y[4:], x.T))
        for got, expected in zip(both(x, y), (x[..., 4:].T * 2 + y[4:], x.T), strict=True):
            np.testing.assert_array_equal(got, expected)
        np.testing.assert_array_equal(jax.jit(lambda x: x.T + x.T[::-1])(x), x.T + x.T[::-1])


def test_the_text_with_squares_computes_the_same_in_python_alone():
    with jax.enable_x64():
        for dtype in ("float32", "int64"):
            x = (100 * numbers(128, 160)).astype(dtype)
            text = jax.jit(lambda x: x.T * 2).lower(x).as_text()
            names = {"__name__": "text"}
            exec(text, names)
            assert f"transpose_{dtype}(" in text
            np.testing.assert_array_equal(names["main"](x)[0], x.T * 2)


def test_a_donated_operand_is_not_written_while_its_squares_are_read():
    x = numbers(256, 256)
    np.testing.assert_array_equal(jax.jit(lambda x: x.T + 1, donate_argnums=0)(jnp.array(x)), x.T + 1)


def test_what_reads_squares_is_no_part_of_the_loop_that_made_their_rows():
    f = jax.jit(lambda x: jnp.tanh(x / x.sum(1, keepdims=True)).T + 1)
    x = numbers(256, 256) ** 2 + 1
    np.testing.assert_allclose(f(x), np.tanh(x / x.sum(1, keepdims=True)).T + 1, rtol=1e-6)


@pytest.mark.parametrize("order", [(0, 2, 1), (2, 1, 0), (1, 2, 0), (2, 0, 1), (1, 0, 2)])
def test_so_does_one_of_three_axes(order):
    for x in (numbers(32, 48, 40), numbers(31, 37, 41)):
        np.testing.assert_array_equal(jax.jit(lambda x: jnp.transpose(x, order) + 1)(x), x.transpose(order) + 1)


def test_the_loops_are_in_tiles_where_the_array_is_large():
    text = lambda *shape: jax.jit(lambda x: x.T + 1).lower(numbers(*shape)).as_text()
    assert "transpose_float32(" in text(512, 512) and "for strip in" in text(509, 509)
    assert "for tile in" in text(40, 2010) and "transpose_" not in text(40, 2010)
    assert "strip" not in text(32, 32)


@pytest.mark.parametrize("shape", [(512, 512), (2000, 128), (1001, 256), (999, 131), (4, 100, 400), (300, 20, 64)])
def test_columns_are_put_together(shape):
    x = numbers(*shape)
    x[3, 5], x[2, 7] = np.nan, np.inf
    axes = tuple(range(len(shape) - 1))
    for name in ("max", "min", "sum"):
        for over in {axes, axes[:1]}:
            got = jax.jit(lambda x, name=name, over=over: getattr(x, name)(over))(x)
            np.testing.assert_allclose(got, getattr(x, name)(over), rtol=1e-4, atol=1e-3)
    both = jax.jit(lambda x: ((x * 2).sum(0), x.max(0), (x + 1)))(x)
    for got, expected in zip(both, ((x * 2).sum(0), x.max(0), x + 1), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-3)


def test_columns_are_done_in_strips_several_rows_at_once():
    text = jax.jit(lambda x: x.max(0)).lower(numbers(512, 512)).as_text()
    assert "for strip in range(8)" in text and "for i0 in range(128)" in text


@pytest.mark.parametrize(
    ("shape", "axes"),
    [((8, 30, 40), 1), ((600, 8, 100), 1), ((2, 3, 4, 50), (0, 2)), ((3, 4, 5, 16), (1, 2)), ((5, 0, 20), 1),
     ((0, 3, 20), 1), ((4, 6, 3), 1), ((3, 1, 20), 1), ((64, 12, 1, 256), (1, 2)), ((7, 4, 2, 6, 32), (1, 3))],
)  # fmt: skip
def test_rows_are_put_together_between_axes_that_stay(shape, axes):
    x = numbers(*shape)
    x.reshape(-1)[5::1001] = np.nan
    spread = {"axis": axes, "keepdims": True}
    for fun in (
        lambda np, x: np.sum(x, axes),
        lambda np, x: np.max(np.abs(x), axes, initial=0.0),
        lambda np, x: (np.sum(x * 2, axes), np.min(x, axes, initial=1.0), x + 1),
        lambda np, x: np.exp(x - np.max(x, initial=-9.0, **spread)) / np.sum(np.exp(x), **spread),
    ):
        got, want = jax.jit(lambda x, fun=fun: fun(jnp, x))(x), fun(np, x)
        for g, w in zip(jax.tree.leaves(got), jax.tree.leaves(want), strict=True):
            np.testing.assert_allclose(g, w, rtol=1e-4, atol=1e-4)


def test_softmax_over_an_axis_in_the_middle_is_one_kernel_without_scratch():
    x = numbers(32, 40, 64)
    text = jax.jit(lambda x: jax.nn.softmax(x, 1)).lower(x).as_text()
    assert text.count("@kernel") == 1 and text.count("= empty((32, 40, 64)") == 1
    np.testing.assert_allclose(jax.jit(lambda x: jax.nn.softmax(x, 1))(x).sum(1), np.ones((32, 64)), rtol=1e-5)
