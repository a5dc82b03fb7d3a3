"""Keys that are used twice are found, with both places of use, in values and in programs."""

import inspect

import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax.errors import KeyReuseError

R = jax.random


def twice():
    key = R.key(0)
    R.bits(key)
    R.bits(key)


def drawn_after_split():
    key = R.key(0)
    R.split(key)
    R.normal(key)


def split_after_draw():
    key = R.key(0)
    R.normal(key)
    R.split(key)


def element():
    keys = R.split(R.key(0), 3)
    R.bits(keys[1])
    R.bits(keys[1])


def mapped_and_used():
    keys = R.split(R.key(0), 3)
    jax.vmap(R.bits)(keys)
    R.bits(keys[1])


def in_a_program():
    jax.jit(lambda k: R.bits(k) + R.bits(k))(R.key(0))


def in_each_step():
    key = R.key(0)
    jax.lax.scan(lambda c, x: (c, R.bits(key)), 0, None, length=2)


def in_each_round():
    jax.lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + R.bits(c[1]), c[1]), (jnp.uint32(0), R.key(0)))


def in_a_branch():
    key = R.key(0)
    jax.lax.cond(True, lambda k: R.bits(k), lambda k: jnp.uint32(1), key)
    R.bits(key)


def closed_over_and_called_again():
    key = R.key(0)
    f = jax.jit(lambda x: x + R.normal(key))
    f(1.0)
    f(2.0)


def closed_over_after_use():
    key = R.key(0)
    R.normal(key)
    jax.jit(lambda: R.normal(key))()


def used_after_it_was_closed_over():
    key = R.key(0)
    jax.jit(lambda: R.split(key))()
    R.bits(key)


def closed_over_and_used_twice():
    key = R.key(0)
    jax.jit(lambda: R.bits(key) + R.bits(key))()


def closed_over_in_a_branch():
    key = R.key(0)
    jax.jit(lambda x: jax.lax.cond(x > 0, lambda: R.normal(key), lambda: R.uniform(key)))(1.0)
    R.bits(key)


def closed_over_in_a_function_inside():
    key = R.key(0)
    jax.jit(lambda k: R.bits(k) + jax.jit(lambda: R.bits(key))())(R.key(1))
    R.bits(key)


FOUND = {
    twice: "Previously-consumed key passed to random_bits at index 0",
    drawn_after_split: "Previously-consumed key passed to jit-compiled function at index 0",
    split_after_draw: "Previously-consumed key passed to random_split at index 0",
    element: "Previously-consumed key passed to slice at index 0",
    mapped_and_used: "Previously-consumed key passed to slice at index 0",
    in_a_program: "In random_bits, argument 0 is already consumed.",
    in_each_step: "because key constants are repeatedly consumed",
    in_each_round: "while_loop body function leads to key reuse when repeatedly executed",
    closed_over_and_called_again: "Previously-consumed key passed to jit-compiled function at index 1",
    closed_over_after_use: "Previously-consumed key passed to jit-compiled function at index 0",
    used_after_it_was_closed_over: "Previously-consumed key passed to random_bits at index 0",
    closed_over_and_used_twice: "In random_bits, argument 0 is already consumed.",
    closed_over_in_a_branch: "Previously-consumed key passed to random_bits at index 0",
    closed_over_in_a_function_inside: "Previously-consumed key passed to random_bits at index 0",
    in_a_branch: "Previously-consumed key passed to random_bits at index 0",
}


@pytest.mark.parametrize("program", FOUND, ids=lambda f: f.__name__)
def test_a_second_use_is_found(program):
    program()  # nothing is said without the flag
    with jax.debug_key_reuse(True), pytest.raises(KeyReuseError, match=FOUND[program]):
        program()


@pytest.mark.parametrize("program", [closed_over_and_called_again, closed_over_after_use], ids=lambda f: f.__name__)
def test_a_key_that_is_closed_over_is_found_with_the_flag_set_for_the_process(program):
    program()
    jax.config.update("jax_debug_key_reuse", True)
    try:
        with pytest.raises(KeyReuseError, match=FOUND[program]):
            program()
    finally:
        jax.config.update("jax_debug_key_reuse", False)


def test_a_key_that_is_closed_over_may_be_used_once():
    with jax.debug_key_reuse(True):
        key, other = R.split(R.key(0))
        jax.jit(lambda k: R.bits(k) + R.bits(key))(other)
        parent = R.key(1)
        f = jax.jit(lambda i: R.bits(R.fold_in(parent, i)))
        assert f(1) != f(2)
        R.bits(parent)


def test_a_loop_uses_a_key_that_a_function_in_its_body_closes_over_in_each_step():
    key = R.key(0)
    f = jax.jit(lambda: R.bits(key))
    with jax.debug_key_reuse(True), pytest.raises(KeyReuseError, match="key constants are repeatedly consumed"):
        jax.jit(lambda k: jax.lax.scan(lambda c, _: (c + f(), R.bits(k)), jnp.uint32(0), None, length=2))(R.key(1))


def test_the_error_names_both_places():
    first = inspect.getsourcelines(twice)[1] + 2
    with jax.debug_key_reuse(True), pytest.raises(KeyReuseError) as found:
        twice()
    (note,) = found.value.__notes__
    assert f"first used at {__file__}:{first}:" in note
    assert f"again at  {__file__}:{first + 1}:" in note


def test_what_uses_no_key_twice_is_let_pass():
    with jax.debug_key_reuse(True):
        key, sub = R.split(R.key(0))
        R.normal(sub)
        keys = R.split(key, 4)
        for each in (keys[0], keys[1]):
            R.uniform(each)
        R.key_data(keys)
        assert bool((keys == keys).all())
        parent = R.key(1)
        R.bits(R.fold_in(parent, 1))
        R.bits(R.fold_in(parent, 2))
        R.bits(parent)
        R.bits(R.clone(parent))
        jax.lax.scan(lambda k, _: (R.split(k)[0], 1), R.key(2), None, length=3)
        words = R.PRNGKey(0)
        R.bits(words)
        R.bits(words)
