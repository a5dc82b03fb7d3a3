"""What is refused, and that a refusal leaves everything usable."""

import operator
import signal
import threading
from typing import Any

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.layer1_core.trace import EVAL, current_trace


def first_line(error: pytest.ExceptionInfo[BaseException]) -> str:
    return str(error.value).splitlines()[0]


@pytest.mark.parametrize("bad", ["text", b"bytes", object(), slice(1), {1, 2}, print])
def test_jit_refuses_what_is_not_an_array_and_names_the_path(bad: object) -> None:
    with pytest.raises(TypeError, match=r"at path x\['a'\]"):
        jax.jit(lambda x: x)({"a": bad})


def test_wrong_dtypes_are_refused_with_both_named() -> None:
    with pytest.raises(TypeError, match="got float32, int32"):
        lax.add(jnp.ones(2), jnp.ones(2, int))


def test_wrong_shapes_are_refused_with_both_named() -> None:
    with pytest.raises(TypeError, match=r"incompatible shapes for broadcasting: \(2,\), \(3,\)"):
        jnp.ones(2) + jnp.ones(3)


def test_trees_that_differ_are_refused_at_their_path() -> None:
    with pytest.raises(ValueError, match="different lengths of list"):
        jax.tree.map(lambda a, b: a, [1, 2], [1, 2, 3])


@pytest.mark.parametrize("ragged", [[[1, 2], [3]], [1, [2]], [[1.0], [2.0, 3.0]]])
def test_ragged_lists_are_refused(ragged: list) -> None:
    with pytest.raises(ValueError, match="inhomogeneous shape"):
        jnp.array(ragged)


@pytest.mark.parametrize("bad", ["a", ["a"], np.array(["a"]), np.array([None]), {}, object()])
def test_arrays_are_made_of_numbers_only(bad: object) -> None:
    with pytest.raises(TypeError):
        jnp.array(bad)


def test_none_is_not_an_array() -> None:
    with pytest.raises(ValueError, match=r"None is not a valid value for jnp\.array"):
        jnp.array([1, None])


@pytest.mark.parametrize("huge", [2**31, -(2**31) - 1, 2**40, 10**400])
def test_integers_that_do_not_fit_are_refused_not_wrapped(huge: int) -> None:
    with pytest.raises(OverflowError):
        jnp.asarray(huge)
    with pytest.raises(OverflowError, match="whose argument path is x"):
        jax.jit(lambda x: x)(huge)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16"])
def test_a_constructor_refuses_what_its_dtype_cannot_hold(dtype: str) -> None:
    with pytest.raises(OverflowError, match=f"out of bounds for {dtype}"):
        getattr(jnp, dtype)(70000)


def test_nan_and_infinities_become_defined_integers() -> None:
    out = lax.convert_element_type(jnp.array([jnp.nan, jnp.inf, -jnp.inf, 1e20]), "int32")
    assert out.tolist() == [0, 2**31 - 1, -(2**31), 2**31 - 1]


@pytest.mark.parametrize("unhashable", [[1], {"a": 1}, np.arange(2), {1, 2}])
def test_unhashable_statics_are_refused(unhashable: object) -> None:
    with pytest.raises(ValueError, match="Non-hashable static arguments are not supported"):
        jax.jit(lambda x, n: x, static_argnums=1)(1.0, unhashable)


@pytest.mark.parametrize("shape", ["a", (2.5,), -1, (2, -3), [[1]]])
def test_bad_shapes_are_refused(shape: object) -> None:
    with pytest.raises(TypeError):
        jnp.zeros(shape)


def test_an_error_while_tracing_restores_the_trace() -> None:
    def fails(x):
        raise KeyError("inside")

    with pytest.raises(KeyError):
        jax.jit(fails)(1.0)
    assert current_trace.get() is EVAL
    assert float(jnp.sin(0.0)) == 0.0


def test_an_interrupt_while_tracing_restores_the_trace() -> None:
    def interrupted(x):
        for _ in range(1000):
            x = x + 1.0
            signal.raise_signal(signal.SIGINT)
        return x

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background may ignore it
    try:
        with pytest.raises(KeyboardInterrupt):
            jax.jit(interrupted)(1.0)
    finally:
        signal.signal(signal.SIGINT, before)
    assert current_trace.get() is EVAL
    assert float(jax.jit(lambda x: x + 1.0)(1.0)) == 2.0


def test_two_threads_trace_at_once_each_with_its_own_context() -> None:
    meet = threading.Barrier(2, timeout=20)
    jaxprs: dict[str, str] = {}

    def trace(name: str, operation) -> None:
        def f(x):
            meet.wait()  # both are in the middle of tracing here
            y = operation(x)
            meet.wait()
            return operation(y)

        jaxprs[name] = str(jax.make_jaxpr(f)(1.0))

    threads = [threading.Thread(target=trace, args=a) for a in [("sin", jnp.sin), ("exp", jnp.exp)]]
    [t.start() for t in threads]
    [t.join(30) for t in threads]
    for name in ("sin", "exp"):
        assert jaxprs[name] == str(jax.make_jaxpr(lambda x, n=name: getattr(lax, n)(getattr(lax, n)(x)))(1.0))


def test_a_thread_starts_outside_of_any_trace() -> None:
    seen = []

    def f(x):
        thread = threading.Thread(target=lambda: seen.append(type(jnp.ones(2)).__name__))
        thread.start()
        thread.join(20)
        return x

    jax.make_jaxpr(f)(1.0)
    assert seen == ["ArrayImpl"]


@pytest.mark.parametrize(
    "use",
    [
        lambda t: t + 1.0,
        lambda t: jnp.sum(t),
        lambda t: jax.jit(jnp.sin)(t),
        lambda t: jax.make_jaxpr(lambda x: x + t)(1.0),
    ],
)
def test_a_leaked_tracer_is_refused_wherever_it_is_used(use) -> None:
    leaked = []
    jax.jit(lambda x: leaked.append(x * 2) or x)(1.0)
    with pytest.raises(jax.errors.UnexpectedTracerError, match=r"float32\[\]"):
        use(leaked[0])


def test_indices_out_of_bounds_never_read_or_write_outside() -> None:
    x = jnp.arange(3.0)
    far = jnp.array([-(2**31), -4, 3, 2**31 - 1])
    assert set(np.asarray(x[far]).tolist()) <= {0.0, 1.0, 2.0}
    assert x.at[far].set(9.0).tolist() == [0.0, 1.0, 2.0]


@pytest.mark.parametrize("container", [[1], (1,), {}, {1}])
def test_an_operator_names_an_array_and_a_container_in_the_order_of_the_program(container: object) -> None:
    x, kind = jnp.int32(2), type(container).__name__
    for symbol, method in {"+": "__add__", "-": "__sub__", "@": "__matmul__"}.items():
        apply = getattr(operator, method)
        with pytest.raises(TypeError, match=rf"for \{symbol}: 'ArrayImpl' and '{kind}'"):
            apply(x, container)
        with pytest.raises(TypeError, match=rf"for \{symbol}: '{kind}' and 'ArrayImpl'"):
            apply(container, x)


@pytest.mark.parametrize("compare", [operator.eq, operator.ne])
@pytest.mark.parametrize("container", [[1], (1,), {}, {1}])
def test_an_array_is_not_compared_with_a_container(compare: Any, container: object) -> None:
    for operands in ((jnp.int32(2), container), (container, jnp.int32(2))):
        with pytest.raises(TypeError, match="unsupported operand type"):
            compare(*operands)


def test_select_of_two_dtypes_names_the_function_that_promotes() -> None:
    with pytest.raises(TypeError, match=r"got int32, float32\. \(Tip: jnp\.where is a similar function"):
        lax.select(True, 1.0, 2)
