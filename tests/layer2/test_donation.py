"""A donated argument gives its memory to a result; nobody else who has that memory sees it change."""

import warnings

import numpy as np

import minijax as jax
import minijax.numpy as jnp
from minijax.layer1_core.config import interpret_jaxprs

twice_plus = jax.jit(lambda x, y: x * 2 + y, donate_argnums=0)


def fresh():
    return jnp.asarray(np.arange(5, dtype=np.float32))


def test_the_result_lies_where_the_donated_argument_was():
    x = fresh()
    place = x.unsafe_buffer_pointer()
    for _ in range(3):
        before, x = x, twice_plus(x, jnp.ones(5))
        assert before.is_deleted() and x.unsafe_buffer_pointer() == place
    assert x.tolist() == [7, 15, 23, 31, 39]


def test_a_view_of_a_donated_array_keeps_its_values():
    x = fresh()
    row, seen = x.reshape(1, 5), np.asarray(x)
    assert twice_plus(x, jnp.ones(5)).tolist() == [1, 3, 5, 7, 9]
    assert row.tolist() == [[0, 1, 2, 3, 4]] and seen.tolist() == [0, 1, 2, 3, 4]


def test_another_array_with_the_same_memory_keeps_its_values():
    x = fresh()
    same = jax.jit(lambda x: x)(x)
    twice_plus(x, jnp.ones(5))
    assert same.tolist() == [0, 1, 2, 3, 4]


def test_a_numpy_array_that_is_donated_stays_the_callers():
    mine = np.arange(5, dtype=np.float32)
    assert twice_plus(mine, jnp.ones(5)).tolist() == [1, 3, 5, 7, 9] and mine.tolist() == [0, 1, 2, 3, 4]


def test_without_the_compiler_donation_deletes_all_the_same():
    x = fresh()
    with interpret_jaxprs(True):
        assert jax.jit(lambda x, y: x * 2 + y, donate_argnums=0)(x, jnp.ones(5)).tolist() == [1, 3, 5, 7, 9]
    assert x.is_deleted()


def test_an_argument_that_stays_alive_is_not_overwritten():
    x = jnp.array([3.0, 1.0, 2.0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that the memory was of no use
        jax.jit(lambda x: jnp.sort(x * 2).sum(), donate_argnums=0)(x)
    assert x.tolist() == [3, 1, 2]


def test_a_captured_array_that_is_donated_as_well_keeps_its_values():
    x = jnp.array([3.0, 1.0, 2.0])
    f = jax.jit(lambda y: y * 2 + x[::-1], donate_argnums=0)
    assert f(x).tolist() == [8, 3, 7]
    assert f(jnp.zeros(3)).tolist() == [2, 1, 3]


def test_a_view_that_a_called_step_returns_is_not_overwritten():
    def f(a):
        t = a * 2
        y = jax.lax.bitcast_convert_type(t, jnp.int32)
        return y, t + jnp.sort(t)

    a = np.arange(4, dtype=np.float32)
    y, _ = jax.jit(f)(a)
    assert np.array_equal(np.asarray(y), (a * 2).view(np.int32))
