"""What a hostile or careless caller cannot break: values that were handed over, the current trace, messages."""

import functools
import threading

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax.extend.core import Primitive
from minijax.layer1_core.trace import EVAL, current_trace


class Equal:
    """A callable that can be compared with its own kind only."""

    def __init__(self, k):
        self.k = k

    def __hash__(self):
        return hash(self.k)

    def __eq__(self, other):
        return self.k == other.k

    def __call__(self, x):
        return x * self.k


class AsArray:
    def __array__(self, dtype=None, copy=None):
        return np.arange(3.0)


class AsJaxArray:
    def __jax_array__(self):
        return jnp.arange(3.0)


# ---- memory


def test_writing_to_a_closed_over_numpy_array_changes_no_trace_and_no_result() -> None:
    a = np.arange(3.0)
    f = jax.jit(lambda x: x + a)
    before = f(1.0).tolist()
    jaxpr = jax.make_jaxpr(lambda: jnp.ones(3) + a)()
    a[:] = 100
    assert f(1.0).tolist() == f(2.0 - 1.0).tolist() == before
    assert jaxpr.consts[0].tolist() == [0, 1, 2]


def test_a_closed_over_numpy_array_has_the_dtype_of_its_variable() -> None:
    jaxpr = jax.make_jaxpr(lambda x: x @ np.ones((2, 2)))(jnp.ones(2))
    assert jaxpr.consts[0].dtype == jaxpr.constvars[0].aval.dtype == np.float32


@pytest.mark.parametrize("make", [jnp.ones, lambda n: jnp.ones(n) + 1, lambda n: jnp.ones((1, n)).T, np.ones])
def test_a_numpy_view_of_an_array_cannot_be_opened_for_writing(make) -> None:
    view = np.asarray(jnp.asarray(make(3)))
    with pytest.raises(ValueError, match="cannot set WRITEABLE"):
        view.flags.writeable = True


def test_an_array_exported_by_dlpack_is_read_only() -> None:
    assert not np.from_dlpack(jnp.ones(3)).flags.writeable


def test_a_compiled_function_takes_its_donated_arguments() -> None:
    compiled = jax.jit(lambda x: x + 1, donate_argnums=0).lower(jnp.ones(3)).compile()
    x = jnp.ones(3)
    compiled(x)
    assert x.is_deleted()


def test_a_deleted_argument_matters_only_where_it_is_read() -> None:
    dead = jnp.ones(3)
    dead.delete()
    f = jax.jit(lambda x, y: y + 1)
    assert f(dead, 1.0) == 2
    with pytest.raises(RuntimeError, match="Array has been deleted"):
        f(1.0, dead)


# ---- values of all kinds


def test_elements_of_a_list_may_be_arrays_in_another_form() -> None:
    assert jnp.array([AsArray(), AsArray()]).shape == (2, 3)
    assert jnp.array([AsJaxArray(), [1, 2, 3]]).tolist() == [[0, 1, 2], [1, 2, 3]]


def test_masked_arrays_are_refused() -> None:
    masked = np.ma.array([1, 2], mask=[0, 1])
    for use in (jnp.array, jnp.sin, jax.jit(lambda x: x), jax.device_put):
        with pytest.raises(ValueError, match="masked arrays are not supported"):
            use(masked)


def test_a_callable_that_cannot_be_compared_is_jitted() -> None:
    assert jax.jit(Equal(7))(2.0) == 14


def test_a_64_bit_array_that_outlives_its_mode_meets_narrow_ones() -> None:
    with jax.enable_x64(True):
        x = jnp.arange(3.0)
    assert (x + 1).dtype == (x * jnp.ones(3)).dtype == np.float32
    assert (x + x).dtype == np.float64


def test_numpy_scalars_take_part_in_weak_promotion() -> None:
    assert (jnp.asarray(1.0) + np.int64(1)).weak_type


@pytest.mark.parametrize("bad", [[1, [2, 3]], "ab", 1.5, None])
def test_a_bad_shape_is_shown_as_it_was_given(bad) -> None:
    shown = bad if isinstance(bad, list) else (bad,)
    with pytest.raises(TypeError) as error:
        jnp.zeros(bad)
    assert str(error.value) == f"Shapes must be 1D sequences of concrete values of integer type, got {shown}."


# ---- traces


def test_an_inner_function_is_traced_once_for_each_outer_trace() -> None:
    traces = []

    def outer(y):
        @jax.jit
        def inner(x):
            traces.append(1)
            return x + y

        return inner(1.0) + inner(2.0)

    jaxpr = jax.make_jaxpr(outer)(1.0)
    assert len(traces) == 1
    assert str(jaxpr).startswith("let inner = ")
    jax.make_jaxpr(outer)(1.0)
    assert len(traces) == 2


def test_compile_time_evaluation_leaves_tracers_to_their_trace() -> None:
    def f(x):
        with jax.ensure_compile_time_eval():
            return x + jnp.arange(3).sum()

    assert jax.jit(f)(1.0) == 4


@pytest.mark.parametrize("transform", [jax.jit, jax.make_jaxpr, lambda f: jax.jit(jax.jit(f))])
@pytest.mark.parametrize("error", [KeyboardInterrupt, RecursionError, StopIteration, GeneratorExit])
def test_whatever_is_raised_while_tracing_the_base_trace_is_current_again(transform, error) -> None:
    def f(x):
        raise error

    with pytest.raises(error):
        transform(f)(1.0)
    assert current_trace.get() is EVAL


def test_a_function_that_jits_itself_without_end_leaves_the_base_trace() -> None:
    def f(x):
        return jax.jit(lambda y: f(y))(x)

    with pytest.raises(RecursionError):
        f(1.0)
    assert current_trace.get() is EVAL


def test_an_error_in_an_impl_rule_reaches_the_caller_and_nothing_else() -> None:
    p = Primitive("fails")
    p.def_abstract_eval(lambda x: x)

    @p.def_impl
    def _(x):
        raise KeyError("inside")

    for call in (p.bind, jax.jit(p.bind)):
        with pytest.raises(KeyError, match="inside"):
            call(1.0)
    assert (jnp.ones(2) + 1).tolist() == [2, 2]


def test_threads_trace_at_once() -> None:
    wrong = []

    def check(i, j):
        f = jax.jit(lambda x: jnp.sin(x) * i + jax.jit(lambda y: y * j)(x))
        wrong.extend([(i, j)] * (not np.isclose(f(1.0), np.sin(1.0) * i + j)))

    def work(i):
        for j in range(20):
            check(i, j)

    threads = [threading.Thread(target=functools.partial(work, i)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# ---- messages


def test_arguments_are_named_in_the_order_of_the_leaves() -> None:
    jaxpr = jax.make_jaxpr(lambda b, a, *args, **kw: b)(1, 2, 3, z=4, y={"k": 5})
    assert jaxpr.debug_info.arg_names == ("b", "a", "args[0]", "kw['y']['k']", "kw['z']")
    assert jax.make_jaxpr(lambda b, a: b)(b=1, a=2).debug_info.arg_names == ("a", "b")


def test_parameters_that_cannot_be_hashed_are_refused_by_name() -> None:
    p = Primitive("p")
    p.def_abstract_eval(lambda x, **params: x)
    with pytest.raises(TypeError, match=r"the value of parameter sizes was not hashable: \[1\]"):
        jax.make_jaxpr(lambda x: p.bind(x, sizes=[1]))(1.0)
    with pytest.raises(TypeError, match=r"the value of parameter sizes was not hashable: \{'a': \[1\]\}"):
        jax.make_jaxpr(lambda x: p.bind(x, sizes={"a": [1]}))(1.0)
    assert "sizes={'a': 1}" in str(jax.make_jaxpr(lambda x: p.bind(x, sizes={"a": 1}))(1.0))


def test_parameters_are_hashed_before_the_shape_rule_sees_them() -> None:
    p = Primitive("p")
    seen = []
    p.def_abstract_eval(lambda x, **params: seen.append(params) or x)
    with pytest.raises(TypeError, match=r"parameter size was not hashable: \(JitTracer\(~int32\[\]\), 2\)"):
        jax.jit(lambda n: p.bind(1.0, size=(n, 2)))(3)
    assert not seen


def test_a_description_of_an_array_is_immutable() -> None:
    struct = jax.ShapeDtypeStruct((2,), jnp.float32)
    with pytest.raises(RuntimeError, match="Cannot reassign attributes"):
        struct.shape = (3,)


def test_results_go_where_out_shardings_says_and_its_tree_is_checked() -> None:
    here = jax.sharding.SingleDeviceSharding(jax.devices()[0])
    out = jax.jit(lambda x: {"a": x, "b": x}, out_shardings={"a": here, "b": None})(1.0)
    assert out["a"].committed
    assert not out["b"].committed
    with pytest.raises(ValueError, match="pjit out_shardings"):
        jax.jit(lambda x: {"a": x}, out_shardings=[here])(1.0)
