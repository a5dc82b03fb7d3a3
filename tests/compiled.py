"""A function as the compiler runs it and as the interpreter does, for the tests of layer 2."""

import numpy as np

import minijax as jax
from minijax.layer1_core.evaluate import interpret
from minijax.layer2_jit.compiler import Program


def programs(fun, values):
    """The compiled and the interpreted program of a function, and the arrays that they take."""
    jaxpr = jax.make_jaxpr(fun)(*values)
    args = [np.asarray(x, aval.dtype) for x, aval in zip(jax.tree.leaves(values), jaxpr.in_avals, strict=True)]
    return Program(jaxpr), interpret(jaxpr), args


def assert_close(got, want, rtol=3e-6):
    assert [(g.shape, g.dtype) for g in got] == [(w.shape, w.dtype) for w in want]
    for g, w in zip(got, want, strict=True):
        if w.dtype.kind in "biu":
            np.testing.assert_array_equal(g, w)
        else:
            wide = np.complex128 if w.dtype.kind == "c" else np.float64
            loose = 1e-2 if w.dtype.itemsize == 2 else rtol
            np.testing.assert_allclose(g.astype(wide), w.astype(wide), rtol=loose, atol=1e-6)
