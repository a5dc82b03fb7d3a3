"""A donated argument gives its memory to a result; nobody else who has that memory sees it change."""

import numpy as np

import minijax as jax
import minijax.numpy as jnp
from minijax.layer1_core.config import interpret_jaxprs

twice_plus = jax.jit(lambda x, y: x * 2 + y, donate_argnums=0)
ONES = jnp.ones(5)


def fresh():
    return jnp.asarray(np.arange(5, dtype=np.float32))


def test_the_result_lies_where_the_donated_argument_was():
    x = fresh()
    place = x.unsafe_buffer_pointer()
    for _ in range(3):
        before, x = x, twice_plus(x, ONES)
        assert before.is_deleted() and x.unsafe_buffer_pointer() == place
    assert x.tolist() == [7, 15, 23, 31, 39]


def test_a_view_of_a_donated_array_keeps_its_values():
    x = fresh()
    row, seen = x.reshape(1, 5), np.asarray(x)
    assert twice_plus(x, ONES).tolist() == [1, 3, 5, 7, 9]
    assert row.tolist() == [[0, 1, 2, 3, 4]] and seen.tolist() == [0, 1, 2, 3, 4]


def test_another_array_with_the_same_memory_keeps_its_values():
    x = fresh()
    same = jax.jit(lambda x: x)(x)
    twice_plus(x, ONES)
    assert same.tolist() == [0, 1, 2, 3, 4]


def test_a_numpy_array_that_is_donated_stays_the_callers():
    mine = np.arange(5, dtype=np.float32)
    assert twice_plus(mine, ONES).tolist() == [1, 3, 5, 7, 9] and mine.tolist() == [0, 1, 2, 3, 4]


def test_without_the_compiler_donation_deletes_all_the_same():
    x = fresh()
    with interpret_jaxprs(True):
        assert jax.jit(lambda x, y: x * 2 + y, donate_argnums=0)(x, ONES).tolist() == [1, 3, 5, 7, 9]
    assert x.is_deleted()
