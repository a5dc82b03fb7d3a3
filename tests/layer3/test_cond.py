"""cond and switch: which branch is run, what is recorded, what is refused."""

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.errors import JaxprTypeError
from minijax.extend.core import check_jaxpr

here = pytest.mark.parametrize("how", [lambda f: f, jax.jit], ids=["eager", "jit"])


def equation(fun, *args):
    jaxpr = jax.make_jaxpr(fun)(*args)
    check_jaxpr(jaxpr)
    return next(e for e in jaxpr.eqns if e.primitive is lax.cond_p)


# ---- what is run


@here
@pytest.mark.parametrize("pred", [True, False, 0, 3, -2, 0.0, 0.25, np.bool_(True), np.array(0.0)])
def test_a_number_is_true_if_it_is_not_zero(how, pred):
    got = how(lambda p: lax.cond(p, lambda: 1, lambda: 2))(pred)
    assert int(got) == (1 if pred else 2)


@here
@pytest.mark.parametrize("index, taken", [(-9, 0), (0, 0), (1, 1), (2, 2), (3, 2), (200, 2)])
def test_an_index_that_is_too_small_or_too_large_is_the_nearest(how, index, taken):
    branches = [lambda x: x, lambda x: x * 10, lambda x: x * 100]
    for kind in (int, jnp.int8, jnp.uint8, jnp.int32):
        if kind in (jnp.uint8, jnp.int8) and not jnp.iinfo(kind).min <= index <= jnp.iinfo(kind).max:
            continue
        assert int(how(lambda i: lax.switch(i, branches, 7))(kind(index))) == 7 * 10**taken


def test_both_branches_are_traced_once_and_one_is_run():
    traced, ran = [], []

    def branch(name):
        def fun(x):
            traced.append(name)
            jax.debug.callback(lambda: ran.append(name))
            return x

        return fun

    yes, no = branch("yes"), branch("no")
    for pred in (True, False, True):
        lax.cond(pred, yes, no, 1.0)
    assert traced == ["yes", "no"]
    assert ran == ["yes", "no", "yes"]


def test_without_jit_python_takes_a_branch():
    with jax.disable_jit():
        assert lax.cond(True, lambda: "yes", lambda: "no") == "yes"
        assert lax.switch(5, [lambda: "a", lambda: "b"]) == "b"


@here
def test_the_results_are_not_the_operands(how):
    x = jnp.arange(3.0)
    out = how(lambda p, x: lax.cond(p, lambda x: (x, x + 1), lambda x: (x * 2, x), x))(True, x)
    assert not np.shares_memory(np.asarray(out[0]), np.asarray(x))


# ---- what is recorded


def test_every_branch_takes_what_any_of_them_captures_once():
    v, w = jnp.ones(2), jnp.ones(3)

    def fun(i, x):
        return lax.switch(i, [lambda: x + v.sum(), lambda: w.sum() + v.sum(), lambda: 1.0])

    eqn = equation(fun, 1, 2.0)
    assert [b.in_avals for b in eqn.params["branches"]] == [eqn.params["branches"][0].in_avals] * 3
    assert len(eqn.invars) == 4
    assert [float(fun(i, 2.0)) for i in range(3)] == [4.0, 5.0, 1.0]


def test_a_result_that_is_the_same_operand_in_every_branch_is_no_result():
    eqn = equation(lambda p, x: lax.cond(p, lambda: (x, x * 2), lambda: (x, x * 3)), True, 2.0)
    assert len(eqn.outvars) == 1


def test_the_branch_that_is_false_is_the_first():
    branches = equation(lambda p, x: lax.cond(p, jnp.sin, jnp.cos, x), True, 2.0).params["branches"]
    assert [b.eqns[0].primitive.name for b in branches] == ["cos", "sin"]


def test_operands_of_other_types_than_the_branches_take_are_refused():
    eqn = equation(lambda p, x: lax.cond(p, jnp.sin, jnp.cos, x), True, jnp.ones(3))
    with pytest.raises(JaxprTypeError, match="mismatching input types"):
        lax.cond_p.bind(0, jnp.ones(4), **eqn.params)


def test_one_branch_of_a_switch_is_a_call():
    assert [e.primitive.name for e in jax.make_jaxpr(lambda i, x: lax.switch(i, [lax.sin], x))(0, 1.0).eqns] == ["sin"]


def test_the_forms_of_old_are_taken():
    assert int(lax.cond(True, 3, lambda x: x + 1, 4, lambda x: x - 1)) == 4
    assert int(lax.cond(False, lambda x: x, lambda x: -x, operand=3)) == -3
    assert int(lax.switch(1, [lambda x: x, lambda x: -x], operand=3)) == -3


# ---- what is refused


def pair(a, b):
    return lambda: lax.cond(True, a, b)


WHERE = "true_fun is <lambda> at FILE\nfalse_fun is <lambda> at FILE\n\n"
TREES = "cond branch outputs must have the same pytree structure, but they differ:\n\n" + WHERE
TYPES = "cond branches must have equal output types but they differ.\n\n" + WHERE
SAME_TREE = "\nRevise true_fun and/or false_fun so that they have the same pytree structure."
SAME_TYPES = "\nRevise true_fun and/or false_fun so that all output types match."
REFUSED = [
    (lambda: lax.cond(None, abs, abs, 1), "cond predicate is None"),
    (lambda: lax.cond([True], abs, abs, 1), "Pred must be a scalar, got [True] of type <class 'list'>"),
    (lambda: lax.cond(jnp.ones(1), abs, abs, 1), "Pred must be a scalar, got [1.] of shape (1,)."),
    (lambda: lax.cond(1j, abs, abs, 1), "Pred type must be either boolean or number, got complex64."),
    (lambda: lax.cond(True, 1, abs), "lax.cond: true_fun and false_fun arguments should be callable."),
    (
        lambda: lax.cond(True, abs, abs, 1, operand=2),
        "if 'operand' keyword is passed then no positional operands can be passed, got operand=2 and positional "
        "operands (1,)",
    ),
    (lambda: lax.switch(0, [abs, 1], 1), "lax.switch: branches argument should be a sequence of callables."),
    (lambda: lax.switch(jnp.arange(2), [abs], 1), "Branch index must be scalar, got [0 1] of shape (2,)."),
    (lambda: lax.switch(1.5, [abs], 1), "Index type must be an integer, got 1.5 as float32"),
    (lambda: lax.switch(True, [abs], 1), "Index type must be an integer, got True as bool"),
    (
        pair(lambda: (1, [2]), lambda: (1, 2)),
        TREES + "true_fun output at path [1] is a <class 'list'> but false_fun output at path [1] is a pytree leaf, so "
        "their Python types differ.\n" + SAME_TREE,
    ),
    (
        pair(lambda: (1.0, 2, 3), lambda: (1.0, 2.0, jnp.ones(2))),
        TYPES + "  * the output of true_fun at path [1] has type int32[] but the corresponding output of false_fun has "
        "type float32[], so the dtypes do not match;\n"
        "  * the output of true_fun at path [2] has type int32[] but the corresponding output of false_fun has type "
        "float32[2], so the dtypes do not match, and the shapes do not match.\n" + SAME_TYPES,
    ),
    (
        lambda: lax.switch(1, [lambda: 1, lambda: 2, lambda: 3.0]),
        "switch branches must have equal output types but they differ.\n\nbranch 0 is <lambda> at FILE\nbranch2 is "
        "<lambda> at FILE\n\nThe output of branch 0 has type int32[] but the corresponding output of branch2 has type "
        "float32[], so the dtypes do not match.\n\nRevise branch 0 and/or branch2 so that all output types match.",
    ),
]


@pytest.mark.parametrize("call, message", REFUSED)
def test_what_is_no_branch_is_refused_in_jaxs_words(call, message):
    with pytest.raises(TypeError) as found:
        call()
    told = [line.split(f"{__file__}:")[0] + "FILE" * (__file__ in line) for line in str(found.value).split("\n")]
    assert "\n".join(told) == message


def test_a_switch_without_branches_is_refused():
    with pytest.raises(ValueError, match="Empty branch sequence"):
        lax.switch(0, [])
