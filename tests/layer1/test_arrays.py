"""Arrays: immutable, placed, deletable, exchangeable."""

import copy
import pickle

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax.layer1_core.array import ArrayImpl


def test_array_impl_is_registered_and_inherits_only_object() -> None:
    assert ArrayImpl.__mro__ == (ArrayImpl, object)
    assert issubclass(ArrayImpl, jax.Array)
    assert isinstance(jnp.ones(1), jax.Array)
    seen = []
    jax.make_jaxpr(lambda x: seen.append(isinstance(x, jax.Array)) or x)(1.0)
    assert seen == [True]


def test_the_numpy_view_is_read_only_and_shares_memory() -> None:
    x = jnp.arange(3)
    view = np.asarray(x)
    assert not view.flags.writeable
    assert np.shares_memory(view, np.asarray(x))
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 1


def test_an_array_does_not_change_with_the_numpy_array_it_came_from() -> None:
    for make in (jnp.array, jnp.asarray, jax.device_put, jax.jit(lambda v: v)):
        source = np.zeros(3, np.float32)
        x = make(source)
        source[:] = 7
        assert x.tolist() == [0, 0, 0]


@pytest.mark.parametrize("dtype", ["float32", "int8", "bool", "bfloat16", "complex64"])
def test_pickle_and_copies_give_equal_arrays(dtype: str) -> None:
    x = jnp.array([[0, 1], [1, 1]], dtype)
    for y in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
        assert y is not x
        assert y.dtype == x.dtype
        assert y.tolist() == x.tolist()


def test_a_deleted_array_keeps_its_type_and_refuses_its_value() -> None:
    x = jnp.ones((2, 3))
    x.delete()
    assert (x.shape, x.dtype, x.is_deleted()) == ((2, 3), np.dtype("float32"), True)
    for use in (lambda: x + 1, lambda: np.asarray(x), lambda: str(x), lambda: x.tolist(), x.is_ready):
        with pytest.raises(RuntimeError, match="deleted"):
            use()
    with pytest.raises(jax.errors.JaxRuntimeError):
        x.block_until_ready()


def test_dlpack_goes_both_ways() -> None:
    x = jnp.arange(4.0)
    assert np.from_dlpack(x).tolist() == [0, 1, 2, 3]
    assert jnp.from_dlpack(np.arange(3)).tolist() == [0, 1, 2]
    with pytest.raises(TypeError, match="__dlpack__"):
        jnp.from_dlpack([1, 2])


def test_committed_operands_on_two_devices_are_refused() -> None:
    jax.config.update("jax_num_cpu_devices", 2)
    try:
        first, second = jax.devices()
        a, b = jax.device_put(jnp.ones(2), first), jax.device_put(jnp.ones(2), second)
        with pytest.raises(ValueError, match="incompatible devices"):
            a + b
        assert (jnp.ones(2) + b).device == second
    finally:
        jax.config.update("jax_num_cpu_devices", 1)


def test_printing_long_arrays_breaks_as_numpy_does() -> None:
    text = repr(jnp.arange(40))
    assert max(map(len, text.splitlines())) <= 80
    assert text.startswith("Array([ 0,")
