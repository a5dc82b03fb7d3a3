"""x[index] and x.at[index] agree with NumPy, and say what NumPy leaves open: places out of bounds."""

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import minijax as jax
import minijax.numpy as jnp

some = settings(max_examples=80, deadline=None)
few = settings(max_examples=20, deadline=None)  # each example has a shape of its own, and is compiled
shapes = st.lists(st.integers(0, 4), min_size=0, max_size=3).map(tuple)


def numbered(shape: tuple[int, ...], dtype: Any = np.float32) -> np.ndarray:
    return np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)


def same(a: Any, b: Any) -> bool:
    a, b = np.asarray(a), np.asarray(b)
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


# ---- indices of every kind


def integers(n: int) -> st.SearchStrategy[int]:
    return st.integers(-n, n - 1)


def slices(n: int) -> st.SearchStrategy[slice]:
    bound = st.none() | st.integers(-n - 2, n + 2)
    return st.builds(slice, bound, bound, st.none() | st.sampled_from([1, 2, 3, -1, -2]))


def arrays(n: int) -> st.SearchStrategy[np.ndarray]:
    """Integers of a shape that broadcasts with all others: [], [2], [1], [2, 1] or [2, 2]."""
    shape = st.sampled_from([(), (2,), (1,), (2, 1), (2, 2)])
    return shape.flatmap(
        lambda s: st.lists(integers(n), min_size=int(np.prod(s)), max_size=int(np.prod(s))).map(
            lambda v: np.array(v, np.int32).reshape(s)
        )
    )


def masks(shape: tuple[int, ...]) -> st.SearchStrategy[np.ndarray]:
    """A mask with two true elements, so that it broadcasts with the arrays; or none where there is no room."""
    size = int(np.prod(shape))
    places = st.lists(st.integers(0, size - 1), min_size=2, max_size=2, unique=True) if size >= 2 else st.just([])
    return places.map(lambda p: np.isin(np.arange(size), p).reshape(shape))


@st.composite
def indexed(draw: Any, advanced: bool = True) -> tuple[np.ndarray, tuple[Any, ...]]:
    """An array and an index into it: entries for the first axes, an ellipsis, entries for the last ones, new axes."""
    shape = draw(shapes)
    first, last = draw(st.integers(0, len(shape))), draw(st.integers(0, len(shape)))
    last = min(last, len(shape) - first)
    front = [draw(entries(n, advanced)) for n in shape[:first]]
    back = [draw(entries(n, advanced)) for n in shape[len(shape) - last :]]
    index = [*front, *([...] if back or draw(st.booleans()) else []), *back]
    for _ in range(draw(st.integers(0, 2))):
        index.insert(draw(st.integers(0, len(index))), None)
    return numbered(shape), tuple(index)


def entries(n: int, advanced: bool) -> st.SearchStrategy[Any]:
    """An entry for an axis of size n."""
    kinds: list[st.SearchStrategy[Any]] = [slices(n)] + ([integers(n)] if n else [])
    if advanced:
        kinds += ([arrays(n)] if n else []) + ([masks((n,))] if n >= 2 else [])
    return st.one_of(kinds)


@some
@given(indexed())
def test_reading_agrees_with_numpy(case: tuple[np.ndarray, tuple[Any, ...]]) -> None:
    x, index = case
    assert same(jnp.asarray(x)[index], x[index])


@few
@given(indexed())
def test_reading_under_jit_is_reading(case: tuple[np.ndarray, tuple[Any, ...]]) -> None:
    x, index = case
    assert same(jax.jit(lambda a: a[index])(x), x[index])


@few
@given(indexed(advanced=False))
def test_traced_integers_read_what_known_ones_read(case: tuple[np.ndarray, tuple[Any, ...]]) -> None:
    x, index = case
    places = [i for i, e in enumerate(index) if isinstance(e, int)]

    @jax.jit
    def read(a: Any, *numbers: Any) -> Any:
        entries = list(index)
        for place, number in zip(places, numbers, strict=True):
            entries[place] = number
        return a[tuple(entries)]

    assert same(read(x, *(index[i] for i in places)), x[index])


@few
@given(indexed(), st.sampled_from(["set", "add", "multiply", "min", "max", "subtract"]))
def test_updating_agrees_with_numpy_in_place(case: tuple[np.ndarray, tuple[Any, ...]], name: str) -> None:
    x, index = case
    expected = x.copy()
    if name == "set":
        expected[index] = 7
    else:
        getattr(np, {"min": "minimum", "max": "maximum"}.get(name, name)).at(expected, index, 7)
    assert same(getattr(jnp.asarray(x).at[index], name)(7), expected)
    assert same(jax.jit(lambda a: getattr(a.at[index], name)(7))(x), expected)


@some
@given(indexed())
def test_what_is_written_is_what_is_read(case: tuple[np.ndarray, tuple[Any, ...]]) -> None:
    x, index = case
    marks = jnp.zeros(x.shape, bool).at[index].set(True)
    assert np.asarray(marks[index]).all()
    assert int(marks.sum()) == len(np.unique(x[index]))


@some
@given(shapes.filter(lambda s: len(s) > 0), st.data())
def test_a_mask_of_several_axes_reads_their_elements_in_order(shape: tuple[int, ...], data: Any) -> None:
    x = numbered(shape)
    mask = data.draw(masks(shape[: data.draw(st.integers(1, len(shape)))]))
    assert same(jnp.asarray(x)[mask], x[mask])
    assert same(jnp.asarray(x)[jnp.asarray(mask)], x[mask])


# ---- out of bounds


@pytest.mark.parametrize("i", [3, 7, -4, -100])
def test_an_integer_out_of_bounds_reads_the_nearest_element(i: int) -> None:
    x = jnp.arange(3)
    nearest = 2 if i > 0 else 0
    assert x[i] == x[jnp.array([i])][0] == jax.jit(lambda a, j: a[j])(x, i) == nearest


@pytest.mark.parametrize("i", [3, -4])
def test_a_write_out_of_bounds_is_dropped(i: int) -> None:
    x = jnp.arange(3)
    assert same(x.at[i].set(9), x)
    assert same(x.at[jnp.array([0, i])].add(1), x.at[0].add(1))
    assert same(x.at[i].set(9, mode="clip"), x.at[2 if i > 0 else 0].set(9))


@pytest.mark.parametrize(
    ("dtype", "fill"), [("float32", np.nan), ("int32", -(2**31)), ("uint8", 255), ("int8", -128), ("bool", True)]
)
def test_fill_reads_the_least_useful_value(dtype: str, fill: Any) -> None:
    x = jnp.ones(3, dtype)
    assert np.array_equal(x.at[5].get(mode="fill"), np.array(fill, dtype), equal_nan=dtype == "float32")
    assert x.at[5].get(mode="fill", fill_value=0) == np.zeros((), dtype)
    assert same(jnp.take(x, 5), x.at[5].get(mode="fill"))


def test_negative_integers_count_from_the_end_unless_told_otherwise() -> None:
    x = jnp.arange(3.0)
    assert x.at[-1].get() == 2 and x.at[-1].get(wrap_negative_indices=False) == 0
    assert same(x.at[-1].set(9, wrap_negative_indices=False), x)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint32"])
def test_the_dtype_of_an_index_does_not_matter(dtype: str) -> None:
    x = jnp.arange(101)
    assert same(x[jnp.array([3, 100], dtype)], x[jnp.array([3, 100])])


# ---- dtypes of updates


def test_an_update_keeps_the_dtype() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        assert jnp.arange(3).at[0].set(2.7).dtype == np.int32
        assert jnp.ones(3, "bfloat16").at[0].add(1.5).dtype == jnp.bfloat16
        assert jnp.arange(3).at[0].divide(2).dtype == np.float32


def test_an_update_that_loses_digits_warns() -> None:
    with pytest.warns(FutureWarning, match="scatter inputs have incompatible types"):
        jnp.arange(3).at[0].set(2.7)


def test_divide_and_power_change_only_the_elements_named() -> None:
    x = jnp.arange(1.0, 5.0)
    assert same(x.at[1:3].divide(2), np.array([1, 1, 1.5, 4], np.float32))
    assert same(x.at[1:3].power(2), np.array([1, 4, 9, 4], np.float32))


def test_apply_is_once_for_each_time_a_place_is_named() -> None:
    assert same(jnp.zeros(3).at[jnp.array([0, 0, 2])].apply(lambda v: v + 1), np.array([2, 0, 1], np.float32))


def test_the_whole_array_by_a_trivial_index_is_the_array_itself() -> None:
    x = jnp.arange(6).reshape(2, 3)
    assert x[:] is x and x[...] is x and x[()] is x and x[:, ...] is x


# ---- refusals


@pytest.mark.parametrize(
    ("index", "error", "words"),
    [
        ((0, 0, 0), IndexError, "Too many indices: array is 2-dimensional, but 3 were indexed"),
        ((..., ...), IndexError, "an index can only have a single ellipsis"),
        ([0, 1], TypeError, r"use `arr\[array\(seq\)\]` instead"),
        ([slice(None)], TypeError, r"use `arr\[tuple\(seq\)\]` instead"),
        ("a", TypeError, "JAX does not support string indexing; got idx='a'"),
        (1.5, TypeError, "Indexer must have integer or boolean type, got indexer with type float64"),
        ({}, IndexError, "only integers, slices"),
        (np.ones(3, bool), IndexError, r"boolean index did not match shape of indexed array in index 0: got \(3,\)"),
        (slice(None, None, 0), ValueError, "slice step cannot be zero"),
    ],
)
def test_what_is_no_index_is_refused(index: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        jnp.ones((2, 3))[index]


def test_a_traced_mask_is_refused() -> None:
    with pytest.raises(jax.errors.NonConcreteBooleanIndexError, match=r"must be concrete; got bool\[3\]"):
        jax.jit(lambda x: x[x > 1])(jnp.arange(3))


def test_a_slice_with_a_traced_bound_is_refused() -> None:
    with pytest.raises(IndexError, match="Slice entries must be static integers"):
        jax.jit(lambda x, n: x[:n])(jnp.arange(3), 2)


def test_an_axis_of_size_0_has_no_element() -> None:
    with pytest.raises(IndexError, match="index is out of bounds for axis 0 with size 0"):
        jnp.zeros((0, 3))[0]


def test_values_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="Incompatible types for broadcasting"):
        jnp.zeros((2, 3)).at[0].set(jnp.arange(2.0))


# ---- equations


def equations(fun: Any, *args: Any) -> list[str]:
    return [eqn.primitive.name for eqn in jax.make_jaxpr(fun)(*args).eqns]


@pytest.mark.parametrize(
    ("fun", "names"),
    [
        (lambda x: x[0], ["slice", "squeeze"]),
        (lambda x: x[::-1], ["rev"]),
        (lambda x: x[:, None], ["broadcast_in_dim"]),
        (lambda x: x[:, ::2], ["slice"]),
        (lambda x: x.at[0].set(0.0), ["broadcast_in_dim", "broadcast_in_dim", "scatter"]),
    ],
)
def test_known_indices_are_slices(fun: Any, names: list[str]) -> None:
    assert equations(fun, np.ones((2, 3), np.float32)) == names


def test_a_traced_scalar_is_a_dynamic_slice_and_an_array_a_gather() -> None:
    x = np.ones((2, 3), np.float32)
    assert equations(lambda x, i: x[i], x, 0)[-2:] == ["dynamic_slice", "squeeze"]
    assert equations(lambda x, i: x[i], x, np.array([0])) == ["lt", "add", "select_n", "broadcast_in_dim", "gather"]
