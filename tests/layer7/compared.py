"""Results compared."""

import numpy as np

import minijax as jax


def assert_same(got, want):
    """The arrays of two trees have the same types and the same elements."""
    for a, b in zip(jax.tree.leaves(got), jax.tree.leaves(want), strict=True):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        assert np.array_equal(np.asarray(a), np.asarray(b), equal_nan=a.dtype.kind in "fc")


def assert_close(got, want):
    """The arrays of two trees have the same types, and elements that are equal or, of inexact types, equal to rounding:
    devices sum their own elements first, so in another order.
    """
    for a, b in zip(jax.tree.leaves(got), jax.tree.leaves(want), strict=True):
        a, b = np.asarray(a), np.asarray(b)
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        if b.dtype.kind in "biu":
            np.testing.assert_array_equal(a, b)
            continue
        digits = 2e-4 if b.dtype.itemsize >= 4 else 2e-2
        kind = np.complex128 if b.dtype.kind == "c" else np.float64
        np.testing.assert_allclose(a.astype(kind), b.astype(kind), rtol=digits, atol=digits)
