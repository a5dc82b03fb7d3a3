"""Why a call is traced again: what the messages say, what the data says, what the errors add to JAX's words."""

import functools
import logging

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax.layer1_core.config import explain_cache_misses
from minijax.layer1_core.jit import JitWrapped

X2, X3, I3 = np.ones(2, np.float32), np.ones(3, np.float32), np.ones(3, np.int32)


@pytest.fixture
def explained(caplog):
    """What is logged about calls inside of `with explain_cache_misses()`: a list of lines for each message."""
    caplog.set_level(logging.WARNING, "jax._src.interpreters.partial_eval")
    return lambda: [record.getMessage().splitlines() for record in caplog.records]


def total(x, y, *, k=1):
    return jnp.sum(x) * k


def reasons(f):
    """The reason of each trace of a jitted function, in order."""
    return [miss.reason for miss in f._misses()]


# ---- messages


def test_a_function_never_seen_is_named_with_its_line(explained):
    f = jax.jit(lambda x: x + 1)
    with explain_cache_misses():
        f(X2)
    ((place, heading, function),) = explained()
    assert place.startswith(f"TRACING CACHE MISS at {__file__}:") and place.endswith(
        " (test_a_function_never_seen_is_named_with_its_line):"
    )
    line = f._fun.__code__.co_firstlineno
    assert heading == "  never seen function:"
    assert function == f"    <lambda> id={id(f._fun)} defined at {__file__}:{line}"


def test_another_function_made_on_the_same_line_is_told(explained):
    with explain_cache_misses():
        for _ in range(2):
            jax.jit(lambda x: x + 1)(X2)
    first, second = explained()
    assert second[3:] == [
        "  but seen another function defined on the same line; maybe the function is",
        "  being re-defined repeatedly, preventing caching?",
    ]
    assert len(first) == 3


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        ((X3, 2.0), (X2, 2.0), ["different input types:", "* at x, now f32[2] and before f32[3]"]),
        ((X3, 2.0), (I3, 2.0), ["different input types:", "* at x, now i32[3] and before f32[3]"]),
        (
            (X3, 2.0),
            (X3, np.float32(2)),
            ["different input types:", "* at y, now f32[]{weak_type=False} and before f32[]{weak_type=True}"],
        ),
        (
            (X3, 2.0),
            (X3, (2.0,)),
            [
                "different input pytree:",
                "* at input path [0][1], now <class 'tuple'> and before pytree leaf, so their Python types differ",
            ],
        ),
        (
            (X3, {"a": X3}),
            (X3, {"a": X2}),
            ["different input types:", "* at y['a'], now f32[2] and before f32[3]"],
        ),
    ],
)
def test_a_miss_is_explained_in_jaxs_words(before, now, told, explained):
    def same_line(x, y):
        return x

    f = jax.jit(same_line)
    f(*before)
    with explain_cache_misses():
        f(*now)
        f(*now)
    ((_, function, heading, *lines),) = explained()
    assert function == f"  for same_line defined at {__file__}:{same_line.__code__.co_firstlineno}"
    assert heading == "  all previously seen cache keys differ. For the closest previous key:"
    assert [line.strip() for line in lines] == told


def test_flags_static_arguments_and_options_are_explained(explained):
    f = jax.jit(total, static_argnames="k")
    f(X3, 2.0)
    with explain_cache_misses():
        f(X3, 2.0, k=2)
        f(X3, 2.0, k=2.0)
        with jax.default_matmul_precision("high"):
            f(X3, 2.0)
        jax.jit(total, static_argnames="k", keep_unused=True)(X3, 2.0)
    assert [[line.strip() for line in message[3:]] for message in explained()] == [
        ["different static arguments:", "* at k, now 2 and before not given"],
        ["different static arguments:", "* at k, now 2.0 and before 2"],
        [
            "Tracing context doesn't match, e.g. due to config or context manager.",
            "* jax_default_matmul_precision differs: now high and before None",
        ],
        ["different options of jit:", "* keep_unused differs: now True and before False"],
    ]


def test_the_closest_of_the_earlier_kinds_of_calls_is_compared(explained):
    f = jax.jit(lambda x, y: x)
    for args in ((X3, X3), (I3, I3), (X2, (X2,))):
        f(*args)
    with explain_cache_misses():
        f(I3, X2)
    ((*_, only),) = explained()
    assert only == "  * at y, now f32[2] and before i32[3]"


def test_an_argument_whose_shape_keeps_changing_is_told_from_the_fifth_trace_on(explained):
    f = jax.jit(lambda x, y: x.sum() + y)
    with explain_cache_misses():
        for n in range(6):
            f(np.ones(n, np.float32), np.ones(n % 2, np.float32))
    told = [[line for line in message if "shape of" in line] for message in explained()]
    assert told[:4] == [[], [], [], []]
    assert len(told[4]) == 1
    kept = "f32[1], f32[2], f32[3], f32[4], f32[5]"
    assert told[5] == [f"  the shape of x changed at each of the last 5 traces: {kept};"]


def test_large_captured_arrays_are_named(explained):
    big, params, small = jnp.ones(1000), {"w": jnp.ones((50, 50))}, jnp.ones(10)
    with explain_cache_misses():
        jax.jit(lambda x: x + big.sum() + params["w"].sum() + small.sum())(1.0)
    assert [message for (message, *_) in explained()[1:]] == [
        "<lambda> captures big: f32[1000]; pass it as an argument",
        "<lambda> captures params['w']: f32[50,50]; pass it as an argument",
    ]


def test_functions_of_the_package_are_not_explained(explained):
    jax.clear_caches()
    with explain_cache_misses():
        jnp.where(jnp.ones(3) > 0, 1, 2)
        jnp.median(jnp.ones(3))
    assert explained() == []


# ---- data


def test_the_traces_of_a_function_are_listed_in_order_with_their_reasons():
    f = jax.jit(functools.partial(total), static_argnames="k")
    f(X3, 2.0)
    f(X2, 2.0)
    f(X3, 2.0)
    f(X2, 1.0, k=2)
    assert reasons(f) == ["the first call", "x: f32[2] was f32[3]", "k: 2 was not given"]
    last = f._misses()[-1]
    assert {name: aval.str_short(True) for name, aval in last.kind.types.items()} == {"x": "f32[2]", "y": "f32[]"}
    assert last.kind.static == {"k": 2} and last.traced.fun_name == "total"


def test_the_arrays_that_a_trace_captured_are_listed_by_name():
    shift, params = jnp.ones(2), {"w": jnp.ones((2, 2))}
    f = jax.jit(lambda x: params["w"] @ x + shift)
    f(X2)
    assert sorted(f._misses()[0].captured) == ["params['w']: f32[2,2]", "shift: f32[2]"]


def test_static_positions_go_by_the_names_of_their_parameters():
    f = jax.jit(lambda n, x: x * n, static_argnums=0)
    for n in (2, 3, 3.0, True):
        f(n, X2)
    assert reasons(f) == ["the first call", "n: 3 was 2", "n: 3.0 was 3", "n: True was 3.0"]


def test_a_long_static_value_is_cut_short():
    f = jax.jit(lambda n, x: x, static_argnums=0)
    for n in ((1,), (1,) * 100):
        f(n, X2)
    assert reasons(f)[1] == f"n: {str((1,) * 100)[:80]}... was (1,)"


def test_the_cache_has_a_size_and_can_be_cleared():
    f = jax.jit(lambda x: x)
    for x in (X2, X3, X2):
        f(x)
    assert (f._cache_size(), len(f._misses())) == (2, 2)
    f.clear_cache()
    assert (f._cache_size(), f._misses()) == (0, [])
    f(X3)
    assert reasons(f) == ["the first call"]


def test_to_trace_costs_nothing_for_explanations_that_nobody_asked_for(monkeypatch):
    asked = []
    monkeypatch.setattr(JitWrapped, "_misses", lambda self: asked.append(self))
    monkeypatch.setattr("minijax.layer1_core.misses.kinds_of", lambda *args: asked.append(args))
    f = jax.jit(lambda x: x)
    f(X2)
    f(X3)
    assert asked == []


# ---- what the errors add


def notes(call):
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    return caught.value, caught.value.__notes__


@pytest.mark.parametrize(
    ("value", "note"),
    [
        (jnp.array(3), "n is an Array of shape (): pass int(n)"),
        (jnp.array(0.5), "n is an Array of shape (): pass float(n)"),
        (np.arange(3), "n is a NumPy array of shape (3,): let it be an ordinary argument"),
        ([2, 1], "n is a list: pass tuple(n)"),
        ({"a": 1}, "n is a dict: pass tuple(n.items())"),
        ({1}, "n is a set: pass frozenset(n)"),
    ],
)
def test_a_static_argument_without_a_hash_is_refused_as_by_jax_and_a_note_says_what_to_pass(value, note):
    for options, call in (
        (dict(static_argnums=1), lambda f: f(X2, value)),
        (dict(static_argnames="n"), lambda f: f(X2, n=value)),
    ):
        error, added = notes(lambda o=options, c=call: c(jax.jit(lambda x, n: x, **o)))
        assert str(error).startswith("Non-hashable static arguments are not supported. An error occurred while trying")
        assert str(error).endswith("'\n") and added == [note]


class Model:
    @jax.jit
    def f(self, x):
        return x


@pytest.mark.parametrize(
    ("call", "note"),
    [
        (lambda: Model().f(2.0), "self is a Model: register it as a pytree, or mark it static if it never changes"),
        (
            lambda: jax.jit(lambda model, x: x)({"w": X2, "act": jnp.tanh}, X2),
            "model['act'] is a function: close over it, mark it static, or keep it in the metadata of a registered "
            "pytree node",
        ),
        (lambda: jax.jit(lambda kind, x: x)("relu", X2), "kind is a str: mark it static"),
    ],
)
def test_an_argument_that_is_no_array_is_refused_as_by_jax_and_a_note_says_what_to_do(call, note):
    error, added = notes(call)
    assert str(error).startswith("Error interpreting argument to <function ")
    assert str(error).endswith("using the static_argnums or static_argnames parameters of jax.jit.")
    assert added == [note]
