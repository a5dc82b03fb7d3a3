"""Slices, gather and scatter agree with loops over their definitions, and refuse in JAX's words."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import minijax as jax
import minijax.numpy as jnp
from minijax import lax

some = settings(max_examples=60, deadline=None)
seeds = st.integers(0, 10**6)  # a case is drawn by NumPy, from a seed: hypothesis would not shrink it further
modes = st.sampled_from(["clip", "fill", "promise_in_bounds"])


def points(shape: Any) -> Any:
    return itertools.product(*map(range, shape))


# ---- gather and scatter, one element at a time


class Windows:
    """A random operand, start indices inside and outside of it, and dimension numbers that go with them."""

    def __init__(self, seed: int):
        rng = np.random.default_rng(seed)
        rank, batch_rank = rng.integers(1, 4), rng.integers(0, 3)
        self.shape = tuple(rng.integers(1, 5, rank).tolist())
        batch = rng.integers(1, 4, batch_rank).tolist()
        self.batching = (
            (int(rng.integers(rank)), int(rng.integers(batch_rank))) if batch and rng.random() < 0.4 else None
        )
        if self.batching:
            batch[self.batching[1]] = self.shape[self.batching[0]]
        others = [d for d in range(rank) if not self.batching or d != self.batching[0]]
        self.index_map = tuple(rng.permutation(others)[: rng.integers(1, len(others) + 1)].tolist()) if others else ()
        self.collapsed = tuple(d for d in others if rng.random() < 0.5)
        gone = {*self.collapsed, *([self.batching[0]] if self.batching else [])}
        self.sizes = tuple(1 if d in gone else int(rng.integers(1, n + 1)) for d, n in enumerate(self.shape))
        self.kept = [d for d in range(rank) if d not in gone]
        out_rank = batch_rank + len(self.kept)
        self.offset = tuple(sorted(rng.permutation(out_rank)[: len(self.kept)].tolist()))
        self.indices = rng.integers(-2, 6, (*batch, len(self.index_map))).astype(np.int32)
        self.operand = rng.integers(0, 100, self.shape).astype(np.float32)
        window, rest = iter(self.sizes[d] for d in self.kept), iter(batch)
        self.out_shape = tuple(next(window if i in self.offset else rest) for i in range(out_rank))
        self.updates = rng.integers(0, 100, self.out_shape).astype(np.float32)

    def numbers(self, kind: Any) -> Any:
        operand, indices = ((self.batching[0],), (self.batching[1],)) if self.batching else ((), ())
        return kind(self.offset, self.collapsed, self.index_map, operand, indices)

    def start_of(self, batch: list[int]) -> list[int]:
        """Where the window for a batch point starts in the operand, as the indices say."""
        start = [0] * len(self.shape)
        for component, d in enumerate(self.index_map):
            start[d] = int(self.indices[(*batch, component)])
        if self.batching:
            start[self.batching[0]] = batch[self.batching[1]]
        return start

    def places(self, mode: str) -> Any:
        """For each point of the result (or the updates): the place in the operand, None where it is outside.

        One window after the other, in the order of the indices: so are overlapping windows written.
        """
        window = set(self.offset)
        by_window = lambda p: [i for d, i in enumerate(p) if d not in window]
        for point in sorted(points(self.out_shape), key=by_window):
            start = self.start_of([i for d, i in enumerate(point) if d not in self.offset])
            last = [n - size for n, size in zip(self.shape, self.sizes, strict=True)]
            inside = all(0 <= s <= most for s, most in zip(start, last, strict=True))
            if mode == "clip":
                start = [min(max(s, 0), most) for s, most in zip(start, last, strict=True)]
            for d, offset in zip(self.kept, self.offset, strict=True):
                start[d] += point[offset]
            yield point, tuple(start) if inside or mode == "clip" else None


@some
@given(seeds, modes)
def test_gather_reads_each_window_where_its_index_says(seed: int, mode: str) -> None:
    case = Windows(seed)
    want = np.full(case.out_shape, np.nan, np.float32)
    for point, place in case.places("clip" if mode == "promise_in_bounds" else mode):
        if place is not None:
            want[point] = case.operand[place]
    got = lax.gather(case.operand, case.indices, case.numbers(lax.GatherDimensionNumbers), case.sizes, mode=mode)
    np.testing.assert_array_equal(np.asarray(got), want)


COMBINE = {
    "scatter": lambda old, new: new,
    "scatter_add": lambda old, new: old + new,
    "scatter_sub": lambda old, new: old - new,
    "scatter_mul": lambda old, new: old * new,
    "scatter_min": min,
    "scatter_max": max,
}


@some
@given(seeds, modes, st.sampled_from(sorted(COMBINE)))
def test_scatter_writes_the_updates_one_after_the_other(seed: int, mode: str, name: str) -> None:
    case = Windows(seed)
    want = case.operand.copy()
    for point, place in case.places(mode):
        if place is not None:
            want[place] = COMBINE[name](want[place], case.updates[point])
    numbers = case.numbers(lax.ScatterDimensionNumbers)
    got = getattr(lax, name)(case.operand, case.indices, case.updates, numbers, mode=mode)
    np.testing.assert_allclose(np.asarray(got), want, rtol=1e-5)


def test_scatter_apply_applies_as_often_as_an_index_is_there() -> None:
    numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
    indices = np.array([[1], [1], [3], [9]], np.int32)
    got = lax.scatter_apply(jnp.arange(4.0), indices, lambda x: x * 2 + 1, numbers, update_shape=(4,))
    assert got.tolist() == [0.0, 7.0, 2.0, 7.0]


@pytest.mark.parametrize(
    "dtype, fill", [("float16", np.nan), ("int8", -128), ("uint8", 255), ("bool", True), ("complex64", np.nan)]
)
def test_reading_outside_gives_nan_or_an_end_of_the_range(dtype: str, fill: Any) -> None:
    numbers = lax.GatherDimensionNumbers((), (0,), (0,))
    got = lax.gather(jnp.zeros(3, dtype), np.array([[7]], np.int32), numbers, (1,), mode="fill")
    np.testing.assert_array_equal(np.asarray(got), np.array([fill], dtype))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32"])
def test_indices_of_any_integer_dtype_reach_their_extremes(dtype: str) -> None:
    numbers = lax.GatherDimensionNumbers((), (0,), (0,))
    info = np.iinfo(dtype)
    indices = np.array([[info.min], [info.max]], dtype)
    got = lax.gather(jnp.array([5.0, 6.0]), indices, numbers, (1,), mode="clip")
    assert got.tolist() == [5.0, 6.0]


# ---- slices


@some
@given(seeds)
def test_dynamic_slice_wraps_a_negative_start_and_then_clamps(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(1, 6, rng.integers(1, 4)).tolist())
    x = rng.integers(0, 100, shape).astype(np.int32)
    sizes = [int(rng.integers(0, n + 1)) for n in shape]
    starts = [int(rng.integers(-8, 8)) for _ in shape]
    firsts = [min(max(s + n if s < 0 else s, 0), n - k) for s, n, k in zip(starts, shape, sizes, strict=True)]
    window = tuple(slice(first, first + k) for first, k in zip(firsts, sizes, strict=True))
    np.testing.assert_array_equal(np.asarray(lax.dynamic_slice(x, jnp.array(starts), sizes)), x[window])
    written = x.copy()
    written[window] = -1
    got = lax.dynamic_update_slice(x, np.full(sizes, -1, np.int32), starts)
    np.testing.assert_array_equal(np.asarray(got), written)


@some
@given(seeds)
def test_slice_and_rev_are_numpys(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(0, 6, rng.integers(0, 4)).tolist())
    x = rng.normal(size=shape).astype(np.float32)
    starts = [int(rng.integers(0, n + 1)) for n in shape]
    limits = [int(rng.integers(s, n + 1)) for s, n in zip(starts, shape, strict=True)]
    strides = [int(rng.integers(1, 4)) for _ in shape]
    want = x[tuple(map(slice, starts, limits, strides))]
    np.testing.assert_array_equal(np.asarray(lax.slice(x, starts, limits, strides)), want)
    axes = [d for d in range(len(shape)) if rng.random() < 0.5]
    np.testing.assert_array_equal(np.asarray(lax.rev(x, axes)), np.flip(x, axes))


def test_slices_along_one_axis() -> None:
    x = jnp.arange(12).reshape(3, 4)
    assert lax.slice_in_dim(x, -3, None, 2, axis=1).tolist() == [[1, 3], [5, 7], [9, 11]]
    assert lax.index_in_dim(x, -1, keepdims=False).tolist() == [8, 9, 10, 11]
    assert lax.dynamic_slice_in_dim(x, 9, 1).tolist() == [[8, 9, 10, 11]]
    assert lax.dynamic_index_in_dim(x, -2, 1, keepdims=False).tolist() == [2, 6, 10]
    assert lax.dynamic_update_slice_in_dim(x, x[:1], 9, 0)[2].tolist() == [0, 1, 2, 3]
    assert lax.dynamic_update_index_in_dim(x, jnp.zeros(3, int), 1, axis=1)[:, 1].tolist() == [0, 0, 0]
    assert lax.index_take(x, (jnp.array([0, -1]), jnp.array([5, 2])), (0, 1)).tolist() == [1, 10]


def test_two_scatters_of_a_kind_share_one_printed_program() -> None:
    numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
    once = lambda x, i: lax.scatter_add(x, i, x[:2], numbers)
    text = str(jax.make_jaxpr(lambda x, i: once(once(x, i), i))(jnp.ones(4), jnp.array([[0], [2]])))
    assert text.count("update_jaxpr=jaxpr") == 2 and text.startswith("let jaxpr = ")


# ---- refusals

V = np.arange(6, dtype=np.float32)
I = np.array([[1], [2]], np.int32)
G, S = lax.GatherDimensionNumbers, lax.ScatterDimensionNumbers


@pytest.mark.parametrize(
    "error, words, call",
    [
        (TypeError, "slice limit_indices must be less than or equal", lambda: lax.slice(V, (1,), (9,))),
        (TypeError, "start_indices must have every element be nonnegative", lambda: lax.slice(V, (-1,), (3,))),
        (TypeError, "must have every element be an integer type", lambda: lax.slice(V, (1.5,), (3,))),
        (TypeError, "rev dimensions must be unique", lambda: lax.rev(V, (0, 0))),
        (ValueError, r"operand dimensions \(2 vs \(6,\)\)", lambda: lax.dynamic_slice(V, (0, 0), (1,))),
        (TypeError, "integers of the same type, got: float32", lambda: lax.dynamic_slice(V, (1.0,), (1,))),
        (TypeError, "update shape must be smaller", lambda: lax.dynamic_update_slice(V, np.ones(7, np.float32), (0,))),
        (IndexError, "index 9 is out of bounds for axis 0 with size 6", lambda: lax.index_in_dim(V, 9)),
        (ValueError, 'Unknown gather mode "wrap"', lambda: lax.gather(V, I, G((), (0,), (0,)), (1,), mode="wrap")),
        (NotImplementedError, "one_hot", lambda: lax.gather(V, I, G((), (0,), (0,)), (1,), mode="one_hot")),
        (ValueError, "indices must have an integer type", lambda: lax.gather(V, I * 1.0, G((), (0,), (0,)), (1,))),
        (TypeError, "offset_dims in gather op must be sorted", lambda: lax.gather(V, I, G((1, 0), (0,), (0,)), (1,))),
        (TypeError, "can only collapse slice dims with bound 1", lambda: lax.gather(V, I, G((), (0,), (0,)), (2,))),
        (TypeError, "Slice size at index 0 in gather op", lambda: lax.gather(V, I, G((1,), (), (0,)), (9,))),
        (TypeError, "Updates tensor must be of rank 1; got 0", lambda: lax.scatter(V, I, V[0], S((), (0,), (0,)))),
        (TypeError, "updates bound is 3, indices bound is 2", lambda: lax.scatter(V, I, V[:3], S((), (0,), (0,)))),
        (TypeError, "Scatter op has window of size 0", lambda: lax.scatter(V, I, V[:2], S((), (), (0,)))),
        (TypeError, "to have the same dtypes", lambda: lax.scatter(V, I, I[:, 0], S((), (0,), (0,)))),
    ],
)  # fmt: skip
def test_refusals_use_jaxs_words(error: type[Exception], words: str, call: Any) -> None:
    with pytest.raises(error, match=words):
        call()
