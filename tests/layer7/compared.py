"""Results compared."""

import numpy as np

import minijax as jax


def assert_same(got, want):
    """The arrays of two trees have the same types and the same elements."""
    for a, b in zip(jax.tree.leaves(got), jax.tree.leaves(want), strict=True):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        assert np.array_equal(np.asarray(a), np.asarray(b), equal_nan=a.dtype.kind in "fc")
