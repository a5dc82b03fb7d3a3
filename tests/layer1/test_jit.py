"""jit: when a function is traced again, what is static, what is donated, what a stage knows."""

import gc
import weakref

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp


class Counted:
    """A function that counts its traces."""

    def __init__(self, fun):
        self.fun, self.traces = fun, 0

    def __call__(self, *args, **kwargs):
        self.traces += 1
        return self.fun(*args, **kwargs)


@pytest.mark.parametrize(
    ("first", "second", "again"),
    [
        (1.0, 2.0, False),
        (1.0, 1, True),
        (1.0, np.float32(1), True),  # strong instead of weak
        (np.ones(2), np.zeros(2), False),
        (np.ones(2), np.ones(3), True),
        (np.ones(2), np.ones(2, np.int32), True),
        ([1.0], (1.0,), True),
        ({"a": 1.0, "b": 2.0}, {"b": 2.0, "a": 1.0}, False),
        (None, 1.0, True),
    ],
)
def test_a_call_is_traced_again_where_its_types_or_tree_differ(first, second, again) -> None:
    f = Counted(lambda x: x)
    g = jax.jit(f)
    g(first)
    g(second)
    assert f.traces == 1 + again


def test_x64_mode_is_part_of_the_key() -> None:
    f = Counted(lambda x: x * 2)
    g = jax.jit(f)
    assert g(1.0).dtype == jnp.float32
    with jax.enable_x64(True):
        assert g(1.0).dtype == jnp.float64
    assert f.traces == 2


def test_wrappers_of_one_function_share_its_traces() -> None:
    traces = []

    def f(x):
        traces.append(1)
        return x

    jax.jit(f)(1.0)
    jax.jit(f)(2.0)
    assert len(traces) == 1


def test_a_function_and_its_traces_can_be_collected() -> None:
    def f(x):
        return x + 1

    jax.jit(f)(1.0)
    gone = weakref.ref(f)
    del f
    gc.collect()
    assert gone() is None


def test_clear_cache_traces_again() -> None:
    f = Counted(lambda x: x)
    g = jax.jit(f)
    g(1.0)
    g.clear_cache()
    g(1.0)
    assert f.traces == 2


def test_static_arguments_are_python_values() -> None:
    seen = []
    f = jax.jit(lambda x, n: seen.append(n) or x * n, static_argnames="n")
    assert float(f(2.0, n=3)) == 6.0
    assert float(f(2.0, 3)) == 6.0
    assert seen == [3, 3]  # positional and keyword are two kinds of call


def test_disable_jit_calls_the_function_itself() -> None:
    with jax.disable_jit():
        assert jax.jit(lambda x: "anything")(1.0) == "anything"


def test_a_donated_argument_gives_its_buffer_up_where_a_result_fits() -> None:
    f = jax.jit(lambda a, b: (a + 1.0, b.sum()), donate_argnums=(0, 1))
    a, b = jnp.ones(3), jnp.ones(2)
    with pytest.warns(UserWarning, match="donated buffers were not usable"):
        f(a, b)
    assert a.is_deleted()
    assert not b.is_deleted()


def test_nothing_is_donated_while_tracing() -> None:
    f = jax.jit(lambda a: a + 1.0, donate_argnums=0)
    a = jnp.ones(3)
    jax.make_jaxpr(lambda x: f(x) + f(a))(1.0)
    assert not a.is_deleted()


def test_lower_takes_descriptions_and_compile_refuses_other_types() -> None:
    compiled = jax.jit(lambda x: x * 2).lower(jax.ShapeDtypeStruct((2,), jnp.float32)).compile()
    assert compiled(jnp.ones(2)).tolist() == [2.0, 2.0]
    with pytest.raises(TypeError, match="Argument types differ"):
        compiled(jnp.ones(3))
    with pytest.raises(TypeError, match="input pytree does not match"):
        compiled(jnp.ones(2), 1.0)


def test_methods_are_jitted_with_self_static() -> None:
    class Scale:
        factor = 3.0

        @jax.jit
        def apply(self, x):
            return x

        def __hash__(self):
            return 1

    with pytest.raises(TypeError, match="at path self"):
        Scale().apply(1.0)


def test_interpreting_and_debugging_flag_gives_the_same() -> None:
    f = jax.jit(lambda x: jnp.sin(x) * 2)
    before = f(1.0)
    jax.config.update("minijax_interpret_jaxprs", True)
    try:
        assert float(f(1.0)) == pytest.approx(float(before), rel=1e-6)
    finally:
        jax.config.update("minijax_interpret_jaxprs", False)


def test_an_inner_function_takes_outer_values_as_leading_arguments() -> None:
    def outer(x):
        y = jnp.sin(x)
        return jax.jit(lambda z: z * y)(2.0)

    eqn = jax.make_jaxpr(outer)(1.0).eqns[-1]
    assert len(eqn.invars) == 2
    assert eqn.params["jaxpr"].consts == []
    assert np.isclose(float(outer(1.0)), 2 * np.sin(1.0))


def test_a_trace_that_closes_over_an_outer_tracer_is_not_reused() -> None:
    inner_of = []

    def outer(x):
        if not inner_of:
            inner_of.append(jax.jit(lambda z: z * 1.0))
        held.append(x)
        return inner(2.0)

    held = []
    inner = jax.jit(lambda z: z * held[-1])
    assert float(jax.jit(outer)(3.0)) == 6.0
    assert float(jax.jit(lambda x: outer(x))(5.0)) == 10.0
