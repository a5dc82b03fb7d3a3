"""Functions with rules of their own, on batches: a true rule gives what the function itself would give."""

import numpy as np
import pytest
from batches import assert_close

import minijax as jax
import minijax.numpy as jnp
from minijax.custom_batching import custom_vmap, sequential_vmap

X = jnp.arange(1.0, 7.0).reshape(3, 2)


def plain(x, y):
    return jnp.sin(x) * y, y + 1.0


@jax.custom_jvp
def by_jvp(x, y):
    return plain(x, y)


by_jvp.defjvp(lambda p, t: (by_jvp(*p), (jnp.cos(p[0]) * p[1] * t[0] + jnp.sin(p[0]) * t[1], t[1])))


@jax.custom_vjp
def by_vjp(x, y):
    return plain(x, y)


by_vjp.defvjp(
    lambda x, y: (by_vjp(x, y), (x, y)),
    lambda r, g: (jnp.cos(r[0]) * r[1] * g[0], (jnp.sin(r[0]) * g[0]).sum() + g[1].sum()),
)

WAYS = {
    "vmap(grad)": lambda f: jax.vmap(jax.grad(f, (0, 1)), (0, None)),
    "vmap(grad(jit))": lambda f: jax.vmap(jax.grad(jax.jit(f), (0, 1)), (0, None)),
    "jit(vmap(grad))": lambda f: jax.jit(jax.vmap(jax.grad(f, (0, 1)), (0, None))),
    "grad(vmap)": lambda f: jax.grad(lambda x, y: jax.vmap(f, (0, None))(x, y).sum(), (0, 1)),
    "grad(jit(vmap))": lambda f: jax.grad(lambda x, y: jax.jit(jax.vmap(f, (0, None)))(x, y).sum(), (0, 1)),
    "grad(vmap(jit))": lambda f: jax.grad(lambda x, y: jax.vmap(jax.jit(f), (0, None))(x, y).sum(), (0, 1)),
    "vmap(vmap(grad))": lambda f: lambda x, y: jax.vmap(jax.vmap(jax.grad(f, (0, 1)), (0, None)), (None, 0))(
        x, jnp.array([y, 2 * y])
    ),
    "mapped along the last axis": lambda f: lambda x, y: jax.vmap(jax.grad(f, (0, 1)), (1, None), -1)(x.T, y),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("fun", [by_jvp, by_vjp], ids=["custom_jvp", "custom_vjp"])
def test_a_true_rule_changes_nothing(fun, way):
    scalar = lambda f: lambda x, y: f(x, y)[0].sum() + 3 * f(x, y)[1].sum()
    assert_close(WAYS[way](scalar(fun))(X, 2.0), WAYS[way](scalar(plain))(X, 2.0))


@pytest.mark.parametrize("fun", [by_jvp, by_vjp], ids=["custom_jvp", "custom_vjp"])
def test_a_result_that_does_not_depend_on_the_batch_stays_one(fun):
    out = jax.vmap(fun, (0, None), (0, None))(X, 2.0)
    assert_close(out, jax.vmap(plain, (0, None), (0, None))(X, 2.0))


@pytest.mark.parametrize("order", ["sym", "plain"])
def test_zeros_that_are_symbols_are_those_of_one_example(order):
    seen = []

    @jax.custom_jvp
    def f(x, y):
        return x.sum() * y.sum()

    def rule(p, t):
        seen.append([(type(d).__name__, d.shape) for d in t])
        return f(*p), (jnp.ones(2) * t[0]).sum() * p[1].sum()

    f.defjvp(rule, symbolic_zeros=order == "sym")
    jax.jvp(lambda x: jax.vmap(f)(x, X), (X,), (X,))
    kinds = {"sym": "SymbolicZero", "plain": "VmapTracer"}
    assert [shape for _, shape in seen[-1]] == [(2,), (2,)]
    assert (seen[-1][1][0] == "SymbolicZero") == (kinds[order] == "SymbolicZero")


def test_the_rule_of_a_custom_vmap_is_told_what_is_mapped():
    told = []

    @custom_vmap
    def f(t, y):
        return t["a"] + y

    @f.def_vmap
    def rule(axis_size, in_batched, t, y):
        told.append((axis_size, in_batched))
        return t["a"] * 10 + y, True

    assert f({"a": 1.0}, 2.0) == 3.0
    assert_close(jax.vmap(f, ({"a": 0}, None))({"a": X}, 2.0), X * 10 + 2)
    assert told == [(3, [{"a": True}, False])]
    assert_close(jax.jit(jax.vmap(f, ({"a": 0}, None)))({"a": X}, 2.0), X * 10 + 2)
    assert_close(jax.vmap(jax.jit(f), ({"a": 1}, None))({"a": X}, 2.0), X.T * 10 + 2)


def test_the_tangents_of_a_custom_vmap_go_by_its_rule():
    @custom_vmap
    def f(x):
        return x * 2

    f.def_vmap(lambda size, batched, x: (x * 5, batched[0]))
    assert jax.jvp(f, (1.0,), (1.0,)) == (2.0, 2.0)
    out, out_dot = jax.jvp(jax.vmap(f), (X[0],), (jnp.ones(2),))
    assert_close((out, out_dot), (X[0] * 5, jnp.full(2, 5.0)))
    both = jax.vmap(lambda x: jax.jvp(f, (x,), (1.0,)))(X[0])
    assert_close(both, (X[0] * 5, jnp.full(2, 5.0)))


def test_a_sequential_function_sees_one_example_at_a_time():
    shapes = []

    @sequential_vmap
    def f(x, y):
        shapes.append(x.shape)
        return x.sum() * y

    assert_close(jax.vmap(f, (0, None))(X, 2.0), X.sum(1) * 2)
    assert set(shapes) == {(2,)}


@pytest.mark.parametrize("method", ["sequential", "sequential_unrolled", "expand_dims", "broadcast_all"])
def test_a_callback_is_mapped_as_it_says(method):
    host = lambda x, y: np.asarray(np.sin(x) * y, np.float32)
    shape = jax.ShapeDtypeStruct((2,), jnp.float32)
    f = lambda x, y: jax.pure_callback(host, shape, x, jnp.full(2, y), vmap_method=method)
    assert_close(jax.vmap(f, (0, None))(X, 2.0), jnp.sin(X) * 2)
    assert_close(jax.jit(jax.vmap(f))(X, jnp.arange(3.0)), jnp.sin(X) * jnp.arange(3.0)[:, None])
