"""Loops and branches of batches: each example goes its own way, and comes to what it comes to alone."""

import numpy as np
import pytest
from batches import assert_close, stacked

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.extend.core import check_jaxpr

S = jnp.arange(5.0)
M = jnp.arange(10.0).reshape(5, 2)


def newton(a):
    """The square root of `a`, by as many steps as it needs."""
    near = lambda x: jnp.abs(x * x - a) > 1e-3
    return lax.while_loop(near, lambda x: (x + a / x) / 2, a + 1)


def collatz(n):
    odd = lambda m: 3 * m + 1
    step = lambda s: (lax.cond(s[0] % 2 == 1, odd, lambda m: m // 2, s[0]), s[1] + 1)
    return lax.while_loop(lambda s: s[0] > 1, step, (n, 0))[1]


def nested(n):
    inner = lambda i: lax.while_loop(lambda s: s[0] < i, lambda s: (s[0] + 1, s[1] + s[0]), (0, 0))[1]
    return lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, s[1] + inner(s[0])), (0, 0))[1]


def matrix_power(k, x):
    turn = jnp.array([[0.0, 1.0], [1.0, 1.0]])
    return lax.fori_loop(0, k, lambda i, v: turn @ v, x)


LOOPS = {
    "newton": (newton, (S + 1,)),
    "collatz": (collatz, (jnp.array([1, 7, 27, 6, 2]),)),
    "nested": (nested, (jnp.array([0, 3, 5, 1, 4]),)),
    "matrix_power": (matrix_power, (jnp.array([0, 3, 5, 1, 4]), M)),
    "scan of while": (lambda x: lax.scan(lambda c, t: (newton(c + t), c), 1.0, x), (M,)),
    "while of scan": (
        lambda x: lax.while_loop(lambda v: v.sum() < 50, lambda v: lax.scan(lambda c, t: (c + t, c + t), 1.0, v)[1], x),
        (M,),
    ),
    "cond of scan": (lambda p, x: lax.cond(p > 2, lambda v: lax.cumsum(v), lambda v: v * 0 + 1, x), (S, M)),
    "switch": (lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, lambda v: v[::-1]], x), (jnp.array([2, 0, 9, -4, 1]), M)),
    "carry becomes batched": (
        lambda k: lax.scan(lambda c, _: ((c[1], c[2], c[2] + k), c[0]), (0.0, 0.0, 0.0), None, 4),
        (S,),
    ),
    "sequences backwards": (lambda x: lax.scan(lambda c, t: (c * 0.5 + t, c), 0.0, x, reverse=True), (M,)),
}


@pytest.mark.parametrize("name", LOOPS)
def test_a_batch_comes_to_what_each_example_comes_to(name):
    fun, args = LOOPS[name]
    want = stacked([fun(*(x[i] for x in args)) for i in range(5)])
    mapped = jax.vmap(fun)
    assert_close(mapped(*args), want)
    assert_close(jax.jit(mapped)(*args), want)
    check_jaxpr(jax.make_jaxpr(mapped)(*args))


@pytest.mark.parametrize("name", LOOPS)
def test_a_batch_of_batches_does_too(name):
    fun, args = LOOPS[name]
    grid = [jnp.stack([x, x[::-1]]) for x in args]
    want = stacked([jax.vmap(fun)(*(x[i] for x in grid)) for i in range(2)])
    assert_close(jax.jit(jax.vmap(jax.vmap(fun)))(*grid), want)
    turned = [jnp.moveaxis(x, 0, 1) for x in grid]
    assert_close(jax.vmap(jax.vmap(fun), in_axes=1)(*turned), want)


def test_a_batched_condition_is_one_kernel_that_masks():
    text = jax.jit(jax.vmap(newton)).lower(S + 1).as_text()
    assert text.count("while True:") == 1 and "select(" in text


def test_examples_that_have_ended_are_not_computed_wrong():
    """A body that would divide by zero, once an example has ended, must not show in its result."""
    got = jax.jit(
        jax.vmap(lambda n: lax.while_loop(lambda s: s[0] > 0, lambda s: (s[0] - 1, s[1] / s[0]), (n, 1.0))[1])
    )(jnp.array([1.0, 4.0, 0.0]))
    np.testing.assert_allclose(got, [1.0, 1 / 24, 1.0])


def test_a_branch_that_is_not_taken_gives_no_nan_to_a_gradient():
    f = lambda x: lax.cond(x > 0, jnp.sqrt, lambda v: 0.0 * v, x)
    got = jax.grad(lambda x: jax.vmap(f)(x).sum())(jnp.array([0.0, 4.0, -1.0]))
    np.testing.assert_allclose(got, [0.0, 0.25, 0.0])


def test_forward_mode_goes_through_a_masked_loop():
    got = jax.jvp(jax.vmap(newton), (S + 1,), (jnp.ones(5),))[1]
    want = [jax.jvp(newton, (s,), (1.0,))[1] for s in S + 1]
    assert_close(got, np.stack(want))
    assert_close(jax.jit(lambda s: jax.jvp(jax.vmap(newton), (s,), (jnp.ones(5),))[1])(S + 1), np.stack(want))


def test_a_number_of_steps_that_is_the_same_for_all_stays_a_plain_loop():
    f = lambda n, x: lax.fori_loop(0, n, lambda i, v: v * 2, x)
    (eqn,) = [e for e in jax.make_jaxpr(jax.vmap(f, (None, 0)))(3, S).eqns if e.primitive.name == "while"]
    assert eqn.params["cond_jaxpr"].out_avals[0].shape == ()
    assert_close(jax.vmap(f, (None, 0))(3, S), S * 8)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7])
def test_map_takes_batches_of_any_size(size):
    got = jax.jit(lambda x: lax.map(lambda v: v.sum(), x, batch_size=size))(M)
    assert_close(got, M.sum(1))
