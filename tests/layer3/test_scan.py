"""scan: what it computes, what it records, how often it traces, what it refuses."""

import gc
import re
import signal
import weakref

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.errors import JaxprTypeError
from minijax.extend.core import check_jaxpr
from minijax.layer3_control import bodies
from ops import CASES

CONTROL = re.compile("scan|while|fori|cond|switch|map")


def leaves(tree):
    return [np.asarray(x) for x in jax.tree.leaves(tree)]


def add(c, x):
    return c + x, c * x


# ---- what it computes


@pytest.mark.parametrize("case", [c for c in CASES if CONTROL.match(c.name) and "nothing" not in c.name], ids=str)
def test_control_flow_computes_what_python_computes(case):
    values = [jnp.asarray(x) for x in case.values()]
    with jax.disable_jit():
        want = leaves(case.fun(*values))
    for got, expected in zip(leaves(jax.jit(case.fun)(*values)), want, strict=True):
        assert got.dtype == expected.dtype
        wide = np.complex128 if got.dtype.kind == "c" else np.float64
        np.testing.assert_allclose(got.astype(wide), expected.astype(wide), rtol=1e-2 if got.itemsize == 2 else 1e-5)


def test_there_are_cases_of_each_kind():
    names = {CONTROL.match(c.name)[0] for c in CASES if CONTROL.match(c.name)}
    assert names == {"scan", "while", "fori", "cond", "switch", "map"}


@pytest.mark.parametrize("unroll", [0, 1, 2, 3, True, False])
def test_the_number_of_steps_at_once_changes_nothing(unroll):
    carry, ys = lax.scan(add, 1, jnp.arange(7), unroll=unroll)
    assert int(carry) == 22
    np.testing.assert_array_equal(ys, [0, 1, 4, 12, 28, 55, 96])


def test_a_reversed_scan_is_the_scan_of_the_reversed_sequence():
    xs = jnp.arange(12.0).reshape(4, 3)
    carry, ys = lax.scan(add, jnp.ones(3), xs, reverse=True)
    want_carry, want_ys = lax.scan(add, jnp.ones(3), xs[::-1])
    np.testing.assert_array_equal(carry, want_carry)
    np.testing.assert_array_equal(ys, want_ys[::-1])


def test_no_steps_return_the_start_and_empty_stacks():
    carry, ys = lax.scan(lambda c, x: (c + 1, jnp.outer(x, x)), 5, jnp.zeros((0, 3)))
    assert int(carry) == 5 and ys.shape == (0, 3, 3)


def test_results_have_memory_of_their_own():
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    values = [jnp.ones(3), jnp.asarray(x)]
    for out in leaves(lax.scan(lambda c, x: (x, (c, c)), *values)):
        assert not any(np.shares_memory(out, np.asarray(v)) for v in values)


def test_a_donated_start_is_not_seen_in_what_was_scanned_before():
    def twice(x, xs):
        carry, ys = lax.scan(lambda c, v: (c, c + v), x, xs)
        last, _ = lax.scan(lambda c, v: (v, None), x, xs)
        return carry * 2.0 + last, ys

    x, xs = jnp.arange(3.0), jnp.ones((2, 3))
    want = leaves(twice(x, xs))
    for got, expected in zip(leaves(jax.jit(twice, donate_argnums=(0, 1))(x, xs)), want, strict=True):
        np.testing.assert_array_equal(got, expected)


def test_a_sequence_in_another_order_in_memory_is_read_as_it_is():
    xs = jnp.asarray(np.asfortranarray(np.arange(12.0).reshape(4, 3)))
    np.testing.assert_array_equal(lax.scan(lambda c, x: (c + x, None), jnp.zeros(3), xs)[0], [18, 22, 26])


# ---- what it records


def equation(fun, *args):
    jaxpr = jax.make_jaxpr(fun)(*args)
    check_jaxpr(jaxpr)
    return next(e for e in jaxpr.eqns if e.primitive is lax.scan_p)


def test_the_length_of_the_loop_does_not_change_the_program():
    sizes = [len(jax.make_jaxpr(lambda x: lax.scan(add, 0.0, x))(jnp.zeros(n)).eqns) for n in (3, 10_000)]
    assert sizes == [1, 1]


def test_all_steps_at_once_are_recorded_as_their_number():
    for unroll, recorded in ((True, 7), (False, 1), (3, 3), (0, 0)):
        assert equation(lambda x, n=unroll: lax.scan(add, 0.0, x, unroll=n), jnp.ones(7)).params["unroll"] == recorded


def test_the_body_is_closed_over_nothing():
    w = jnp.ones((2, 2))
    eqn = equation(lambda v, x: lax.scan(lambda c, x: (w @ c + v, x * v), jnp.zeros(2), x), jnp.ones(2), jnp.ones(3))
    body = eqn.params["jaxpr"]
    assert not body.consts and not body.constvars
    assert [v.aval for v in body.invars[:2]] == [v.aval for v in eqn.invars[:2]]


def test_equal_loops_have_one_program():
    def both(x):
        return lax.scan(keep, (0.0, 1.0), x), lax.scan(keep, (0.0, 2.0), x)

    def keep(c, x):
        return (c[0], c[1] + x), x

    one, other = jax.make_jaxpr(both)(jnp.ones(3)).eqns
    assert one.params["jaxpr"] is other.params["jaxpr"]


def test_what_no_step_changes_is_a_constant_and_no_result():
    eqn = equation(lambda x: lax.scan(lambda c, x: ((c[0], c[1] + 1), (x, c[0])), (2.0, 0), x), jnp.ones(3))
    assert len(eqn.outvars) == 2  # the counter, and the stacked constant: x is x
    assert str(eqn.params["ft_in"]) == "((None,), (None,), (None,))"


def test_a_step_may_take_what_another_transformation_is_tracing():
    @jax.jit
    def outer(w, xs):
        def body(c, x):
            return c * w + x, None

        return lax.scan(body, w, xs)[0]

    np.testing.assert_allclose(outer(2.0, jnp.ones(3)), 23.0)
    np.testing.assert_allclose(outer(3.0, jnp.ones(3)), 94.0)


def test_operands_of_other_types_than_the_body_takes_are_refused():
    eqn = equation(lambda c, x: lax.scan(add, c, x), jnp.ones(2), jnp.ones((3, 2)))
    for bad in [(jnp.ones(3), jnp.ones((3, 2))), (jnp.ones(2), jnp.ones((4, 2))), (jnp.ones(2), jnp.arange(6))]:
        with pytest.raises(JaxprTypeError, match="scan jaxpr takes input types"):
            lax.scan_p.bind(*bad, **eqn.params)


# ---- how often it traces


def test_a_body_is_traced_once_for_each_kind_of_call():
    traced = []

    def body(c, x):
        traced.append(x.dtype.name)
        return c + x, None

    for xs in (jnp.zeros(3), jnp.zeros(3), jnp.zeros(5), jnp.arange(3)):
        lax.scan(body, jnp.zeros((), xs.dtype), xs)
    assert traced == ["float32", "int32"]
    jax.clear_caches()
    lax.scan(body, jnp.float32(0), jnp.zeros(3))
    assert traced == ["float32", "int32", "float32"]


def test_a_body_that_captures_a_traced_value_is_remembered_only_inside():
    cell = {}

    def body(c, x):
        return c + cell["w"], None

    def outer(w):
        cell["w"] = w
        return lax.scan(body, 0.0, length=3)[0] + lax.scan(body, 1.0, length=3)[0]

    assert float(jax.jit(outer)(2.0)) == 13.0
    assert float(jax.jit(lambda w: outer(w * 1))(jnp.float32(5.0))) == 31.0


def test_a_trace_lives_as_long_as_its_function():
    def body(c, x):
        return c + x, None

    lax.scan(body, 0.0, jnp.ones(3))
    gone = weakref.ref(body)
    del body
    gc.collect()
    assert gone() is None


def test_what_a_function_was_staged_to_does_not_outlive_it():
    def body(c, x):
        return c + x, None

    lax.scan(body, 0.0, jnp.ones(3))
    gone = [weakref.ref(body.jaxpr) for body in bodies._bodies[body].values()]
    del body
    gc.collect()
    assert [ref() for ref in gone] == [None] * len(gone)


class Unhashable:
    __hash__ = None

    def __call__(self, c, x):
        return c + x, None


def test_a_function_that_cannot_be_remembered_is_traced_each_time():
    assert float(lax.scan(Unhashable(), 0.0, jnp.ones(3))[0]) == 3.0


# ---- weak types


@pytest.mark.parametrize("dtype", ["int8", "int32", "bfloat16", "float32", "complex64"])
def test_a_number_to_start_with_takes_the_type_of_the_body(dtype):
    total, ys = lax.scan(lambda c, x: (c + x, c), 0, jnp.ones(3, dtype))
    assert (total.dtype.name, ys.dtype.name, total.weak_type) == (dtype, dtype, False)


# ---- what it refuses

XS = jnp.arange(3)
REFUSED = [
    (lambda: lax.scan(3, 0, XS), TypeError, "lax.scan: f argument should be a callable."),
    (lambda: lax.scan(lambda c, x: c, 0, XS), TypeError, "scan body output must be a pair, got ~int32[]."),
    (lambda: lax.scan(lambda c, x: (c, x, x), 0, XS), TypeError, "scan body output must be a pair, got (Shaped"),
    (lambda: lax.scan(add, "start", XS), TypeError, "Argument 'start' of type <class 'str'> is not a valid JAX type"),
    (lambda: lax.scan(add, 2**40, XS), OverflowError, "Python int 1099511627776 too large to convert to int32"),
    (lambda: lax.scan(add, 2**40, XS / 2), OverflowError, "Python int 1099511627776 too large to convert to int32"),
    (lambda: lax.scan(add, 0), ValueError, "scan got no values to scan over and `length` not provided."),
    (lambda: lax.scan(add, 0, [1, 2]), ValueError, "scan got value with no leading axis to scan over: 1, 2."),
    (lambda: lax.scan(add, 0, jnp.float32(1)), IndexError, "tuple index out of range"),
    (
        lambda: lax.scan(lambda c, x: (c, x), 0, (XS, jnp.arange(2))),
        ValueError,
        "scan got values with different leading axis sizes: 3, 2.",
    ),
    (
        lambda: lax.scan(add, 0, XS, length=4),
        ValueError,
        "scan got `length` argument of 4 which disagrees with leading axis sizes [3].",
    ),
    (lambda: lax.scan(add, 0, XS, unroll=-1), ValueError, "`unroll` must be a `bool` or a non-negative `int`."),
    (
        lambda: jax.jit(lambda n: lax.scan(add, 0, length=n))(3),
        jax.errors.ConcretizationTypeError,
        "Abstract tracer value encountered where concrete value is expected: traced array with shape int32[]\n"
        "The `length` argument to `scan` expects a concrete `int` value. For scan-like iteration with a dynamic length",
    ),
    (
        lambda: jax.jit(lambda n: lax.scan(add, 0, XS, unroll=n))(3),
        jax.errors.ConcretizationTypeError,
        "Abstract tracer value encountered where concrete value is expected: traced array with shape int32[]\n"
        "The `unroll` argument to `scan` expects a concrete `int` or `bool` value.",
    ),
    (
        lambda: lax.scan(lambda state, x: ({"n": state["n"] + 0.5}, None), {"n": jnp.int32(0)}, XS),
        TypeError,
        "scan body function carry input and carry output must have equal types, but they differ:\n\n"
        "The input carry component state['n'] has type int32[] but the corresponding output carry component has type "
        "float32[], so the dtypes do not match.\n\n"
        "Revise the function so that all output types match the corresponding input types.",
    ),
    (
        lambda: lax.scan(lambda c, x: ((c[0],), None), (0, 1), XS),
        TypeError,
        "scan body function carry input and carry output must have the same pytree structure, but they differ:\n\n"
        "The input carry c is a tuple of length 2 but the corresponding component of the carry output is a tuple of "
        "length 1, so the lengths do not match.\n\n"
        "Revise the function so that the carry output has the same pytree structure as the carry input.",
    ),
    (
        lambda: lax.scan(
            lambda c, x: ([a.astype(float)[None] for a in c], None), [jnp.arange(i) for i in range(3)], XS
        ),
        TypeError,
        "scan body function carry input and carry output must have equal types, but they differ:\n\n"
        "  * the input carry component c[0] has type int32[0] but the corresponding output carry component has type "
        "float32[1,0], so the dtypes do not match, and the shapes do not match;\n\n"
        "  * the input carry component c[1] has type int32[1] but the corresponding output carry component has type "
        "float32[1,1], so the dtypes do not match, and the shapes do not match;\n"
        "  * the input carry component c[2] has type int32[2] but the corresponding output carry component has type "
        "float32[1,2], so the dtypes do not match, and the shapes do not match.\n\n",
    ),
]


@pytest.mark.parametrize("call, kind, message", REFUSED)
def test_what_cannot_be_scanned_is_refused_in_jaxs_words(call, kind, message):
    with pytest.raises(kind) as found:
        call()
    assert type(found.value) is kind
    assert str(found.value).startswith(message)


def test_a_scan_of_unknown_type_is_refused_without_jit():
    with jax.disable_jit(), pytest.raises(ValueError, match="zero-length scan is not supported in disable_jit"):
        lax.scan(add, 0, jnp.zeros(0))


# ---- interrupted


def test_an_interrupt_ends_a_loop_at_once_and_leaves_it_usable():
    steps, interrupting = [], [True]

    def step(c, x):
        jax.debug.callback(lambda x: (steps.append(int(x)), interrupting and x == 3 and _interrupt()), x)
        return c + x, None

    total = jax.jit(lambda xs: lax.scan(step, 0, xs)[0])
    with pytest.raises(KeyboardInterrupt):
        total(jnp.arange(1000))
    assert steps == [0, 1, 2, 3]
    interrupting.clear()
    assert int(total(jnp.arange(1000))) == 499500
    assert int(lax.scan(step, 0, jnp.arange(4))[0]) == 6


def _interrupt():
    signal.raise_signal(signal.SIGINT)
