"""checkpoint changes what is kept, and nothing else."""

import numpy as np
import pytest
from test_loops import residual_bytes

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.ad_checkpoint import checkpoint_name, print_saved_residuals
from minijax.extend.core import check_jaxpr

P = jax.checkpoint_policies
W, X = jnp.linspace(-1, 1, 9).reshape(3, 3), jnp.arange(3.0)


def straight(w, x):
    y = checkpoint_name(jnp.sin(w @ x), "y")
    return (jnp.cos(w @ y) * jnp.exp(y)).sum()


def looping(w, x):
    return lax.scan(lambda c, _: (jnp.sin(w @ c), checkpoint_name(c * c, "y")), x, None, length=4)[1].sum()


def branching(w, x):
    return lax.cond(x.sum() > 0, lambda: jnp.sin(w @ x).sum(), lambda: (w * w).sum())


def counting(w, x):
    n = lax.while_loop(lambda c: c < 3.0, lambda c: c + 1.0, 0.0)
    return jnp.sin(w @ x * n).sum()


def calling(w, x):
    return jax.jit(straight)(w, x) + jax.checkpoint(straight)(x[:, None] * w, x)


FUNCTIONS = [straight, looping, branching, counting, calling]
POLICIES = {
    "none": None,
    "everything": P.everything_saveable,
    "dots": P.dots_saveable,
    "dots without batches": P.dots_with_no_batch_dims_saveable,
    "the name y": P.save_only_these_names("y"),
    "other names": P.save_any_names_but_these("y"),
}


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES.keys())
@pytest.mark.parametrize("f", FUNCTIONS)
def test_a_checkpointed_function_has_the_same_derivatives(f, policy):
    g = jax.checkpoint(f, policy=policy)
    assert np.isclose(g(W, X), f(W, X))
    check_jaxpr(jax.make_jaxpr(jax.grad(g, (0, 1)))(W, X))
    want = jax.grad(f, (0, 1))(W, X)
    for grad in (jax.grad(g, (0, 1)), jax.jit(jax.grad(g, (0, 1)))):
        for a, b in zip(grad(W, X), want, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("f", [straight, looping, branching])
def test_second_derivatives_are_the_same_too(f):
    twice = lambda f: jax.jvp(jax.grad(f, 1), (W, X), (W, X))[1]
    np.testing.assert_allclose(twice(jax.checkpoint(f)), twice(f), rtol=1e-4, atol=1e-5)


# ---- memory


def chain(x):
    for _ in range(20):
        x = jnp.sin(x)
    return x


def test_a_checkpointed_chain_keeps_its_argument_alone():
    x = jnp.ones(1000)
    assert residual_bytes(chain, x) == 20 * x.nbytes
    assert residual_bytes(jax.checkpoint(chain), x) == x.nbytes


def test_a_loop_of_checkpointed_steps_keeps_the_carries_alone():
    xs = jnp.ones((50, 100))
    loop = lambda step: lambda xs: lax.scan(lambda c, x: (step(c + x), None), xs[0], xs)[0]
    plain, saving = residual_bytes(loop(chain), xs), residual_bytes(loop(jax.checkpoint(chain)), xs)
    assert plain == 20 * xs.nbytes
    assert saving == xs.nbytes


@pytest.mark.parametrize(
    ("policy", "kept"),
    [(P.nothing_saveable, 2), (P.dots_saveable, 4), (P.save_only_these_names("y"), 3), (P.everything_saveable, 7)],
    ids=str,
)
def test_a_policy_says_how_many_values_are_kept(policy, kept):
    leaves = jax.tree.leaves(jax.vjp(jax.checkpoint(straight, policy=policy), W, X)[1])
    assert len(leaves) == kept


# ---- compiled


def transcendentals(f, *args):
    return jax.jit(jax.value_and_grad(f)).lower(*args).compile().cost_analysis()["transcendentals"]


def test_the_compiler_computes_again_what_was_not_kept_unless_it_may_merge():
    f, x = lambda x: chain(x).sum(), jnp.ones(10)
    once = transcendentals(f, x)
    assert once == 10 * (20 + 20)
    assert transcendentals(jax.checkpoint(f), x) == once + 10 * 19
    assert transcendentals(jax.checkpoint(f, prevent_cse=False), x) == once


def test_an_argument_may_be_static():
    f = jax.checkpoint(lambda x, flag: jnp.sin(x) if flag else x, static_argnums=1)
    assert jax.grad(f)(1.0, True) == jnp.cos(1.0)
    assert jax.grad(f)(1.0, False) == 1.0
    with pytest.raises(jax.errors.ConcretizationTypeError, match="static_argnums"):
        jax.checkpoint(lambda x, flag: jnp.sin(x) if flag else x)(1.0, True)


def test_what_is_saved_is_told_with_the_line_that_it_came_from(capsys):
    print_saved_residuals(jax.checkpoint(straight, policy=P.save_only_these_names("y")), W, X)
    told = capsys.readouterr().out.splitlines()
    assert told[:2] == ["f32[3,3] from the argument w", "f32[3] from the argument x"]
    assert told[2].startswith("f32[3] named 'y' from ")
    assert told[2].endswith("(straight)")
