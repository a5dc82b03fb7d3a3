"""What the checks of chapter 2 say about single wrong answers, and that what they expect is found in another way."""

from unittest import mock

import numpy as np
import pytest
from answers import answer_with, solution_of, source_of
from wrong_chapter2 import REPLACED

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.course import check
from minijax.course.catalogue import EXERCISES
from minijax.course.chapter2_expected import counted, fewest, is_trivial, kept_by_rule, may_join, traces
from minijax.course.chapter2_given import arrays_for, kernels_of, run_loops, run_program, run_with, ulps, what_is_lost
from minijax.course.judge import judge, observe
from minijax.layer2_jit import maths
from minijax.layer2_jit.compiler import machine_code
from minijax.layer2_jit.loops import Const, For, Load, Store, counter
from minijax.layer2_jit.lowering import CALLED, lowering_rules
from minijax.layer2_jit.passes import optimized
from minijax.layer2_jit.render import names_of

F32, I = np.dtype("float32"), counter("i0")


def softmax(x):
    e = jnp.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def layer_norm(x):
    y = x - x.mean(axis=1, keepdims=True)
    return y * lax.rsqrt((y * y).mean(axis=1, keepdims=True) + 1e-5)


# ---- what is shown


def test_there_are_ten_exercises():
    assert [id for id in EXERCISES if id.startswith("2.")] == [f"2.{i}" for i in range(1, 11)]


def test_a_failing_check_shows_the_loops_and_names_the_mistake(capsys):
    check("2.5", answer_with("2.5", *REPLACED["2.5", "the largest so far begins with 0"]))
    assert capsys.readouterr().out == (
        "2.5 is not right yet. The smallest case that fails:\n\n"
        "    x = np.resize([-3], (1,)).astype('float32')\n"
        "    a, b = Buffer('a', x.shape, x.dtype), Buffer('b', x.shape, x.dtype)\n"
        "    run_loops(running_max(a, b, 0), a=x, b=np.zeros_like(x))['b'].tolist()\n\n"
        "expected: [-3.0]\ngot:      [0.0]\n\n"
        "A look at it, text_of(running_max(a, b, 0), a=x, b=x):\n\n"
        "    def loops(a, b):\n"
        "        # a: float32[1], b: float32[1]\n"
        "        largest = 0.0\n"
        "        for i0 in range(1):\n"
        "            largest = max(largest, a[i0])\n"
        "            b[i0] = largest\n\n"
        "A known mistake: the largest so far begins with 0. Then negative numbers never count. It has to\n"
        "be smaller than all numbers of its dtype.\n"
    )


def test_a_place_beyond_an_array_is_an_error_and_not_a_number_that_lies_there(capsys):
    check("2.4", answer_with("2.4", *REPLACED["2.4", "one place too far"]))
    said = capsys.readouterr().out
    assert "rev_place(eqn, (i,))" in said and "A known mistake: one place too far." in said
    too_far = answer_with("2.4", ("+ inside", "+ inside + 1"))
    check("2.4", too_far)
    assert "got:      raises IndexError: index 1 is out of bounds for axis 0 with size 1" in capsys.readouterr().out


def test_an_answer_with_its_second_half_unwritten_says_so(capsys):
    half = source_of("2.4").replace("*others, window, inside = at", 'raise NotImplementedError("not written yet")')
    check("2.4", answer_with("2.4", (source_of("2.4"), half)))
    assert "2.4 is written in part: after 8 cases" in capsys.readouterr().out


@pytest.mark.parametrize("id", [id for id in EXERCISES if id.startswith("2.")])
def test_a_check_shows_no_addresses_and_no_paths(id, capsys):
    check(id, lambda *args: object())
    said = capsys.readouterr().out
    assert "0x" not in said and ".py" not in said


# ---- an answer is at work in the package


def test_the_table_entry_of_rev_is_that_of_the_answer_while_a_case_is_tried():
    exercise, answer = EXERCISES["2.4"], solution_of("2.4")
    lowering_rules[lax.rev_p] = CALLED
    assert observe(exercise, "", "lowering_rules[lax.rev_p].place is rev_place", answer) is True
    assert lowering_rules[lax.rev_p].place is answer.__globals__["rev_place"]


def test_what_is_kept_is_what_the_answer_says_and_nothing_else():
    exercise = EXERCISES["2.6"]
    setup = "program = optimized(jax.make_jaxpr(lambda x: lax.exp(x) + 1.0)(jnp.ones(2)))\nkept = []"
    told = "run_with(lambda jaxpr: kept.append(keep(jaxpr)) or kept[0], program, jnp.ones(2)) and len(kept)"
    assert observe(exercise, setup, told, solution_of("2.6")) == 1
    everything = lambda jaxpr: {v for eqn in jaxpr.eqns for v in eqn.outvars}
    assert "sorted(map(name, keep(program)))" in judge(exercise, everything).case.call


def test_an_exponential_that_is_not_kept_is_computed_in_each_kernel():
    program = optimized(jax.make_jaxpr(lambda x: (lambda y: (y + 1.0, y.sum()))(lax.exp(x)))(jnp.ones(3)))
    results = lambda jaxpr: {*jaxpr.outvars}
    everything = lambda jaxpr: {v for eqn in jaxpr.eqns for v in eqn.outvars}
    for keep, calls in ((results, 6), (everything, 3)):
        with mock.patch.object(maths, "exp_float32", counting := mock.Mock(wraps=maths.exp_float32)):
            counting.__module__ = maths.__name__  # so that the text of a program imports it from there
            run_with(keep, program, np.ones(3, np.float32))
        assert counting.call_count == calls


# ---- what is expected is right


@pytest.mark.parametrize("function", [softmax, layer_norm, lambda x: jnp.cumsum(x, axis=1) + x.T.sum()])
def test_loops_as_python_and_as_machine_code_fill_their_arrays_alike(function):
    for kernel in kernels_of(function, jnp.ones((3, 5))):
        arrays = arrays_for(kernel)
        by_python = run_loops(kernel.body, **arrays)
        machine_code(kernel)(*(arrays[b.name] for b in kernel.buffers))
        for name, array in arrays.items():
            np.testing.assert_allclose(by_python[name], array, rtol=2e-6)


def test_a_program_as_python_gives_what_jit_gives():
    x = np.linspace(-2, 2, 15, dtype=np.float32).reshape(3, 5)
    np.testing.assert_allclose(run_program(jax.make_jaxpr(softmax)(x), x)[0], jax.jit(softmax)(x), rtol=2e-6)


def test_elements_are_counted_each_time_that_they_are_touched():
    row = For("i0", 3, [Store("b", I, Load("a", counter("i0") * 0, F32))])
    assert counted([row, For("i1", 2, [row])]) == (9, 9)
    assert counted([For("i0", 0, [row])]) == (0, 0)


def test_kernels_of_one_program_are_joined_where_the_package_joins_them():
    first, second, third = kernels_of(softmax, jnp.ones((9, 9)))
    assert may_join(first, second) and may_join(second, third)
    alone = kernels_of(lambda x: x - x.max(), jnp.ones((9, 9)))
    assert not may_join(*alone)


def test_two_rounds_that_only_read_one_element_may_stand_in_one_loop():
    (kernel,) = kernels_of(lambda x: x + x[:1], jnp.ones(4))
    assert may_join(kernel, kernel) is True
    whole = [For("i0", 4, [Store("b", I * 0, Const(np.float32(1), F32))])]
    kernel.body[:] = whole
    assert may_join(kernel, kernel) is False


def test_traces_are_counted_by_tracing():
    assert traces([((1.0,), {}), ((2.0,), {}), ((1,), {})], ()) == 2


def test_an_addition_of_zero_is_trivial_for_integers_and_of_negative_zero_for_floats():
    def tried(f, x):
        return is_trivial(jax.make_jaxpr(f)(x).eqns[0])

    assert tried(lambda x: lax.add(x, -0.0), np.float32(1)) and tried(lambda n: lax.add(n, 0), np.int32(1))
    assert not tried(lambda x: lax.add(x, 0.0), np.float32(1)) and not tried(lambda x: lax.sub(x, -0.0), np.float32(1))


def test_the_later_of_two_expensive_values_is_kept_first():
    program = optimized(jax.make_jaxpr(lambda x: (lambda y: (y + 1.0, y * 2.0))(lax.exp(lax.exp(x))))(jnp.ones(2)))
    assert sorted(map(names_of(program), kept_by_rule(program))) == ["c", "d", "e"]


def test_the_fewest_buffers_are_found_among_all_ways():
    chain = [("c", ["a"]), ("d", ["c"]), ("e", ["d"])]
    assert fewest(chain, ["e"], []) == 2 and fewest(chain, ["e"], ["a"]) == 1
    assert fewest(chain, ["c", "e"], []) == 3


@pytest.mark.parametrize(
    "lies, words",
    [
        (dict(c="c", d="a"), "argument a was not given away"),
        (dict(c="c", d="c"), "d is written to buffer c while c is read from it"),
        (dict(c="c", d="d"), None),
    ],
)
def test_what_is_lost_is_said(lies, words):
    assert what_is_lost([("c", ["a"]), ("d", ["c"])], ["d"], [], lies) == ([words] if words else [])


def test_errors_are_measured_in_units_in_the_last_place():
    x = np.float32([1, 2, 3])
    assert ulps(lambda x: np.nextafter(x, np.float32(9)), lambda x: x, x) == 1.0
    assert ulps(lambda x: x * np.float32(np.nan), lambda x: x, x) == np.inf
