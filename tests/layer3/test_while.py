"""while_loop, and the loops that are made of it and of scan: fori_loop, map, associative_scan."""

import operator

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.errors import JaxprTypeError
from minijax.extend.core import check_jaxpr
from minijax.layer3_control import fori


def equation(fun, *args):
    jaxpr = jax.make_jaxpr(fun)(*args)
    check_jaxpr(jaxpr)
    return next(e for e in jaxpr.eqns if e.primitive.name in ("while", "scan"))


# ---- while_loop


def test_both_functions_are_traced_once_and_the_condition_first():
    traced = []

    def cond(n):
        traced.append("cond")
        return n < 9

    def body(n):
        traced.append("body")
        return n * 2

    assert [int(lax.while_loop(cond, body, n)) for n in (1, 2, 3)] == [16, 16, 12]
    assert traced == ["cond", "body"]


def test_a_body_that_is_never_run_is_traced():
    assert int(lax.while_loop(lambda n: n < 0, lambda n: n - 1, 5)) == 5


def test_what_no_step_changes_and_no_condition_asks_for_is_a_constant():
    eqn = equation(
        lambda x: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1], c[1] * c[2]), (0, x, x)), 2.0
    )
    assert (eqn.params["body_nconsts"], eqn.params["cond_nconsts"], len(eqn.outvars)) == (1, 0, 2)


def test_what_the_condition_asks_for_is_carried_though_no_step_changes_it():
    eqn = equation(lambda x: lax.while_loop(lambda c: c[0] < c[1], lambda c: (c[0] + 1, c[1]), (0.0, x)), 2.0)
    assert (eqn.params["body_nconsts"], len(eqn.outvars)) == (0, 2)


def test_a_condition_may_compute_what_nobody_reads_of_a_constant():
    fun = lambda x: lax.while_loop(lambda c: (jnp.sin(c[1]), c[0] < 3)[1], lambda c: (c[0] + 1, c[1]), (0, x))
    eqn = equation(fun, 2.0)
    assert len(eqn.params["cond_jaxpr"].eqns) == 1
    assert [float(x) for x in jax.jit(fun)(2.0)] == [3.0, 2.0]


@pytest.mark.parametrize("dtype", ["float16", "float32", "complex64"])
def test_a_number_to_start_with_takes_the_type_of_the_body(dtype):
    step = jnp.ones((), dtype)
    out = lax.while_loop(lambda s: s.real < 3, lambda s: s + step, 0)
    assert (out.dtype.name, out.weak_type, complex(out)) == (dtype, False, 3)


def test_results_have_memory_of_their_own():
    x = jnp.arange(3.0)
    for n in (0, 1):
        out = lax.while_loop(lambda c, n=n: c[0] < n, lambda c: (c[0] + 1, c[2], c[1]), (0, x, x + 1))
        assert not any(np.shares_memory(np.asarray(y), np.asarray(x)) for y in out)


def test_operands_of_other_types_than_the_body_takes_are_refused():
    eqn = equation(lambda x: lax.while_loop(lambda c: c.sum() < 9, lambda c: c + 1, x), jnp.ones(3))
    with pytest.raises(JaxprTypeError, match="while_loop cond function input type error"):
        lax.while_p.bind(jnp.ones(4), **eqn.params)


COND = "cond_fun must return a boolean scalar, but got "
REFUSED = [
    (
        lambda: lax.while_loop(1, abs, 0),
        TypeError,
        "lax.while_loop: body_fun and cond_fun arguments should be callable.",
    ),
    (
        lambda: lax.while_loop(lambda s: s, abs, 0),
        TypeError,
        COND + "output type(s) [ShapedArray(int32[], weak_type=True)].",
    ),
    (lambda: lax.while_loop(lambda s: (s < 3,), abs, 0), TypeError, COND + "pytree PyTreeDef((*,))."),
    (
        lambda: lax.while_loop(lambda s: s < 5, lambda s: s + 0.5, jnp.int32(0)),
        TypeError,
        "while_loop body function carry input and carry output must have equal types, but they differ:\n\n"
        "The input carry s has type int32[] but the corresponding output carry component has type float32[], so the "
        "dtypes do not match.\n\nRevise the function so that all output types match the corresponding input types.",
    ),
    (lambda: lax.fori_loop(0, 3, 1, 0), TypeError, "lax.fori_loop: body_fun argument should be callable."),
    (
        lambda: lax.fori_loop(0, 2.5, operator.add, 0),
        TypeError,
        "lower and upper arguments to fori_loop must have equal types, got int32 and float32",
    ),
    (
        lambda: lax.fori_loop(jnp.uint8(0), jnp.int8(3), operator.add, 0),
        TypeError,
        "lower and upper arguments to fori_loop must have equal types, got uint8 and int8",
    ),
    (
        lambda: jax.jit(lambda n: lax.fori_loop(0, n, operator.add, 0, unroll=2))(3),
        ValueError,
        "Can only use `unroll` in `fori_loop` if the loop bounds are statically known.",
    ),
    (
        lambda: lax.fori_loop(0, 3, lambda i, x: x + 0.5, jnp.int32(0)),
        TypeError,
        "scan body function carry input and carry output must have equal types, but they differ:\n\n"
        "The input carry component loop_carry[1] has type int32[]",
    ),
    (lambda: lax.associative_scan(1, jnp.ones(3)), TypeError, "lax.associative_scan: fn argument should be callable."),
    (
        lambda: lax.associative_scan(jnp.add, (jnp.ones(3), jnp.ones(4))),
        ValueError,
        "Array inputs to associative_scan must have the same first dimension. (saw: [(3,), (4,)])",
    ),
]


@pytest.mark.parametrize("call, kind, message", REFUSED)
def test_what_is_no_loop_is_refused_in_jaxs_words(call, kind, message):
    with pytest.raises(kind) as found:
        call()
    assert type(found.value) is kind
    assert str(found.value).startswith(message)


def test_without_jit_python_loops():
    seen = []
    with jax.disable_jit():
        out = lax.while_loop(lambda n: n < 3, lambda n: (seen.append(int(n)), n + 1)[1], 0)
    assert (int(out), seen) == (3, [0, 1, 2])


def test_without_jit_a_traced_condition_is_still_an_equation():
    with jax.disable_jit():
        jaxpr = jax.make_jaxpr(lambda n: lax.while_loop(lambda c: c < n, lambda c: c + 1, 0))(3)
    assert [e.primitive.name for e in jaxpr.eqns][-1] == "while"


def test_a_condition_that_captures_a_traced_value_is_not_kept_by_the_body():
    body = lambda c: c + 1
    with jax.checking_leaks():
        for n in (3, 4.0):
            assert float(jax.jit(lambda n: lax.while_loop(lambda c: c < n, body, 0))(n)) == n


# ---- fori_loop


@pytest.mark.parametrize("lower, upper", [(0, 5), (2, 5), (3, 3), (5, 0), (-2, 2)])
def test_known_and_traced_bounds_count_alike(lower, upper):
    body = lambda i, c: c * 2 + i
    want = 1
    for i in range(lower, upper):
        want = body(i, want)
    assert int(lax.fori_loop(lower, upper, body, 1)) == want
    assert int(jax.jit(lambda a, b: lax.fori_loop(a, b, body, 1))(lower, upper)) == want


def test_known_bounds_are_a_scan_and_traced_ones_a_while():
    loop = lambda n: lax.fori_loop(0, n, lambda i, c: c + i, 0)
    assert equation(lambda: loop(3)).primitive.name == "scan"
    assert equation(loop, 3).primitive.name == "while"


def test_the_index_of_a_while_has_the_type_of_the_bounds():
    seen = []
    body = lambda i, c: (seen.append(str(i.aval)), c)[1]
    for lower, upper in ((0, 3), (0, jnp.int8(3)), (jnp.uint8(0), jnp.uint8(3)), (jnp.int16(0), 3)):
        jax.jit(lambda a, b: lax.fori_loop(a, b, body, 0))(lower, upper)
    assert seen == ["~int32[]", "int8[]", "uint8[]", "int16[]"]


def test_a_body_is_traced_once_for_each_of_the_two():
    traced = []

    def body(i, c):
        traced.append(i.dtype.name)
        return c + i

    for n in (3, 4, 3):
        lax.fori_loop(0, n, body, 0)
        jax.jit(lambda n: lax.fori_loop(0, n, body, 0))(n)
    assert traced == ["int32", "int32"]


# ---- map


def test_map_stacks_what_the_function_makes():
    squares, (same,) = lax.map(lambda x: (x["a"] ** 2, [x["a"]]), {"a": jnp.arange(3)})
    assert squares.tolist() == [0, 1, 4] and same.tolist() == [0, 1, 2]


@pytest.mark.parametrize("size", [0, 1, 2, 3, 5, 7])
def test_batches_change_nothing(size, monkeypatch):
    monkeypatch.setattr(fori, "vectorizers", [lambda f: f])  # an elementwise function is its own
    x = {"a": jnp.arange(10.0).reshape(5, 2)}
    got = lax.map(lambda t: jnp.sin(t["a"]), x, batch_size=size)
    np.testing.assert_allclose(got, jnp.sin(x["a"]), rtol=1e-6)


# ---- associative_scan


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8, 9])
def test_partial_results_are_those_of_a_loop(n, reverse):
    x = np.random.default_rng(n).normal(size=(2, n, 2, 2)).astype(np.float32)
    got = lax.associative_scan(jnp.matmul, jnp.asarray(x), axis=1, reverse=reverse)
    order, total = range(n)[:: -1 if reverse else 1], None
    for i in order:
        total = x[:, i] if total is None else total @ x[:, i]
        np.testing.assert_allclose(got[:, i], total, rtol=1e-4, atol=1e-5)


def test_trees_and_truth_values_are_scanned_together():
    total, seen = lax.associative_scan(
        lambda a, b: (a[0] + b[0], a[1] | b[1]), (jnp.arange(4), jnp.array([False, True, False, False]))
    )
    assert total.tolist() == [0, 1, 3, 6] and seen.tolist() == [False, True, True, True]


# ---- loops of the package


def test_the_greatest_common_divisor_is_a_loop_that_ends_when_it_is_found():
    jaxpr = jax.make_jaxpr(jnp.gcd)(12, 18).eqns[0].params["jaxpr"]
    assert [e.primitive.name for e in jaxpr.eqns].count("while") == 1
    np.testing.assert_array_equal(jnp.gcd(np.array([12, 7, 0]), 18), [6, 1, 18])
