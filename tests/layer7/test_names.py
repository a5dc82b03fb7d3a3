"""What a module's `__getattr__` says of names that are not there."""

import inspect

import pytest

import minijax as jax

MODULES = [jax, jax.debug, jax.lax, jax.nn, jax.numpy, jax.random, jax.sharding]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_each_name_that_a_chapter_is_said_to_bring_is_there(module):
    promised = inspect.getclosurevars(module.__getattr__).nonlocals["chapter_of"]
    assert [name for name in promised if not hasattr(module, name)] == []


def test_a_generator_with_a_hidden_state_is_left_out_and_the_error_says_what_to_call():
    with pytest.raises(AttributeError, match=r"jax\.random\.uniform takes a key"):
        jax.lax.rng_uniform(0.0, 1.0, (2,))
    with pytest.raises(AttributeError, match=r"jax\.random\.bits"):
        _ = jax.lax.rng_bit_generator
