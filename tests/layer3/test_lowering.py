"""A loop or a branch is one kernel that computes what the interpreted one does."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from compiled import assert_close, programs
from minijax import lax
from minijax.layer2_jit import blas
from minijax.layer2_jit.loops import Kernel

X = np.linspace(-2, 2, 12, dtype=np.float32).reshape(4, 3)
V = X[0]
N = np.arange(4, dtype=np.int32)


def fibonacci(n):
    return lax.fori_loop(0, 10, lambda i, s: (s[1], s[0] + s[1]), (n, n + 1))


def rotation(x):
    return lax.scan(lambda c, _: ((c[1], c[2], c[0]), c[0]), (x, x * 2, x + 1), None, length=5)


def conditional(c, x):
    return lax.cond(x.sum() > 0, lambda c: c + x, lambda c: c * 0.5, c), lax.switch(
        (x[0] * 10).astype(int), [lambda: 0.0, lambda: x[1], lambda: c[0]]
    )


CASES = {
    "carry and stacked": (lambda xs: lax.scan(lambda c, x: (c * 0.5 + x, c + x), jnp.zeros(3), xs), X),
    "reversed": (lambda xs: lax.scan(lambda c, x: (c + x, c), jnp.zeros(3), xs, reverse=True), X),
    "swapped": (fibonacci, np.float32(1)),
    "rotated": (rotation, V),
    "the old carry is stacked": (lambda xs: lax.scan(lambda c, x: (x, c), V, xs), X),
    "carry and y are one": (lambda xs: lax.scan(lambda c, x: ((y := c + x), y), V, xs), X),
    "numbers as results": (lambda xs: lax.scan(lambda c, x: (c + 1, (2.0, x)), 0, xs), X),
    "no carry": (lambda xs: lax.map(lambda x: jnp.exp(x) / x.size, xs), X),
    "no steps": (lambda xs: lax.scan(lambda c, x: (c + x, c), V, xs), X[:0]),
    "nothing in a row": (lambda xs: lax.scan(lambda c, x: (c + x, c), X[0, :0], xs), X[:, :0]),
    "a constant array": (lambda w, xs: lax.scan(lambda c, x: (jnp.tanh(w @ c + x), c.sum()), V, xs), X[:3], X),
    "truth values": (lambda xs: lax.scan(lambda c, x: (c ^ (x[0] > 0), ~c), True, xs), X),
    "several kernels": (lambda xs: lax.scan(lambda c, x: (jax.nn.softmax(c * x), c.max()), V, xs), X),
    "nested": (
        lambda xs: lax.scan(lambda c, x: (lax.scan(lambda d, y: (d + y * c[0], d), 0.0, x)[0] + c, c), V, xs), X,
    ),
    "branches in a loop": (lambda xs: lax.scan(conditional, V, xs), X),
    "a number decides": (lambda x: lax.cond(True, jnp.sin, jnp.cos, x), V),
    "both results": (lambda p, x: lax.cond(p, lambda: (x, x + 1), lambda: (x + 1, x)), np.bool_(True), V),
    "until it stands": (lambda x: lax.while_loop(lambda x: jnp.abs(x - jnp.cos(x)).max() > 1e-5, jnp.cos, x), V),
    "never": (lambda x: lax.while_loop(lambda x: x.sum() > 100, lambda x: x * 2, x), V),
    "with constants": (
        lambda n, x: lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, s[1] + x), (0, x)), N[3], V,
    ),
    "indexed": (lambda xs, n: lax.scan(lambda c, i: (c.at[i % 3].add(xs[i, 1]), xs[i, i % 3]), V, n), X, N),
    "bounds from outside": (lambda n, x: lax.fori_loop(0, n, lambda i, c: c + i * x, x), N[3], V),
    "a loop in a branch": (
        lambda p, x: lax.cond(p > 2, lambda: lax.fori_loop(0, 5, lambda i, c: c * x, x), lambda: x), N[3], V,
    ),
}  # fmt: skip


def repeated(step, *shapes):
    """Three times `step(carry, w)`, for large arrays of these shapes: the carry's and that of w."""
    c, w = (np.random.default_rng(0).normal(size=shape).astype(np.float32) * 0.1 for shape in shapes)
    return lambda w, c: lax.scan(lambda c, _: (step(c, w), c), c, None, length=3), w, c


def attention(q, k):
    return jnp.einsum("bqk,bkd->bqd", jax.nn.softmax(jnp.einsum("bqd,bkd->bqk", q, k)), k)


PRODUCTS = {
    "a matrix and a vector": repeated(lambda c, w: jnp.tanh(w @ c), (170,), (170, 170)),
    "a vector and a matrix": repeated(lambda c, w: jnp.tanh(c @ w), (170,), (170, 170)),
    "rows": repeated(lambda c, w: jnp.tanh(c @ w), (20, 90), (90, 90)),
    "both turned": repeated(lambda c, w: jnp.tanh((w.T @ c.T).T), (20, 100), (100, 100)),
    "several axes of rows": repeated(lambda c, w: jnp.tanh(c @ w) + c, (6, 7, 80), (80, 80)),
    "batches": repeated(lambda c, w: jnp.einsum("bij,bjk->bik", c, w), (4, 32, 64), (4, 64, 64)),
    "attention": repeated(attention, (2, 60, 64), (2, 60, 64)),
    "the carry with itself": repeated(lambda c, w: c @ c + w, (60, 60), (60, 60)),
    "parts": repeated(lambda c, w: sum(jnp.split(c @ w, 3, -1)), (40, 50), (50, 150)),
    "no matrix in a row": repeated(lambda c, w: jnp.einsum("ijk,jil->ilk", c, w), (9, 60, 60), (60, 9, 60)),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_a_large_product_in_a_loop_is_computed_inside_of_its_kernel(name):
    if not blas.multiplies(np.dtype("float32")):
        pytest.skip("NumPy has another library than OpenBLAS")
    fun, *args = PRODUCTS[name]
    compiled, interpreted, values = programs(fun, args)
    assert_close(compiled(values), interpreted(values), rtol=1e-4)
    called = [step for _, step in compiled.steps if not isinstance(step, Kernel)]
    assert bool(called) is (name == "no matrix in a row")
    assert "matmul_float32" in compiled.text or called
    scope = {"__name__": "text"}
    exec(compile(compiled.text, "text", "exec"), scope)
    assert_close(scope["main"](*values), interpreted(values), rtol=1e-4)


@pytest.mark.parametrize("name", CASES)
def test_a_loop_is_one_kernel_and_computes_what_the_interpreted_one_does(name):
    fun, *args = CASES[name]
    compiled, interpreted, values = programs(fun, args)
    assert_close(compiled(values), interpreted(values), rtol=1e-5)
    primitives = [eqn.primitive.name for eqn in compiled.jaxpr.eqns]
    assert any(p in ("scan", "while", "cond") for p in primitives) or name == "a number decides"
    assert all(isinstance(step, Kernel) for _, step in compiled.steps)


@pytest.mark.parametrize("name", CASES)
def test_the_text_of_a_loop_runs_in_plain_python(name):
    fun, *args = CASES[name]
    compiled, interpreted, values = programs(fun, args)
    scope = {"__name__": "text"}
    exec(compile(compiled.text, "text", "exec"), scope)
    assert_close(scope["main"](*values), interpreted(values), rtol=1e-5)


def test_a_body_that_calls_something_is_a_loop_of_compiled_steps():
    fun = lambda xs: lax.scan(lambda c, x: (lax.igamma(c * c, x * x), c), V, xs)
    compiled, interpreted, values = programs(fun, [X])
    assert not all(isinstance(step, Kernel) for _, step in compiled.steps)
    assert_close(compiled(values), interpreted(values))


def test_a_long_loop_does_not_run_in_parts():
    fun = lambda xs: lax.scan(lambda c, x: (None, jnp.exp(x) + jnp.exp(x).sum()), None, xs)
    x = np.random.default_rng(0).uniform(size=(2000, 300)).astype(np.float32)
    compiled, interpreted, values = programs(fun, [x])
    assert not any(step.in_parts for _, step in compiled.steps if isinstance(step, Kernel))
    assert_close(compiled(values), interpreted(values), rtol=1e-5)


ENDLESS = """
import os, signal, threading
import minijax as jax, minijax.numpy as jnp
from minijax import lax
f = jax.jit(lambda x: lax.while_loop(lambda s: s >= 0, lambda s: s * 0.999 + 0.5, x))
f.lower(jnp.float32(1)).compile()
threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    f(jnp.float32(1))
except KeyboardInterrupt:
    print(jax.jit(lambda x: lax.fori_loop(0, 10, lambda i, c: c + i, x))(1.0))
"""


def test_an_endless_loop_can_be_interrupted_and_leaves_everything_usable():
    env = os.environ | {"PYTHONPATH": str(Path(jax.__file__).parents[1])}
    run = subprocess.run([sys.executable, "-c", ENDLESS], env=env, capture_output=True, text=True, timeout=120)
    assert run.stdout == "46.0\n", run.stderr


def test_two_loops_with_one_body_do_not_mix_up_their_variables():
    body = lambda c, x: (c + x, None)
    fun = lambda xs: lax.scan(body, 0.0, xs)[0] * 100 + lax.scan(body, 1.0, xs)[0]
    compiled, interpreted, values = programs(fun, [V])
    assert_close(compiled(values), interpreted(values))


def test_two_loops_that_turn_one_matrix_have_each_their_own_copy():
    def fun(w, xs):
        c, ys = lax.scan(lambda c, x: (jnp.tanh(w @ c) + x, c), V, xs)
        m = w * c  # it may lie where the first copy was
        return lax.scan(lambda c, y: (jnp.tanh(w @ c) + (m * y).sum(1), None), V, ys)[0]

    compiled, interpreted, values = programs(fun, [X[:3], X])
    assert_close(compiled(values), interpreted(values), rtol=1e-5)


# ---- what one loop must not do to another


def swapped(a, b):
    return lax.scan(lambda c, _: ((c[1], c[0]), None), (a, b), None, length=3)[0]


def a_constant_that_is_read_in_each_round(a):
    n = a.sum()

    def body(c, _):
        m = n + 1
        return c + lax.cond(m > 5.5, lambda m: 1.0, lambda m: 2.0, m), None

    return lax.scan(body, 0.0, None, length=3)[0]


def ones_in_rows():
    one = lambda c, _: (c, jnp.float32(1))
    return lax.scan(lambda c, _: (c, lax.scan(one, None, None, length=2)[1]), None, None, length=3)[1]


def two_branches_that_swap(p, x, y):
    f = lambda a: (lambda r: (r[0] * 0.1 - r[1]).sum())(swapped(a + 1, a * 2))
    return lax.cond(p, lambda: f(x), lambda: f(y))


def two_whiles(x, y):
    inner = lambda c: lax.while_loop(lambda v: v.sum() < c.sum() + 10, lambda v: v * 1.5, c * 0 + 1.0)
    w = lambda n: lax.scan(lambda c, _: (inner(c), None), n, None, length=2)[0]
    a = w(x)
    z = (a > 0).all()
    return z | (w(y + jnp.where(z, 1.0, 0.0)).sum() < 0)


APART = {
    "a constant": (a_constant_that_is_read_in_each_round, np.ones(4, np.float32)),
    "counters": (ones_in_rows,),
    "what two branches put aside": (two_branches_that_swap, np.bool_(False), X[0, :2], np.ones(5000, np.float32)),
    "what two branches put aside, the other way round": (
        two_branches_that_swap, np.bool_(True), np.ones(5000, np.float32), X[0, :2],
    ),
    "what two loops ask": (two_whiles, V, V),
    "no steps over sums": (
        lambda a: lax.scan(lambda c, _: (c, (a.sum(1), a.sum(1))), None, None, length=0)[1][1], X,
    ),
    "150 branches": (
        lambda i: lax.switch(i, [lambda k=k: jnp.float32(k) * i for k in range(150)]), np.int32(120),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", APART)
def test_loops_in_one_kernel_leave_each_others_values_alone(name):
    fun, *args = APART[name]
    compiled, interpreted, values = programs(fun, args)
    assert all(isinstance(step, Kernel) for _, step in compiled.steps)
    assert_close(compiled(values), interpreted(values), rtol=1e-5)


def deep(levels):
    return lambda x: x + 1 if not levels else lax.fori_loop(0, 1, lambda i, c: deep(levels - 1)(c), x)


def long(n):
    def body(c, _):
        for k in range(n):
            c = jnp.sin(c) * (k + 1.5)
        return c, None

    return lambda x: lax.scan(body, x, None, length=2)[0]


@pytest.mark.parametrize("fun", [deep(21), long(60)], ids=["deep", "long"])
def test_a_loop_that_is_too_much_for_one_kernel_is_a_loop_of_compiled_steps(fun):
    compiled, interpreted, values = programs(fun, [X])
    assert not all(isinstance(step, Kernel) for _, step in compiled.steps)
    assert_close(compiled(values), interpreted(values), rtol=1e-4)
