"""Shaping, joining, parting, rearranging and padding agree with NumPy, eagerly and under jit."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import minijax as jax
import minijax.numpy as jnp

some = settings(max_examples=60, deadline=None)
few = settings(max_examples=20, deadline=None)  # each example has a shape of its own, and is compiled
shapes = st.lists(st.integers(0, 4), min_size=1, max_size=4).map(tuple)
M = np.arange(6, dtype=np.float32).reshape(2, 3)
T = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
Z = np.zeros((0, 3), np.float32)


def numbered(shape: tuple[int, ...]) -> np.ndarray:
    return np.arange(np.prod(shape, dtype=int), dtype=np.int32).reshape(shape)


def check(fun: Any, *args: Any) -> None:
    """`fun(numpy, ...)` is `fun(jnp, ...)`, eager and jitted, in value, shape and dtype."""
    expected = jax.tree.leaves(fun(np, *args))
    for got in (fun(jnp, *args), jax.jit(lambda *a: fun(jnp, *a))(*args)):
        leaves = jax.tree.leaves(got)
        assert [(x.shape, x.dtype) for x in leaves] == [(y.shape, y.dtype) for y in expected]
        assert all(np.array_equal(x, y) for x, y in zip(leaves, expected, strict=True))


# ---- shaping


@few
@given(shapes, st.data())
def test_moving_axes(shape: tuple[int, ...], data: Any) -> None:
    x, n = numbered(shape), len(shape)
    order = data.draw(st.permutations(range(n)))
    k = data.draw(st.integers(1, n))
    destination = data.draw(st.permutations(range(n)))[:k]
    a, b = data.draw(st.integers(-n, n - 1)), data.draw(st.integers(-n, n - 1))
    check(lambda xp, x: xp.transpose(x, order), x)
    check(lambda xp, x: xp.moveaxis(x, order[:k], destination), x)
    check(lambda xp, x: xp.swapaxes(x, a, b), x)
    check(lambda xp, x: xp.rollaxis(x, a, b % n), x)
    check(lambda xp, x: xp.flip(x, order[:k]), x)


@few
@given(shapes, st.sampled_from("CF"), st.data())
def test_reshaping(shape: tuple[int, ...], order: str, data: Any) -> None:
    x = numbered(shape)
    other = data.draw(st.permutations(shape))
    check(lambda xp, x: xp.reshape(x, other, order=order), x)
    check(lambda xp, x: xp.ravel(x, order=order), x)
    if x.size:
        at = data.draw(st.integers(0, len(shape) - 1))
        check(lambda xp, x: xp.reshape(x, (*other[:at], -1, *other[at + 1 :]), order=order), x)


@few
@given(shapes, st.data())
def test_axes_of_size_1(shape: tuple[int, ...], data: Any) -> None:
    x = numbered(shape)
    axis = data.draw(st.integers(-len(shape) - 1, len(shape)))
    check(lambda xp, x: xp.expand_dims(x, axis), x)
    check(lambda xp, x: xp.squeeze(xp.expand_dims(x, axis), axis), x)
    check(lambda xp, x: xp.squeeze(x), x)
    for name in ("atleast_1d", "atleast_2d", "atleast_3d"):
        check(lambda xp, x, name=name: getattr(xp, name)(x), x)


CASES = [
    lambda xp, x: xp.broadcast_to(x, (4, 2, 3)),
    lambda xp, x: list(xp.broadcast_arrays(x, x[0], x[:, :1])),
    lambda xp, x: xp.matrix_transpose(x),
    lambda xp, x: xp.permute_dims(x, (1, 0)),
    lambda xp, x: xp.resize(x, (2, 5)),
    lambda xp, x: xp.resize(x, 3),
    lambda xp, x: xp.concatenate([x, x], axis=-1),
    lambda xp, x: xp.concatenate([x, x[:1]]),
    lambda xp, x: xp.concatenate([x, x[0]], axis=None),
    lambda xp, x: xp.concatenate(x),
    lambda xp, x: xp.concatenate(x[None], axis=1),
    lambda xp, x: xp.stack([x, x], axis=-1),
    lambda xp, x: xp.stack(x, axis=1),
    lambda xp, x: xp.append(x, x),
    lambda xp, x: xp.append(x, x, axis=1),
    lambda xp, x: xp.block([[x, x], [x, x]]),
    lambda xp, x: xp.block([x[0], x[1]]),
    *(
        lambda xp, x, name=name, n=n: getattr(xp, name)([x] * 2 if n is None else x[:n] if n > 0 else x)
        for name in ("vstack", "hstack", "dstack", "column_stack")
        for n in (None, 1, 0)
    ),
    lambda xp, x: xp.vstack([x[0], x]),
    lambda xp, x: xp.hstack([x[0], x[1]]),
    lambda xp, x: xp.column_stack([x[0], x.T]),
    lambda xp, x: xp.split(x, 3, axis=1),
    lambda xp, x: xp.split(x, [1, 2], axis=1),
    lambda xp, x: xp.split(x, 2),
    lambda xp, x: xp.array_split(x, 2, axis=1),
    lambda xp, x: xp.array_split(x, 5),
    lambda xp, x: xp.hsplit(x, 3),
    lambda xp, x: xp.vsplit(x, 2),
    lambda xp, x: xp.dsplit(x[None], [1]),
    lambda xp, x: xp.unstack(x, axis=1),
    lambda xp, x: xp.tile(x, 2),
    lambda xp, x: xp.tile(x, (2, 1, 2)),
    lambda xp, x: xp.tile(x, (3, 1)),
    lambda xp, x: xp.repeat(x, 2),
    lambda xp, x: xp.repeat(x, 2, axis=1),
    lambda xp, x: xp.repeat(x, 0, axis=0),
    lambda xp, x: xp.repeat(x, np.array([2, 0, 1]), axis=1),
    lambda xp, x: xp.roll(x, 1),
    lambda xp, x: xp.roll(x, -4, axis=1),
    lambda xp, x: xp.roll(x, (1, 2), axis=(0, 1)),
    lambda xp, x: xp.roll(x, 2, axis=(0, 1)),
    lambda xp, x: xp.flip(x),
    lambda xp, x: xp.fliplr(x),
    lambda xp, x: xp.flipud(x),
    *(lambda xp, x, k=k: xp.rot90(x, k) for k in range(-2, 5)),
    lambda xp, x: xp.rot90(x, axes=(1, 0)),
    lambda xp, x: xp.apply_along_axis(xp.cumsum, 0, x),
    lambda xp, x: xp.apply_along_axis(xp.sum, 1, x),
    lambda xp, x: xp.apply_along_axis(lambda v: xp.stack([v, v]), 0, x),
    lambda xp, x: xp.apply_over_axes(xp.sum, x, [0, 1]),
]


@pytest.mark.parametrize("fun", CASES)
def test_agrees_with_numpy(fun: Any) -> None:
    check(fun, M)


@pytest.mark.parametrize("size", [3, 2, 0])
def test_repeat_with_traced_counts_needs_the_length(size: int) -> None:
    counts = np.array([size, 0, 1])
    got = jax.jit(lambda x, n: jnp.repeat(x, n, axis=1, total_repeat_length=size + 1))(M, counts)
    assert np.array_equal(got, np.repeat(M, counts, axis=1))
    with pytest.raises(jax.errors.ConcretizationTypeError, match="the total number of repeats must be static"):
        jax.jit(lambda x, n: jnp.repeat(x, n, axis=1))(M, counts)


@some
@given(st.integers(-9, 9), st.sampled_from([None, 0, 1]))
def test_a_traced_shift_rolls_as_a_known_one(shift: int, axis: int | None) -> None:
    assert np.array_equal(jax.jit(lambda x, s: jnp.roll(x, s, axis))(M, shift), np.roll(M, shift, axis))


# ---- padding

MODES = ["constant", "edge", "reflect", "symmetric", "wrap", "maximum", "minimum", "mean", "median", "linear_ramp"]
widths = st.tuples(st.integers(0, 7), st.integers(0, 7))


@some
@given(st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple), st.sampled_from(MODES), st.data())
def test_padding_agrees_with_numpy(shape: tuple[int, ...], mode: str, data: Any) -> None:
    x = numbered(shape).astype(np.float32)
    width = [data.draw(widths) for _ in shape]
    got, expected = jnp.pad(x, width, mode=mode), np.pad(x, width, mode=mode)
    assert got.shape == expected.shape and got.dtype == expected.dtype
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    "options",
    [
        dict(pad_width=1),
        dict(pad_width=(1, 2), constant_values=5),
        dict(pad_width=((1, 0), (0, 2)), constant_values=(3, 4)),
        dict(pad_width=2, constant_values=((1, 2), (3, 4))),
        dict(pad_width=(2, 3), mode="reflect", reflect_type="odd"),
        dict(pad_width=(2, 3), mode="symmetric", reflect_type="odd"),
        dict(pad_width=(2, 3), mode="maximum", stat_length=1),
        dict(pad_width=(2, 3), mode="mean", stat_length=((1, 2), (2, 1))),
        dict(pad_width=(2, 3), mode="linear_ramp", end_values=(1, -4)),
    ],
)
def test_padding_options_agree_with_numpy(options: dict[str, Any]) -> None:
    np.testing.assert_allclose(jnp.pad(M, **options), np.pad(M, **options), rtol=1e-6, atol=1e-6)


def test_padding_by_a_function() -> None:
    def mark(vector: Any, pair: Any, axis: int, options: Any) -> Any:
        return vector.at[: pair[0]].set(options["mark"])

    got = jnp.pad(jnp.ones(3), 2, mode=mark, mark=7)
    assert np.array_equal(got, [7, 7, 1, 1, 1, 0, 0])


# ---- refusals


@pytest.mark.parametrize(
    ("fun", "error", "words"),
    [
        (lambda: jnp.reshape(M, 4), TypeError, r"cannot reshape array of shape \(2, 3\) \(size 6\) into shape 4"),
        (
            lambda: jnp.reshape(M, (4, -1)),
            TypeError,
            r"the product of specified axis sizes \(4\) does not evenly divide 6",
        ),
        (lambda: jnp.reshape(M, (-1, -1)), TypeError, "can only specify one unknown axis size"),
        (lambda: jnp.reshape([1], (1,)), TypeError, "reshape requires ndarray or scalar arguments, got <class 'list'>"),
        (lambda: jnp.squeeze(M, 0), ValueError, "cannot select an axis to squeeze out"),
        (lambda: jnp.stack([M, M[0]]), ValueError, "Cannot stack arrays with different numbers of dimensions"),
        (lambda: jnp.stack([]), ValueError, "Need at least one array to stack"),
        (lambda: jnp.concatenate([1, 2]), ValueError, "Zero-dimensional arrays cannot be concatenated"),
        (lambda: jnp.split(M, 2, axis=1), ValueError, "array split does not result in an equal division: rest is 1"),
        (lambda: jnp.broadcast_to(M, (3, 2)), ValueError, "Incompatible types for broadcasting"),
        (lambda: jnp.rot90(M[0]), ValueError, "rot90 requires its first argument to have ndim at least two"),
        (lambda: jnp.block((1, 2)), ValueError, "jax.numpy.block does not allow tuples"),
        (lambda: jnp.pad(M, 1, mode="x"), NotImplementedError, "Unimplemented padding mode 'x' for np.pad"),
        (
            lambda: jnp.pad(M, 1, mode="edge", constant_values=1),
            ValueError,
            "unsupported keyword arguments for mode 'edge'",
        ),
        (lambda: jnp.pad(Z, 1, mode="wrap"), ValueError, "Cannot apply 'wrap' padding to empty axis"),
        (lambda: jnp.pad(M, -1), ValueError, "index can't contain negative values"),
        (lambda: jnp.repeat(M, np.array([1, 2, 3]), axis=0), ValueError, "could not be broadcast|Incompatible"),
    ],
)
def test_refusals(fun: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        fun()


def test_a_traced_axis_is_refused() -> None:
    for fun in (jnp.expand_dims, jnp.squeeze, lambda x, n: jnp.moveaxis(x, n, 0), jnp.flip):
        with pytest.raises(jax.errors.ConcretizationTypeError):
            jax.jit(fun)(M, 0)


@pytest.mark.parametrize(
    ("fun", "name"),
    [
        (lambda x: jnp.flip(x, 0), "_flip"),
        (lambda x: jnp.roll(x, 1, 0), "_roll_static"),
        (lambda x: jnp.pad(x, 1), "_pad"),
        (lambda x: jnp.append(x, x), "append"),
        (jnp.rot90, "rot90"),
        (jnp.atleast_3d, "atleast_3d"),
    ],
)
def test_some_functions_are_one_equation(fun: Any, name: str) -> None:
    (eqn,) = jax.make_jaxpr(fun)(M).eqns
    assert eqn.primitive.name == "jit" and eqn.params["name"] == name
