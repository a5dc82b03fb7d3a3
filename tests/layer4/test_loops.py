"""Derivatives of loops and branches: the same as those of Python's own, and with as little in memory as JAX has."""

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.layer2_jit.loops import Kernel
from minijax.layer4_grad.ordering import as_found
from minijax.layer4_grad.programs import partial_eval_jaxpr

W, U, B = jnp.eye(3) * 0.5 + 0.1, jnp.ones((3, 3)) * 0.2, jnp.ones(3) * 0.1
START, XS = jnp.ones(3), jnp.linspace(-1, 1, 15).reshape(5, 3)


def gated(w, u, b, c, x):
    h = jnp.tanh(w @ c + u @ x + b)
    z = jax.nn.sigmoid(u @ c + jnp.sin(b))
    return c * z + h * (1 - z)


def by_scan(w, u, b, start, xs, reverse=False):
    def step(c, x):
        c = gated(w, u, b, c, x)
        return c, (2 * c, x)

    return lax.scan(step, start, xs, reverse=reverse)


def by_python(w, u, b, start, xs, reverse=False):
    c, ys = start, []
    for x in xs[::-1] if reverse else xs:
        c = gated(w, u, b, c, x)
        ys.append(2 * c)
    return c, (jnp.stack(ys[::-1] if reverse else ys), xs)


def loss(loop, **how):
    def f(*args):
        c, (ys, xs) = loop(*args, **how)
        return (c * c).sum() + (ys * xs).sum()

    return f


def assert_close(got, want, rtol=2e-5):
    for g, w in zip(jax.tree.leaves(got), jax.tree.leaves(want), strict=True):
        np.testing.assert_allclose(g, w, rtol=rtol, atol=rtol)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("whole", [lambda f: f, jax.jit], ids=["eager", "jit"])
def test_the_vjp_of_a_scan_is_that_of_the_unrolled_loop(reverse, whole):
    args = W, U, B, START, XS
    rolled = whole(jax.grad(loss(by_scan, reverse=reverse), range(5)))(*args)
    assert_close(rolled, jax.grad(loss(by_python, reverse=reverse), range(5))(*args))


def test_second_derivatives_of_a_scan_are_those_of_the_unrolled_loop():
    of = lambda loop: jax.hessian(lambda c: loss(loop)(W, U, B, c, XS))(START)
    assert_close(of(by_scan), of(by_python), 1e-4)


@pytest.mark.parametrize("x", [-2.0, 2.0])
def test_a_branch_has_the_derivative_of_what_is_taken(x):
    branches = lambda x: jnp.sin(x) * x, lambda x: x**3
    chosen = lambda x: lax.cond(x > 0, *branches, x)
    taken = branches[0] if x > 0 else branches[1]
    for grad in (jax.grad, lambda f: jax.jit(jax.grad(f)), lambda f: jax.grad(jax.grad(f))):
        assert_close(grad(chosen)(x), grad(taken)(x))


def test_a_loop_that_may_go_on_for_ever_is_refused_backwards():
    loop = lambda x, n: lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] * x), (0, x))[1]
    assert jax.jvp(lambda x: loop(x, 3), (2.0,), (1.0,)) == (16.0, 32.0)
    with pytest.raises(ValueError, match="Reverse-mode differentiation does not work"):
        jax.grad(lambda x: loop(x, 3))(2.0)


# ---- memory


def residual_bytes(f, *args):
    """What the pullback of a function keeps, the arguments included; each array once."""
    kept = {id(x): x.nbytes for x in jax.tree.leaves(jax.vjp(f, *args)[1])}
    return sum(kept.values())


def test_constants_are_kept_once_however_many_steps_there_are():
    w = jnp.ones((100, 100)) / 100
    f = lambda w, xs: lax.scan(lambda c, x: (jnp.tanh(w @ c + x), None), jnp.ones(100), xs)[0]
    few, many = (residual_bytes(f, w, jnp.ones((n, 100))) for n in (10, 110))
    per_step = 3 * 100 * 4  # the carry before, tanh, 1 - tanh: as in JAX
    assert few == w.nbytes + 10 * per_step
    assert many - few == 100 * per_step


def test_what_is_the_same_in_all_steps_is_computed_once_and_not_stacked():
    f = lambda a, xs: lax.scan(lambda c, x: (c * jnp.sin(a) + x, None), 1.0, xs)[0]
    jaxpr = jax.make_jaxpr(jax.grad(f))(1.0, jnp.ones(4))
    assert [eqn.primitive.name for eqn in jaxpr.eqns] == ["sin", "cos", "scan", "scan"]
    stacked = [v.aval.shape for v in jaxpr.eqns[2].outvars if v.aval.shape]
    assert stacked == [(4,)]  # the carry alone


# ---- compiled


def steps(f, *args):
    """The steps of the compiled function that are loops: 'kernel' for a native one, else what is called."""
    ir = jax.jit(f).lower(*args).compiler_ir()
    return ["kernel" if isinstance(s, Kernel) else s.primitive.name for n, s in ir.steps if "scan" in n or "cond" in n]


def test_the_gradient_of_a_native_loop_is_two_native_loops():
    assert steps(loss(by_scan), W, U, B, START, XS) == ["kernel"]
    assert steps(jax.grad(loss(by_scan), range(5)), W, U, B, START, XS) == ["kernel"] * 2


def test_the_gradient_of_a_checkpointed_step_is_native_too():
    f = lambda c, xs: lax.scan(jax.checkpoint(lambda c, x: (jnp.sin(W @ c + x), c)), c, xs)[0].sum()
    assert steps(jax.grad(f), START, XS) == ["kernel"] * 2


def test_a_loop_of_gradients_is_native():
    step = lambda w, x: (w - 0.1 * jax.grad(lambda w: (x @ w - 1.0) ** 2)(w), None)
    assert steps(lambda w, xs: lax.scan(step, w, xs)[0], START, XS) == ["kernel"]


def test_equal_gradients_of_a_loop_are_of_one_program():
    def twice(x):
        f = lambda x: lax.scan(step, x, XS)[0].sum()
        return jax.grad(f)(x), jax.grad(f)(x)

    def step(c, x):
        return jnp.sin(c * x), None

    scans = [eqn for eqn in jax.make_jaxpr(twice)(START).eqns if eqn.primitive is lax.scan_p]
    assert scans[0].params["jaxpr"] is scans[2].params["jaxpr"]
    assert scans[1].params["jaxpr"] is scans[3].params["jaxpr"]


# ---- the order of constants


def test_constants_are_in_the_order_in_which_they_are_found_from_the_end():
    jaxpr = jax.make_jaxpr(lambda a, b, x: b * (x * a))(1.0, 2.0, 3.0)
    halves = partial_eval_jaxpr(jaxpr, (False, False, True))
    found = as_found(halves)
    assert (halves.forwarded, found.forwarded) == ([0, 1], [1, 0])
    assert [halves.unknown.invars.index(v) for v in found.unknown.invars] == [1, 0, 2]
