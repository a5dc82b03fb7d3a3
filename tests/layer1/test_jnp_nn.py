"""Activations, softmax and attention: their laws, their values by SciPy, their rules, their refusals."""

from typing import Any

import numpy as np
import pytest
import scipy.special
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import minijax as jax
import minijax.numpy as jnp
from minijax import nn

some = settings(max_examples=20, deadline=None)
values = arrays(np.float32, array_shapes(max_dims=3, max_side=4), elements=st.floats(-30, 30, width=32))


def close(got: Any, want: Any, tol: float = 1e-5) -> None:
    assert got.shape == np.shape(want)
    np.testing.assert_allclose(np.asarray(got), want, rtol=tol, atol=tol)


FORMULAS = {
    "relu": lambda x: np.maximum(x, 0),
    "relu6": lambda x: np.clip(x, 0, 6),
    "sigmoid": scipy.special.expit,
    "silu": lambda x: x * scipy.special.expit(x),
    "softplus": lambda x: np.logaddexp(x, 0),
    "log_sigmoid": lambda x: -np.logaddexp(-x, 0),
    "soft_sign": lambda x: x / (1 + np.abs(x)),
    "elu": lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
    "celu": lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
    "leaky_relu": lambda x: np.where(x >= 0, x, 0.01 * x),
    "hard_tanh": lambda x: np.clip(x, -1, 1),
    "hard_sigmoid": lambda x: np.clip(x + 3, 0, 6) / 6,
    "hard_silu": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "mish": lambda x: x * np.tanh(np.logaddexp(x, 0)),
    "squareplus": lambda x: (x + np.sqrt(x**2 + 4)) / 2,
    "sparse_plus": lambda x: np.where(x <= -1, 0, np.where(x >= 1, x, (x + 1) ** 2 / 4)),
    "sparse_sigmoid": lambda x: np.clip(x + 1, 0, 2) / 2,
}


@pytest.mark.parametrize("name", FORMULAS)
@some
@given(x=values)
def test_activations_are_their_formulas(name: str, x: np.ndarray) -> None:
    close(getattr(nn, name)(x), FORMULAS[name](x.astype(np.float64)), 3e-5)


@some
@given(values)
def test_gelu_weighs_by_the_normal_distribution(x: np.ndarray) -> None:
    exact = x * scipy.special.ndtr(x.astype(np.float64))
    close(nn.gelu(x, approximate=False), exact, 3e-5)
    close(nn.gelu(x), exact, 2e-3)


@some
@given(values, st.data())
def test_softmax_is_a_distribution_that_shifts_do_not_change(x: np.ndarray, data: st.DataObject) -> None:
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    p = nn.softmax(x, axis)
    close(p.sum(axis), np.ones(x.sum(axis).shape), 1e-4)
    close(nn.softmax(x + 8, axis), np.asarray(p), 1e-4)
    close(p, scipy.special.softmax(x, axis), 1e-4)
    close(nn.log_softmax(x, axis), scipy.special.log_softmax(x, axis), 1e-4)


@some
@given(values, st.booleans())
def test_logsumexp_agrees_with_scipy(x: np.ndarray, keepdims: bool) -> None:
    b = np.linspace(-1, 1, x.size, dtype=np.float32).reshape(x.shape)
    close(nn.logsumexp(x, axis=0, keepdims=keepdims), scipy.special.logsumexp(x, axis=0, keepdims=keepdims), 1e-4)
    size, sign = nn.logsumexp(x, axis=-1, b=b, return_sign=True)
    close(sign * jnp.exp(size - x.max()), (b * np.exp(x.astype(np.float64) - x.max())).sum(-1), 1e-4)


def test_what_where_leaves_out_counts_as_nothing() -> None:
    x, where = np.array([1.0, 50.0, 3.0], np.float32), np.array([True, False, True])
    close(nn.softmax(x, where=where)[where], np.asarray(nn.softmax(x[where])))
    close(nn.logsumexp(x, where=where), nn.logsumexp(x[where]))
    close(nn.logmeanexp(x, where=where), nn.logmeanexp(x[where]))
    assert float(nn.softmax(x, where=where)[1]) == 0.0


def test_standardized_values_have_mean_0_and_variance_1() -> None:
    x = np.random.default_rng(0).normal(3, 2, (4, 50)).astype(np.float32)
    for algorithm in ("fast", "stable"):
        y = nn.standardize(x, algorithm=algorithm)
        close(y.mean(-1), np.zeros(4), 1e-4)
        close(y.std(-1), np.ones(4), 1e-3)


def test_one_hot_has_a_one_at_each_class_and_nothing_outside() -> None:
    close(nn.one_hot(np.array([0, 2]), 3), [[1, 0, 0], [0, 0, 1]])
    close(nn.one_hot(np.array([3, -1]), 3), np.zeros((2, 3)))
    assert nn.one_hot(np.zeros((2, 3), int), 4, axis=1, dtype=jnp.int8).shape == (2, 4, 3)


def test_glu_gates_the_first_half_with_the_second() -> None:
    close(nn.glu(np.array([[1.0, 2.0, 0.0, 0.0]], np.float32)), [[0.5, 1.0]])
    with pytest.raises(AssertionError, match="axis size must be divisible by 2"):
        nn.glu(jnp.ones(3))


# ---- attention


def reference(q: np.ndarray, k: np.ndarray, v: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    """Attention of one query head at a time."""
    groups = q.shape[2] // k.shape[2]
    out = np.empty_like(q)
    for n in range(q.shape[2]):
        scores = q[:, :, n] @ k[:, :, n // groups].swapaxes(1, 2) / np.sqrt(q.shape[-1])
        scores = scores if allowed is None else np.where(allowed, scores, -np.inf)
        out[:, :, n] = scipy.special.softmax(scores, -1) @ v[:, :, n // groups]
    return out


def heads(n: int, k: int, t: int = 3, s: int = 4) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.normal(size=shape).astype(np.float32) for shape in ((2, t, n, 5), (2, s, k, 5), (2, s, k, 5))]


@pytest.mark.parametrize("n, k", [(2, 2), (4, 2), (3, 1)])
def test_attention_is_the_average_of_the_values(n: int, k: int) -> None:
    qkv = heads(n, k)
    close(nn.dot_product_attention(*qkv), reference(*qkv), 1e-4)


def test_masks_hide_keys() -> None:
    qkv = heads(2, 2)
    rows, columns = np.arange(3)[:, None], np.arange(4)[None, :]
    causal = columns <= rows
    close(nn.dot_product_attention(*qkv, is_causal=True), reference(*qkv, causal), 1e-4)
    close(nn.dot_product_attention(*qkv, mask=np.broadcast_to(causal, (2, 1, 3, 4))), reference(*qkv, causal), 1e-4)
    near = np.abs(rows - columns) <= 1
    close(nn.dot_product_attention(*qkv, local_window_size=1), reference(*qkv, near), 1e-4)
    short = np.broadcast_to(columns < 2, (3, 4))
    lengths = np.full(2, 2, np.int32)
    close(nn.dot_product_attention(*qkv, key_value_seq_lengths=lengths), reference(*qkv, short), 1e-4)


# ---- functions with their own rules


def test_a_function_without_a_rule_is_refused() -> None:
    @jax.custom_jvp
    def f(x: Any) -> Any:
        return x

    with pytest.raises(AttributeError, match="No JVP defined for custom_jvp function f using defjvp"):
        f(1.0)


def test_a_function_with_a_rule_runs_and_is_recorded_with_it() -> None:
    @jax.custom_jvp
    def f(x: Any, y: Any = 2.0) -> Any:
        return jnp.sin(x) * y

    @f.defjvp
    def f_rule(primals: Any, tangents: Any) -> Any:
        return f(*primals), tangents[0]

    close(f(1.0), 2 * np.sin(1.0))
    (eqn,) = jax.make_jaxpr(f)(1.0).eqns
    assert (eqn.primitive.name, eqn.params["num_consts"], eqn.params["symbolic_zeros"]) == ("custom_jvp_call", 0, False)
    assert "jvp=f_rule" in str(eqn)
    close(jax.jit(f)(1.0), f(1.0))


def test_closed_over_values_become_operands_of_the_call() -> None:
    z = jnp.arange(3.0)

    @jax.custom_jvp
    def f(x: Any) -> Any:
        return x * z

    f.defjvps(lambda g, ans, x: g * z)
    (eqn,) = jax.make_jaxpr(f)(jnp.float32(2.0)).eqns
    assert (eqn.params["num_consts"], len(eqn.invars)) == (1, 2)


def test_python_may_branch_on_values_outside_of_tracing() -> None:
    @jax.custom_jvp
    def f(x: Any) -> Any:
        return x if x > 0 else -x

    f.defjvps(lambda g, ans, x: g)
    assert f(-3.0) == 3.0
    with pytest.raises(jax.errors.TracerBoolConversionError):
        jax.jit(f)(-3.0)


def test_arguments_that_are_not_differentiated_may_be_anything() -> None:
    def power(n: int, x: Any) -> Any:
        return x**n

    f = jax.custom_jvp(power, nondiff_argnames=("n",))
    f.defjvp(lambda n, primals, tangents: (f(n, *primals), tangents[0]))
    assert f.nondiff_argnums == (0,)
    assert f(3, 2.0) == 8.0
    with pytest.raises(TypeError, match="Can't use ``defjvps`` with ``nondiff_argnums``"):
        f.defjvps(None)


REFUSALS = [
    (lambda: nn.relu("a"), TypeError, "Error interpreting argument to custom_jvp_call as a JAX value"),
    (lambda: nn.silu([1.0]), TypeError, "silu requires ndarray or scalar arguments, got <class 'list'> at position 0"),
    (lambda: nn.sigmoid(1), TypeError, "logistic does not accept dtype int32"),
    (lambda: nn.standardize(jnp.ones(3), algorithm="x"), ValueError, "Unknown algorithm 'x'"),
    (lambda: nn.dot_product_attention(*heads(3, 2)), ValueError, "a multiple of key/value heads, but got 3 vs 2"),
    (lambda: nn.dot_product_attention(*heads(2, 2), implementation="x"), ValueError, "Unsupported implementation"),
]


@pytest.mark.parametrize("call, kind, words", REFUSALS)
def test_what_does_not_fit_is_refused_in_words(call: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind) as error:
        call()
    assert words in str(error.value)
