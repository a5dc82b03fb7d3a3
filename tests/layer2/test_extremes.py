"""The largest and the smallest of many floats are found among whole numbers, and are the same."""

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from compiled import programs
from minijax import lax
from minijax.layer2_jit.compiler import Program, form_of
from minijax.layer2_jit.loops import Kernel

FUNCTIONS = {
    "rows": lambda x: (x.max(1), x.min(1)),
    "columns": lambda x: (x.max(0), x.min(0)),
    "all": lambda x: (x.max(), x.min()),
    "so far": lambda x: (lax.cummax(x, 1), lax.cummin(x, 0)),
    "of a sum": lambda x: (x + (x - x).max(1, keepdims=True)).min(0),
    "both": lambda x: (lax.max(x.max(1), x.min(1)), lax.min(x.max(0), x.min(0))),
}


def edges(dtype):
    """Floats at which an order of bits could go wrong."""
    info = np.finfo(dtype)
    sizes = [0.0, info.smallest_subnormal, info.tiny, 1.0, info.max, np.inf]
    signs = np.array([0.0, -0.0], dtype).view(f"u{dtype.itemsize}")
    nans = (signs | (np.array(np.inf, dtype).view(signs.dtype) + 1)).view(dtype)  # next to inf and to -inf
    return np.array([*sizes, *(-x for x in sizes), *nans, np.nan], dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_extreme_is_the_one_of_the_interpreter_to_the_bit(name, dtype):
    with jax.enable_x64():
        each = edges(np.dtype(dtype))
        x, y, z = np.meshgrid(each, each, each)
        rows = np.stack([x.ravel(), y.ravel(), z.ravel()], 1)
        for values in (rows, rows.T, rows[~np.isnan(rows).any(1)]):
            compiled, interpreted, args = programs(FUNCTIONS[name], (np.ascontiguousarray(values),))
            for got, want in zip(compiled(args), interpreted(args), strict=True):
                np.testing.assert_array_equal(got, want)
                numbers = ~np.isnan(want)
                assert np.array_equal(np.signbit(got[numbers]), np.signbit(want[numbers]))


def compiled_text(fun, x):
    (kernel,) = (step for _, step in Program(jax.make_jaxpr(fun)(x)).steps if isinstance(step, Kernel))
    return form_of(kernel)[0][0]


def test_machine_code_compares_keys_where_many_floats_are_compared():
    x = np.ones((8, 8), "float32")
    rows = compiled_text(lambda x: x.max(1), x)
    assert "= max(v2, key_of_max(x0[" in rows and "= from_key_of_max(v2)" in rows
    assert "key_of_min" in compiled_text(lambda x: x.min(), x)
    assert "key" not in jax.jit(lambda x: x.max(1)).lower(x).as_text()


@pytest.mark.parametrize("fun", [lambda x: x.sum(1), lambda x: jnp.maximum(x, x.T), lambda x: x.astype(int).max(1)])
def test_nothing_else_becomes_a_key(fun):
    assert "key" not in compiled_text(fun, np.ones((8, 8), "float32"))
