"""Avals, dtypes, promotion."""

import itertools
import pickle

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax.layer1_core import dtypes
from minijax.layer1_core.aval import ShapedArray, shaped, typeof

NAMES = ["bool", "uint8", "uint16", "uint32", "int8", "int16", "int32", "bfloat16", "float16", "float32", "complex64"]
TYPES = [(jnp.dtype(n), False) for n in NAMES] + [(np.dtype(n), True) for n in ("int32", "float32", "complex64")]


@pytest.mark.parametrize(("a", "b"), list(itertools.product(TYPES, TYPES)))
def test_promotion_commutes_and_is_idempotent(a, b) -> None:
    assert dtypes.join(a, b) == dtypes.join(b, a)
    assert dtypes.join(a, dtypes.join(a, b)) == dtypes.join(a, b)


@pytest.mark.parametrize(("a", "b", "c"), list(itertools.combinations(TYPES[:11], 3)))
def test_promotion_of_strong_types_is_associative_where_it_does_not_leave_32_bits(a, b, c) -> None:
    with jax.enable_x64(True):
        assert dtypes.join(a, dtypes.join(b, c)) == dtypes.join(dtypes.join(a, b), c) == dtypes.join(a, b, c)


def test_a_weak_scalar_gives_way_to_any_array_of_its_kind() -> None:
    for name in ("int8", "uint16"):
        assert (jnp.ones(1, name) + 1).dtype == name
    for name in ("float16", "bfloat16"):
        assert (jnp.ones(1, name) * 2.0).dtype == name


def test_equal_avals_are_interned_and_unequal_ones_differ() -> None:
    assert shaped((2, 3), np.dtype("float32")) is shaped((2, 3), np.dtype("float32"), False)
    aval = ShapedArray((2,), np.float32)
    assert aval == ShapedArray([2], "float32")
    for other in (aval.update(shape=(3,)), aval.update(dtype=np.dtype("int32")), aval.update(weak_type=True)):
        assert aval != other
    assert pickle.loads(pickle.dumps(aval)) == aval


def test_every_field_of_an_aval_is_there_from_the_start() -> None:
    aval = typeof(1.0)
    assert (aval.is_undivided, aval.vma, aval.memory_space) == (True, frozenset(), "device")


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("value", [True, 1, 1.0, 1j, np.float64(1), np.int8(1), np.ones(2)])
def test_the_type_of_a_value_is_that_of_the_array_made_of_it(value, x64: bool) -> None:
    with jax.enable_x64(x64):
        assert typeof(value) == typeof(jnp.asarray(value))


def test_64_bits_are_cut_down_with_a_warning_only_where_they_were_named() -> None:
    with pytest.warns(UserWarning, match="Explicitly requested dtype float64 requested in zeros is not available"):
        assert jnp.zeros(1, np.float64).dtype == np.float32
    assert jnp.zeros(1, float).dtype == np.float32


def test_a_thread_local_flag_is_not_seen_by_other_threads_and_is_restored() -> None:
    with pytest.raises(RuntimeError), jax.enable_x64(True):
        raise RuntimeError
    assert not jax.config.jax_enable_x64


def test_an_unknown_flag_is_refused() -> None:
    with pytest.raises(AttributeError, match="Unrecognized config option"):
        jax.config.update("jax_no_such_flag", True)


def test_strict_promotion_refuses_mixed_dtypes_and_takes_scalars() -> None:
    with jax.numpy_dtype_promotion("strict"):
        assert (jnp.ones(2) * 2).dtype == np.float32
        with pytest.raises(ValueError, match="no available implicit dtype promotion path"):
            jnp.ones(2) + jnp.ones(2, int)
