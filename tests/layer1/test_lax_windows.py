"""Reductions over windows agree with a loop over the windows; cumulative ones with a loop over the elements."""

import functools
import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.layer1_core.impl.windows import select_and_gather_add, select_and_scatter_add

some = settings(max_examples=60, deadline=None)
seeds = st.integers(0, 10**6)


class Case:
    """A random operand of whole numbers and a window that moves along it."""

    def __init__(self, seed: int):
        rng = np.random.default_rng(seed)
        rank = int(rng.integers(1, 4))
        draw = lambda low, high: tuple(rng.integers(low, high, rank).tolist())  # one number an axis
        self.x = rng.integers(-9, 9, draw(1, 6)).astype(np.float32)
        self.size, self.strides, self.base, self.dilation = draw(1, 4), draw(1, 3), draw(1, 3), draw(1, 3)
        self.padding = tuple(zip(draw(0, 3), draw(-1, 3), strict=True))
        self.rng = rng

    def windows(self, fill: float) -> tuple[tuple[int, ...], list[list[float]]]:
        """How many windows there are along each axis, and the elements of each."""
        field = spread(self.x, self.base, self.padding, fill)
        spans = [(k - 1) * d + 1 for k, d in zip(self.size, self.dilation, strict=True)]
        counts = [max(0, (n - s) // t + 1) for n, s, t in zip(field.shape, spans, self.strides, strict=True)]
        return tuple(counts), [self.elements(field, at) for at in itertools.product(*map(range, counts))]

    def elements(self, field: np.ndarray, at: tuple[int, ...]) -> list[float]:
        offsets = itertools.product(*map(range, self.size))
        steps = [list(zip(at, self.strides, o, self.dilation, strict=True)) for o in offsets]
        return [float(field[tuple(i * s + j * d for i, s, j, d in step)]) for step in steps]

    def reduce(self, init: float, combine: Any) -> Any:
        return lax.reduce_window(self.x, init, combine, self.size, self.strides, self.padding, self.base, self.dilation)


def spread(x: np.ndarray, dilation: Any, padding: Any, fill: float) -> np.ndarray:
    """x with its elements `dilation` apart, padded (or cut) at the borders."""
    grown = np.full([(n - 1) * d + 1 for n, d in zip(x.shape, dilation, strict=True)], fill, x.dtype)
    grown[tuple(slice(None, None, d) for d in dilation)] = x
    grown = np.pad(grown, [(max(a, 0), max(b, 0)) for a, b in padding], constant_values=fill)
    return grown[tuple(slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(grown.shape, padding, strict=True))]


@some
@given(seeds, st.sampled_from([(0.0, lax.add, sum), (-np.inf, lax.max, max), (np.inf, lax.min, min)]))
def test_each_window_is_reduced(seed: int, how: Any) -> None:
    init, combine, reference = how
    case = Case(seed)
    counts, windows = case.windows(init)
    want = np.array([reference(w) for w in windows], np.float32).reshape(counts)
    np.testing.assert_array_equal(np.asarray(case.reduce(init, combine)), want)


@some
@given(seeds)
def test_a_window_is_folded_by_any_function_of_two_scalars(seed: int) -> None:
    case = Case(seed)
    fold = lambda a, b: a * 0.5 + b  # not associative: the order of the elements shows
    counts, windows = case.windows(1.0)
    want = np.array([functools.reduce(fold, w, 1.0) for w in windows], np.float32).reshape(counts)
    np.testing.assert_allclose(np.asarray(case.reduce(1.0, fold)), want, rtol=1e-5)


def test_several_arrays_are_folded_together() -> None:
    """Of each window: the largest element, and where it was."""

    def larger(a: Any, b: Any) -> Any:
        return jnp.where(a[0] >= b[0], a[0], b[0]), jnp.where(a[0] >= b[0], a[1], b[1])

    x = jnp.array([3.0, 1.0, 4.0, 1.0, 5.0])
    values, places = lax.reduce_window((x, jnp.arange(5)), (-jnp.inf, -1), larger, (2,), (1,), "SAME")
    assert values.tolist() == [3.0, 4.0, 4.0, 5.0, 5.0] and places.tolist() == [0, 2, 2, 4, 4]


def test_which_reductions_are_primitives_of_their_own() -> None:
    x = jnp.ones((4, 4))
    name = lambda init, f: jax.make_jaxpr(lambda x: lax.reduce_window(x, init, f, (2, 2)))(x).eqns[0].primitive.name
    assert [name(0.0, lax.add), name(-jnp.inf, lax.max), name(jnp.inf, lax.min)] == [
        "reduce_window_sum",
        "reduce_window_max",
        "reduce_window_min",
    ]
    assert name(1.0, lax.add) == name(1.0, lax.mul) == name(0.0, jnp.add) == "reduce_window"


@some
@given(seeds)
def test_the_selecting_primitives_are_adjoint_and_find_the_maximum(seed: int) -> None:
    """<gather(t), s> = <t, scatter(s)>, and gather of the operand itself is the maximum over windows."""
    case = Case(seed)
    ones = (1,) * case.x.ndim
    window = {"window_dimensions": case.size, "window_strides": case.strides, "padding": case.padding}
    dilations = {"base_dilation": ones, "window_dilation": ones}
    x = case.x + case.rng.random(case.x.shape).astype(np.float32)
    t = case.rng.normal(size=x.shape)
    picked = select_and_gather_add(t, x, select_prim=lax.ge_p, **window, **dilations)
    s = case.rng.normal(size=picked.shape)
    spread_out = select_and_scatter_add(s, x, select_prim=lax.ge_p, **window)
    np.testing.assert_allclose((picked * s).sum(), (t * spread_out).sum(), atol=1e-9)
    largest = lax.reduce_window(x, -np.inf, lax.max, case.size, case.strides, case.padding)
    at_itself = select_and_gather_add(x, x, select_prim=lax.ge_p, **window, **dilations)
    np.testing.assert_array_equal(at_itself, np.where(np.isneginf(largest), 0, largest))


# ---- cumulative


@some
@given(seeds, st.booleans(), st.integers(0, 2))
def test_cumulative_reductions_go_along_one_axis(seed: int, reverse: bool, axis: int) -> None:
    x = np.random.default_rng(seed).normal(size=(2, 3, 40)).astype(np.float32)
    turn = (lambda a: np.flip(a, axis)) if reverse else (lambda a: a)
    for name, ufunc in [("sum", np.add), ("prod", np.multiply), ("max", np.maximum), ("min", np.minimum)]:
        want = turn(ufunc.accumulate(turn(x.astype(np.float64)), axis))
        np.testing.assert_allclose(getattr(lax, f"cum{name}")(x, axis, reverse), want, rtol=1e-4, atol=1e-5)
    want = turn(np.logaddexp.accumulate(turn(x.astype(np.float64)), axis))
    np.testing.assert_allclose(lax.cumlogsumexp(x, axis, reverse), want, rtol=1e-4, atol=1e-5)


def test_long_sums_are_rounded_in_blocks_of_16_as_xla_rounds_them() -> None:
    x = np.full(34, 0.1, np.float32)
    first = np.add.accumulate(x[:16])
    second = np.add.accumulate(x[:16]) + first[-1]
    third = np.add.accumulate(x[:2]) + (first[-1] + first[-1])
    assert np.asarray(lax.cumsum(x)).tolist() == [*first.tolist(), *second.tolist(), *third.tolist()]


def test_integers_wrap_around() -> None:
    assert lax.cumsum(jnp.full(3, 100, jnp.int8)).tolist() == [100, -56, 44]
    assert lax.cumprod(jnp.full(3, 200, jnp.uint8)).tolist() == [200, 64, 0]


def test_nothing_and_infinity() -> None:
    assert lax.cumsum(jnp.zeros((0, 3))).shape == (0, 3)
    assert lax.cumlogsumexp(jnp.array([-jnp.inf, -jnp.inf, 0.0])).tolist() == [-np.inf, -np.inf, 0.0]


# ---- padding, refusals


@some
@given(st.integers(1, 20), st.integers(1, 5), st.integers(1, 4))
def test_same_padding_gives_one_window_for_each_stride(n: int, window: int, stride: int) -> None:
    [(before, after)] = lax.padtype_to_pads((n,), (window,), (stride,), "SAME")
    [lower] = lax.padtype_to_pads((n,), (window,), (stride,), "SAME_LOWER")
    assert lower == (after, before) and 0 <= after - before <= 1
    assert max(0, n + before + after - window) // stride + 1 == -(-n // stride)


X = np.ones((3, 4), np.float32)


@pytest.mark.parametrize(
    "error, words, call",
    [
        (TypeError, "wrong number of window_dimensions", lambda: lax.reduce_window(X, 0.0, lax.add, (2,))),
        (TypeError, "inconsistent window_strides", lambda: lax.reduce_window(X, 0.0, lax.add, (2, 2), (1,))),
        (TypeError, "strictly positive", lambda: lax.reduce_window(X, 0.0, lax.add, (2, 0))),
        (RuntimeError, "Unrecognized padding type", lambda: lax.reduce_window(X, 0.0, lax.add, (2, 2), None, "FULL")),
        (TypeError, "inconsistent dtypes", lambda: lax.reduce_window(X, 1, lax.add, (2, 2))),
        (TypeError, "expected init_values to be scalars", lambda: lax.reduce_window(X, X[0], lax.add, (2, 2))),
        (TypeError, "must have a number dtype, got bool", lambda: lax.reduce_window(X > 1, False, lax.add, (2, 2))),
        (ValueError, "same tree structure as init_values", lambda: lax.reduce_window((X, X), (0.0,), lax.add, (2, 2))),
        (ValueError, "XLA operations do not allow negative axes", lambda: lax.cumsum(X, -1)),
        (ValueError, "axis 2 is out of bounds", lambda: lax.cummax(X, 2)),
        (TypeError, "cumsum does not accept dtype bool", lambda: lax.cumsum(X > 1)),
    ],
)
def test_refusals_use_jaxs_words(error: type[Exception], words: str, call: Any) -> None:
    with pytest.raises(error, match=words):
        call()
