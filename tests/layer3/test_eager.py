"""Loops outside of any program: run as a whole where that is one kernel, and step by step where something is called."""

import gc
import weakref

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.layer1_core import config
from minijax.layer3_control import eager


@pytest.fixture
def programs(monkeypatch):
    """What `whole` gives, in order."""
    found = []
    asked = eager.whole
    monkeypatch.setattr(eager, "whole", lambda *args: found.append(asked(*args)) or found[-1])
    return found


LOOPS = {
    "scan": lambda: lax.scan(lambda c, x: (c * 0.5 + x, c), 1.0, jnp.arange(5.0)),
    "scan, reversed": lambda: lax.scan(lambda c, x: (c - x, c), 1.0, jnp.arange(5.0), reverse=True),
    "while": lambda: lax.while_loop(lambda c: c[0] < 10, lambda c: (c[0] + 1, c[1] * 2.0), (0, 1.0)),
    "fori": lambda: lax.fori_loop(0, 7, lambda i, x: x.at[i % 3].add(1.0), jnp.zeros(3)),
    "nested": lambda: lax.scan(lambda c, x: (lax.fori_loop(0, 3, lambda i, t: t + x, c), c), 0.0, jnp.arange(4.0)),
    "no steps": lambda: lax.scan(lambda c, x: (c + x, x), 1.0, jnp.zeros((0,))),
}


@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_on_values_is_one_program_and_computes_what_its_steps_would(name, programs):
    whole = jax.tree.leaves(LOOPS[name]())
    assert programs and all(isinstance(program, eager.Program) for program in programs)
    with config.interpret_jaxprs(True):
        steps = jax.tree.leaves(LOOPS[name]())
    assert all(np.array_equal(x, y) and x.dtype == y.dtype for x, y in zip(whole, steps, strict=True))


def test_a_loop_that_calls_something_is_run_step_by_step(programs):
    seen = []

    def step(c, x):
        jax.debug.callback(lambda x: seen.append(int(x)), x)
        return c + x, c

    assert lax.scan(step, 0, jnp.arange(3))[0] == 3
    assert (programs, seen) == ([None], [0, 1, 2])


def test_the_same_loop_is_made_a_program_once(programs):
    step = lambda c, x: (c + x, None)
    for start in (1.0, 2.0):
        lax.scan(step, start, jnp.arange(3.0))
    lax.scan(step, 1.0, jnp.arange(4.0))
    first, again, longer = programs
    assert first is again and first is not longer


def test_the_program_of_a_loop_goes_when_the_function_goes(programs):
    step = lambda c, x: (c + x, None)
    lax.scan(step, 1.0, jnp.arange(3.0))
    alive = weakref.ref(programs.pop())
    assert alive() is not None
    del step
    gc.collect()
    assert alive() is None
