"""Effects: what a program does besides computing is done each time it runs, in order, and never dropped."""

import logging

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.errors import JaxRuntimeError
from minijax.experimental import io_callback
from minijax.layer1_core.config import interpret_jaxprs

SCALAR = jax.ShapeDtypeStruct((), jnp.float32)
here = pytest.mark.parametrize("how", [lambda f: f, jax.jit], ids=["eager", "jit"])


# ---- when callbacks run


@here
def test_prints_come_in_order_each_time_the_function_runs(how, capsys):
    @how
    def fun(x):
        jax.debug.print("first {}", x)
        jax.debug.print("second {x}", x=x * 2, ordered=True)
        jax.debug.print("first {}", x)
        return x + 1

    for x in (1, 1, 2):
        fun(jnp.int32(x))
    jax.effects_barrier()
    once = "first {}\nsecond {}\nfirst {}\n"
    assert capsys.readouterr().out == once.format(1, 2, 1) * 2 + once.format(2, 4, 2)


@here
def test_a_loop_prints_in_each_step(how, capsys):
    def step(c, x):
        jax.debug.print("{} {}", c, x)
        return c + x, None

    how(lambda xs: lax.scan(step, 0, xs))(jnp.arange(3))
    assert capsys.readouterr().out == "0 0\n0 1\n1 2\n"
    how(lambda xs: lax.scan(step, 0, xs, reverse=True))(jnp.arange(3))
    assert capsys.readouterr().out == "0 2\n2 1\n3 0\n"


@here
def test_a_while_prints_in_condition_and_body(how, capsys):
    def cond(n):
        jax.debug.print("cond {}", n)
        return n < 2

    def body(n):
        jax.debug.print("body {}", n)
        return n + 1

    how(lambda n: lax.while_loop(cond, body, n))(0)
    assert capsys.readouterr().out == "cond 0\nbody 0\ncond 1\nbody 1\ncond 2\n"


@here
def test_a_branch_prints_if_it_is_taken(how, capsys):
    def say(word):
        return lambda: jax.debug.print(word)

    choose = how(lambda p: lax.cond(p, say("yes"), say("no")))
    for p in (True, False, True):
        choose(p)
    assert capsys.readouterr().out == "yes\nno\nyes\n"


def test_the_effects_of_a_program_are_those_of_all_that_is_in_it():
    def step(c, x):
        jax.debug.print("{}", x)
        return lax.cond(x > 0, lambda: io_callback(lambda: np.float32(1), SCALAR, ordered=True), lambda: 1.0), None

    jaxpr = jax.make_jaxpr(lambda xs: lax.scan(step, 0.0, xs))(jnp.ones(3))
    assert {str(effect) for effect in jaxpr.effects} == {"Debug", "OrderedIO"}
    assert jax.make_jaxpr(jnp.sin)(1.0).effects == set()


def test_results_that_nobody_reads_do_not_drop_a_call():
    called = []

    @jax.jit
    def fun(x):
        io_callback(lambda x: called.append(float(x)), None, x)
        io_callback(lambda x: (called.append(float(x)), x)[1], SCALAR, x)
        lax.scan(lambda c, x: (c, jax.debug.callback(lambda x: called.append(float(x)), x)), 0, jnp.arange(2.0))
        return x

    fun(7.0)
    assert called == [7.0, 7.0, 0.0, 1.0]


def test_a_pure_call_that_nobody_reads_is_dropped_and_equal_ones_are_one():
    called = []

    def double(x):
        called.append(float(x))
        return x * 2

    @jax.jit
    def fun(x):
        jax.pure_callback(double, SCALAR, x + 1)
        return jax.pure_callback(double, SCALAR, x), jax.pure_callback(double, SCALAR, x)

    assert [float(x) for x in fun(3.0)] == [6.0, 6.0]
    assert called == [3.0]


# ---- what callbacks get and give


@here
def test_a_callback_gets_arrays_of_its_own(how):
    kept = []

    def fun(x):
        jax.debug.callback(kept.append, x)
        return x * 2 + 1

    x = np.arange(3, dtype=np.float32)
    how(fun)(x)
    x[:] = -1
    assert isinstance(kept[0], jax.Array) and kept[0].tolist() == [0, 1, 2]


def test_a_donated_argument_that_a_callback_keeps_is_not_overwritten():
    kept = []

    def fun(x):
        jax.debug.callback(kept.append, x)
        return x * 2 + 1

    jax.jit(fun, donate_argnums=0)(jnp.arange(3.0))
    assert kept[0].tolist() == [0, 1, 2]


@here
def test_what_is_no_array_reaches_a_callback_as_it_is(how):
    kept = []
    how(lambda x: jax.debug.callback(lambda *a, **k: kept.append((a, k)), x, "word", key=[None, len]))(1.0)
    (x, word), options = kept[0]
    assert float(x) == 1.0 and word == "word" and options == {"key": [None, len]}


@here
def test_results_of_callbacks_come_in_their_tree_and_their_types(how):
    def fun(x):
        return jax.pure_callback(lambda x, k: {"a": x + k, "b": (2,)}, {"a": SCALAR, "b": (jax.typeof(1),)}, x, k=3.0)

    out = how(fun)(1.5)
    assert float(out["a"]) == 4.5 and out["b"][0].dtype == jnp.int32
    assert not out["b"][0].weak_type


WRONG = [
    (lambda x: jnp.ones(3), "RuntimeError: Incorrect output shape for return value #0: Expected: (), Actual: (3,)"),
    (
        lambda x: np.int32(1),
        "RuntimeError: Incorrect output dtype for return value #0: Expected: float32, Actual: int32",
    ),
    (lambda x: (x, x), "RuntimeError: Mismatched number of outputs from callback. Expected: 1, Actual: 2"),
    (lambda x: None, "RuntimeError: Mismatched number of outputs from callback. Expected: 1, Actual: 0"),
    (
        lambda x: "s",
        "TypeError: Dtype <U1 is not a valid JAX array type. Only arrays of numeric types are supported by JAX.",
    ),
    (lambda x: 1 / 0, "ZeroDivisionError: division by zero"),
]


@here
@pytest.mark.parametrize("call", [jax.pure_callback, io_callback])
@pytest.mark.parametrize("callback, message", WRONG)
def test_a_callback_that_fails_is_told_in_jaxs_words(how, call, callback, message):
    with pytest.raises(JaxRuntimeError) as found:
        how(lambda x: call(callback, SCALAR, x))(1.0)
    first, *_, last = str(found.value).splitlines()
    assert first == "INTERNAL: CpuCallback error calling callback: Traceback (most recent call last):"
    assert last == message


def test_an_error_in_a_debug_callback_is_its_own_outside_of_programs():
    def fail(x):
        raise KeyError("key")

    with pytest.raises(KeyError):
        jax.debug.callback(fail, 1)
    with pytest.raises(JaxRuntimeError, match="KeyError: 'key'"):
        jax.jit(lambda x: jax.debug.callback(fail, x))(1)


REFUSED = [
    (
        lambda: jax.debug.callback(3),
        TypeError,
        "first argument to jax.debug.callback must be callable, but got an object",
    ),
    (
        lambda: jax.debug.callback(ordered=True, a=3),
        TypeError,
        "debug_callback received unexpected arguments in the two-call form: args=() kwargs={'a': 3}",
    ),
    (
        lambda: jax.debug.print(x=3),
        TypeError,
        "debug_print received unexpected arguments in the two-call form: args=() kwargs={'x': 3}",
    ),
    (lambda: jax.debug.print("{}", 1, 2), ValueError, "Unused positional arguments to `jax.debug.print`: [2]"),
    (
        lambda: jax.debug.print("x", x=1),
        ValueError,
        "Unused keyword arguments to `jax.debug.print`: ['x']. You may be passing an f-string (i.e, `f\"{x}\"`) into "
        "`jax.debug.print` and instead should pass in a regular string.",
    ),
    (lambda: jax.debug.print("{y}", x=1), KeyError, "'y'"),
    (
        lambda: jax.pure_callback(abs, jax.typeof(1), 1, vmap_method="fast"),
        ValueError,
        "vmap_method must be on of the allowed methods ['sequential', 'sequential_unrolled', 'expand_dims', "
        "'broadcast_all', 'legacy_vectorized', None], but got: fast",
    ),
    (
        lambda: jax.pure_callback(abs, np.zeros(2), 1),
        ValueError,
        "result_shape_dtypes cannot specify 64-bit types when `jax_enable_x64` is disabled",
    ),
    (
        lambda: jax.pure_callback(abs, SCALAR, "s"),
        TypeError,
        "Error interpreting argument to pure_callback as a JAX value. The problematic value is of type <class 'str'> "
        "and was passed to pure_callback at position 0.",
    ),
]


@pytest.mark.parametrize("call, kind, message", REFUSED)
def test_what_is_no_callback_is_refused_in_jaxs_words(call, kind, message):
    with pytest.raises(kind) as found:
        call()
    assert type(found.value) is kind and str(found.value).startswith(message)


def test_options_may_be_given_apart_from_the_names_of_arguments(capsys):
    jax.debug.print(ordered=True)("{ordered}", ordered=3)
    jax.debug.callback(ordered=True)(lambda ordered: print(ordered + 1), ordered=3)
    assert capsys.readouterr().out == "3\n4\n"


def test_a_print_looks_as_the_printing_options_said_when_it_was_traced(capsys):
    with np.printoptions(precision=2):
        show = jax.jit(lambda x: jax.debug.print("{}", x))
        show(jnp.array([1 / 3]))
    show(jnp.array([2 / 3]))
    assert capsys.readouterr().out == "[0.33]\n[0.67]\n"


# ---- programs with effects


def test_the_text_of_a_program_with_loops_and_prints_runs(capsys):
    def step(c, x):
        jax.debug.print("c={c} {}", x, c=c)
        return c + x, lax.cond(x > 1, lambda: x, lambda: -x)

    fun = lambda xs: lax.scan(step, jnp.float32(0), xs)
    text = jax.jit(fun).lower(jnp.zeros(3)).as_text()
    scope = {"__name__": "text"}
    exec(compile(text, "<text>", "exec"), scope)
    carry, ys = scope["main"](np.arange(3, dtype=np.float32))
    assert capsys.readouterr().out == "c=0.0 0.0\nc=0.0 1.0\nc=1.0 2.0\n"
    assert carry == 3 and ys.tolist() == [0, -1, 2]


def test_a_program_with_effects_is_run_by_the_interpreter_as_well(capsys):
    with interpret_jaxprs(True):
        jax.jit(lambda x: jax.debug.print("{}", x))(2)
    assert capsys.readouterr().out == "2\n"


def test_python_logging_can_be_called(caplog):
    caplog.set_level(logging.INFO)
    jax.jit(lambda x: jax.debug.callback(logging.info, "x = %s", x))(2)
    assert caplog.messages == ["x = 2"]
