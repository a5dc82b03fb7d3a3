"""Batches for the tests of layer 5: examples of a case of ops.py, put together, and what a loop makes of them."""

import zlib

import numpy as np

import minijax as jax
import minijax.numpy as jnp
from ops import Case, draw

SIZE = 3


def examples(case: Case, count: int = SIZE) -> list[list[np.ndarray]]:
    """So many lists of arguments for the case, the same in every run."""
    rng = np.random.default_rng(zlib.crc32(case.name.encode()))
    return [[draw(rng, shape, dtype, case.domain) for shape, dtype in case.types] for _ in range(count)]


def stacked(arrays, axis=0):
    """The arrays along a new axis; of trees, the leaves."""
    return jax.tree.map(lambda *xs: jnp.asarray(np.stack([np.asarray(x) for x in xs], axis)), *arrays)


def leaves(out) -> list[np.ndarray]:
    return [np.asarray(x) for x in jax.tree.leaves(out)]


def assert_close(got, want):
    """Two results are of one type, and equal but for rounding: sums may be taken in another order."""
    got, want = leaves(got), leaves(want)
    assert [(g.shape, g.dtype) for g in got] == [(w.shape, w.dtype) for w in want]
    for g, w in zip(got, want, strict=True):
        if w.dtype.kind in "biu":
            np.testing.assert_array_equal(g, w)
        else:
            wide = np.complex128 if w.dtype.kind == "c" else np.float64
            rtol = 2e-2 if w.dtype.itemsize == 2 else 2e-4
            np.testing.assert_allclose(g.astype(wide), w.astype(wide), rtol=rtol, atol=rtol)
