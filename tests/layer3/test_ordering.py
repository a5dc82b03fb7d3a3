"""Long arrays in order by the digits of their keys: as the impl rule sorts them, in every case that has one order."""

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.layer1_core.evaluate import interpret
from minijax.layer3_control.ordering import SHORT

N = SHORT + 7


def keys(dtype, n=N):
    """Numbers with many equal ones; floats with both zeros, both infinities, and NaNs of both signs."""
    rng, dtype = np.random.default_rng(0), np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, n).astype(bool)
    if dtype.kind in "iu":
        ends = np.iinfo(dtype)
        x = rng.integers(ends.min, ends.max, n, dtype=dtype, endpoint=True)
    else:
        x = rng.standard_normal(n).astype(dtype)
        x[:12] = [0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan] * 2
    x[n // 2 :] = rng.permutation(x[: n - n // 2])
    return x


def both(fun, *args):
    """What the compiled function gives, and what its equations give one by one."""
    traced = jax.make_jaxpr(fun)(*args)
    return jax.jit(fun)(*args), interpret(traced.jaxpr)([np.asarray(x) for x in args])


def assert_same(fun, *args):
    found, expected = both(fun, *args)
    for x, y in zip(found, expected, strict=True):
        assert np.asarray(x).tobytes() == np.asarray(y).tobytes()


@pytest.mark.parametrize("dtype", "bool int8 uint8 int16 uint32 int32 int64 uint64 float32 float64".split())
def test_elements_follow_their_keys_in_the_order_they_came(dtype):
    with jax.enable_x64(True):
        assert_same(lambda k, v: lax.sort((k, v), num_keys=1), keys(dtype), np.arange(N))


def test_later_keys_decide_where_earlier_ones_are_equal():
    k = keys("int8"), keys("float32"), np.arange(N, dtype="int32")
    assert_same(lambda *k: lax.sort(k, num_keys=2), *k)


@pytest.mark.parametrize("n", [SHORT - 1, SHORT])
def test_the_shortest_long_array_and_the_longest_short_one(n):
    assert_same(lambda k, v: lax.sort((k, v), num_keys=1), keys("float32", n), np.arange(n, dtype="int32"))


def test_the_text_has_loops_and_no_call():
    text = jax.jit(lambda k, v: lax.sort((k, v), num_keys=1)).lower(keys("uint32"), np.arange(N)).as_text()
    assert "call(" not in text and "for " in text


def test_argsort_of_a_long_array_in_a_loop():
    def run(x):
        return lax.fori_loop(0, 3, lambda _, p: jnp.argsort(x[p]), jnp.arange(N))

    x = keys("float32")
    expected = np.arange(N)
    for _ in range(3):
        expected = np.argsort(x[expected], kind="stable")
    assert (jax.jit(run)(x) == expected).all()


def test_a_table_of_counts_is_changed_in_place():
    """It is read where it is written, in one round: no copy of it is made."""
    count = lambda xs: lax.scan(lambda c, i: (c.at[i].set(c[i] + 1), None), jnp.zeros(64, "int32"), xs)[0]
    xs = np.random.default_rng(0).integers(0, 64, 500)
    text = jax.jit(count).lower(xs).as_text()
    assert text.count("range(64)") <= 2
    assert (jax.jit(count)(xs) == np.bincount(xs, minlength=64)).all()
