"""Sequences, grids and matrices are NumPy's, with JAX's dtypes, and refuse what JAX refuses."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import minijax as jax
import minijax.numpy as jnp

some = settings(max_examples=25, deadline=None)
small = st.integers(0, 4)
offset = st.integers(-4, 4)


def agree(mine: Any, theirs: Any) -> None:
    np.testing.assert_allclose(np.asarray(mine), theirs, rtol=1e-5, atol=1e-6)


def same(mine: Any, theirs: Any) -> None:
    assert len(mine) == len(theirs)
    for a, b in zip(mine, theirs, strict=True):
        np.testing.assert_array_equal(np.asarray(a), b)


# ---- sequences


@some
@given(st.floats(-9, 9, width=16), st.floats(-9, 9, width=16), st.integers(0, 7), st.booleans())
def test_linspace_agrees_with_numpy_and_ends_where_it_should(a: float, b: float, n: int, endpoint: bool) -> None:
    mine, step = jnp.linspace(a, b, n, endpoint=endpoint, retstep=True)
    theirs, their_step = np.linspace(a, b, n, endpoint=endpoint, retstep=True)
    agree(mine, theirs)
    assert mine.dtype == jnp.float32 and (n == 0 or mine[0] == a)
    assert n < 2 or not endpoint or mine[-1] == b
    assert n < 2 or np.isclose(step, their_step, atol=1e-5)


def test_sequences_run_along_any_axis_and_in_any_dtype() -> None:
    start, stop = np.array([0.0, 1.0], np.float32), np.array([3.0, 9.0], np.float32)
    for axis in (0, 1, -1):
        agree(jnp.linspace(start, stop, 4, axis=axis), np.linspace(start, stop, 4, axis=axis))
        agree(jnp.logspace(start, 2.0, 3, axis=axis), np.logspace(start, 2.0, 3, axis=axis))
        agree(jnp.geomspace(start + 1, stop, 3, axis=axis), np.geomspace(start + 1, stop, 3, axis=axis))
    assert jnp.linspace(-3, 3, 5, dtype=jnp.int32).tolist() == [-3, -2, 0, 1, 3]
    assert jnp.geomspace(-1, -1000, 4).dtype == jnp.float32 and jnp.linspace(0, 1j, 3).dtype == jnp.complex64


@pytest.mark.parametrize("name", ["hanning", "hamming", "bartlett", "blackman"])
def test_tapers_agree_with_numpy(name: str) -> None:
    for n in (0, 1, 2, 7):
        agree(getattr(jnp, name)(n), getattr(np, name)(n))
    agree(jnp.kaiser(6, 3.0), np.kaiser(6, 3.0))


# ---- grids


@some
@given(st.lists(small, max_size=3), st.booleans(), st.sampled_from(["xy", "ij"]))
def test_meshgrid_and_indices_agree_with_numpy(sizes: list[int], sparse: bool, indexing: Any) -> None:
    axes = [np.arange(n, dtype=np.float32) for n in sizes]
    theirs = np.meshgrid(*axes, sparse=sparse, indexing=indexing) if axes else []
    same(jnp.meshgrid(*axes, sparse=sparse, indexing=indexing), theirs)
    same(jnp.indices(sizes, sparse=sparse), np.indices(sizes, sparse=sparse))
    same(jnp.ix_(*axes), np.ix_(*axes))


def test_slices_make_grids() -> None:
    agree(jnp.mgrid[0:3, 1:2:3j], np.mgrid[0:3, 1:2:3j])
    agree(jnp.mgrid[3:0:-1], np.mgrid[3:0:-1])
    same(jnp.ogrid[0:2, 0:1:0.5], np.ogrid[0:2, 0:1:0.5])
    assert jnp.s_[1:2, ...] == (slice(1, 2), ...) and jnp.index_exp[0] == (0,)


@pytest.mark.parametrize(
    "text",
    ["r_[v, 0, 0, v]", "r_[1:4, 0]", "r_['0,2', v, v]", "r_['1,2,0', v, v]",
     "r_['-1', m, m]", "r_['0,3,0', v]", "c_[v, v]", "c_[m, m]", "c_[1:3, w]"],
)  # fmt: skip
def test_concatenation_by_index_agrees_with_numpy(text: str) -> None:
    names = {"v": np.arange(3.0, dtype=np.float32), "w": np.arange(2.0), "m": np.ones((2, 3), np.float32)}
    agree(eval(f"jnp.{text}", {"jnp": jnp, **names}), eval(f"np.{text}", {"np": np, **names}))


# ---- matrices


@some
@given(small, small, offset)
def test_triangles_and_their_indices_agree_with_numpy(n: int, m: int, k: int) -> None:
    x = np.arange(n * m, dtype=np.int32).reshape(n, m)
    same([jnp.tri(n, m, k), jnp.tril(x, k), jnp.triu(x, k)], [np.tri(n, m, k), np.tril(x, k), np.triu(x, k)])
    same(jnp.tril_indices(n, k, m), np.tril_indices(n, k, m))
    same(jnp.triu_indices_from(x, k), np.triu_indices_from(x, k))
    batch = jnp.stack([x, x + 1])
    same(jnp.tril(batch, k), np.tril(batch, k))


@some
@given(small, small, offset)
def test_diagonals_agree_with_numpy(n: int, m: int, k: int) -> None:
    x = np.arange(n * m, dtype=np.float32).reshape(n, m)
    if n and m:
        same([jnp.diagonal(x, k), jnp.diag(x, k)], [np.diagonal(x, k), np.diag(x, k)])
    same([jnp.diag(x.ravel(), k), jnp.diagflat(x, k)], [np.diag(x.ravel(), k), np.diagflat(x, k)])
    assert float(jnp.trace(x, k)) == np.trace(x, k)
    cube = np.arange(24).reshape(2, 3, 4)
    same([jnp.diagonal(cube, k, 2, 0)], [np.diagonal(cube, k, 2, 0)])
    same([jnp.trace(cube, k, 1, 2)], [np.trace(cube, k, 1, 2)])


def test_indices_pick_the_diagonal() -> None:
    x = jnp.arange(9).reshape(3, 3)
    assert x[jnp.diag_indices(3)].tolist() == x[jnp.diag_indices_from(x)].tolist() == [0, 4, 8]
    same(jnp.mask_indices(3, jnp.triu), np.mask_indices(3, np.triu))
    assert [d.dtype.name for d in jnp.diag_indices(2, 3)] == ["int32"] * 3


def test_powers_make_vandermondes_matrix() -> None:
    x = np.array([1.0, 2.0, 3.0], np.float32)
    for n, increasing in ((None, False), (2, True), (4, False)):
        agree(jnp.vander(x, n, increasing), np.vander(x, n, increasing))


def test_a_function_of_indices_sees_scalars() -> None:
    seen = []
    out = jnp.fromfunction(lambda i, j: (seen.append(i.shape), i * 10 + j)[1], (2, 3), dtype=int)
    assert out.tolist() == [[0, 1, 2], [10, 11, 12]] and set(seen) == {()}
    assert jnp.fromfunction(lambda i: jnp.stack([i, -i]), (2,)).tolist() == [[0.0, 0.0], [1.0, -1.0]]
    assert jnp.fromstring("1 2", dtype=int, sep=" ").tolist() == [1, 2]


# ---- refusals

v, m = np.arange(3.0), np.ones((2, 3))


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: jnp.linspace(0, 1, -1), ValueError, "Number of samples, -1, must be non-negative."),
        (lambda: jax.jit(lambda n: jnp.linspace(0, 1, n))(3), TypeError, "'num' argument of jnp.linspace"),
        (lambda: jnp.meshgrid(m), ValueError, r"must be 1D, got shapes \[\(2, 3\)\]"),
        (lambda: jnp.meshgrid(v, indexing="ab"), ValueError, "Valid values for indexing are 'xy' and 'ij', got ab"),
        (lambda: jnp.ix_(v > 0), NotImplementedError, "Boolean arguments to jax.numpy.ix_ are not implemented"),
        (lambda: jnp.r_["xx", v], ValueError, "could not understand directive 'xx'"),
        (lambda: jnp.r_[v, "r"], ValueError, "string directive must be placed at the beginning"),
        (lambda: jnp.tril(v), ValueError, "Argument to jax.numpy.tril must be at least 2D"),
        (lambda: jnp.triu_indices_from(v), ValueError, "Only 2-D inputs are accepted"),
        (lambda: jnp.diag_indices(-1), ValueError, "n argument to diag_indices must be nonnegative, got -1"),
        (lambda: jnp.diag_indices_from(m), ValueError, "All dimensions of input must be of equal length"),
        (lambda: jnp.diag(1.0), ValueError, "diag input must be 1d or 2d"),
        (lambda: jnp.diagonal(v), ValueError, "diagonal requires an array of at least two dimensions."),
        (lambda: jnp.trace(m, 0, 1, 1), ValueError, "axis1 and axis2 can not be same. axis1=1 and axis2=1"),
        (lambda: jnp.vander(m), ValueError, "x must be a one-dimensional array"),
        (lambda: jnp.hanning(-1), TypeError, "must have every element be nonnegative"),
        (lambda: jnp.fromiter([1], int), NotImplementedError, r"jnp.fromiter\(\) is not implemented"),
    ],
)
def test_refusals_are_jaxs(call: Any, error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        call()


def test_triangles_and_sequences_are_jitted_as_in_jax() -> None:
    name = lambda f: jax.make_jaxpr(f)(jnp.ones((2, 2))).eqns[0].params.get("name")
    assert (name(jnp.tril), name(jnp.diag), name(lambda x: jnp.linspace(x, x, 2))) == ("tril", "_diag", "_linspace")
