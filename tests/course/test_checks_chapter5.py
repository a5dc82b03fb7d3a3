"""What the checks of chapter 5 say about single wrong answers, and that what they expect is found in another way."""

import ast

import numpy as np
import pytest
from answers import answer_with, cell, solution_of, source_of
from wrong_chapter5 import REPLACED

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.course import check
from minijax.course.catalogue import EXERCISES
from minijax.course.chapter3_given import heard, numbers, tell
from minijax.course.chapter4_given import operations, rounded, with_rules
from minijax.course.chapter5_cases import MAPPED, PRODUCTS
from minijax.course.chapter5_expected import (
    by_examples,
    by_lanes,
    inconsistent,
    slopes_of_first,
    softmaxes_of_first,
    while_by_example,
)
from minijax.course.chapter5_given import (
    arms_told,
    product_by,
    refusal,
    rule_of_cond,
    rule_of_while,
    shape_of,
    shapes_of,
)
from minijax.course.chapter5_program_cases import LANES
from minijax.course.judge import FAILED, judge, observe
from minijax.layer5_vmap.batching import batching_rules

MATRIX = jnp.arange(6).reshape(2, 3)

# ---- what is shown


def test_there_are_nine_exercises():
    assert [id for id in EXERCISES if id.startswith("5.")] == [f"5.{i}" for i in range(1, 10)]


def test_a_failing_rule_is_shown_with_the_program_that_it_makes(capsys):
    check("5.2", answer_with("5.2", *REPLACED["5.2", "the axes keep their numbers"]))
    said = capsys.readouterr().out
    assert said.startswith(
        "5.2 is not right yet. The smallest case that fails:\n\n"
        "    f = lambda x: lax.cumsum(x)\n"
        "    x = jnp.arange(4).reshape(2, 2)\n"
        "    with_rules(batching_rules, RULES, numbers, jax.vmap(f, in_axes=0), x)\n\n"
        "expected: [[0, 1], [2, 5]]\ngot:      [[0, 1], [2, 4]]\n"
    )
    assert "b:i32[2,2] = cumsum[axis=0 reverse=False] a" in said
    assert "A known mistake: the axes keep their numbers." in said


def test_an_error_that_names_other_axes_is_compared_line_by_line(capsys):
    check("5.5", answer_with("5.5", ("for axis, place, size in found]", "for axis, place, size in found[:1]]")))
    assert "The texts differ first here, in line 3:" in capsys.readouterr().out


def test_an_answer_whose_second_rule_is_unwritten_says_so(capsys):
    body = source_of("5.2").split("### BEGIN SOLUTION")[2].split("### END SOLUTION")[0]
    check("5.2", answer_with("5.2", (body, '\n    raise NotImplementedError("not written yet")\n    ')))
    assert "5.2 is written in part: after " in capsys.readouterr().out


@pytest.mark.parametrize("id", [id for id in EXERCISES if id.startswith("5.")])
def test_a_check_shows_no_addresses_and_no_paths(id, capsys):
    check(id, lambda *args, **kwargs: object())
    said = capsys.readouterr().out
    assert "0x" not in said and ".py" not in said


def test_the_notebook_shows_the_functions_and_the_products_that_are_asked_about():
    (table,) = (node for node in ast.walk(ast.parse(cell("ex-5-1-given"))) if isinstance(node, ast.Dict))
    shown = {ast.literal_eval(key): ast.unparse(value) for key, value in zip(table.keys, table.values, strict=True)}
    assert shown == MAPPED
    (table,) = (node for node in ast.walk(ast.parse(cell("ex-5-3-given"))) if isinstance(node, ast.Dict))
    assert ast.literal_eval(table) == PRODUCTS


# ---- an answer is at work in the package


def test_the_rules_of_the_answer_are_those_of_the_package_while_a_case_is_tried():
    mine = "with_rules(batching_rules, RULES, lambda: batching_rules[lax.cumsum_p] is cumsum_batching)"
    answer = solution_of("5.2")
    assert observe(EXERCISES["5.2"], "", mine, answer) is True
    assert batching_rules[lax.cumsum_p] is not answer


def test_a_jitted_function_does_not_remember_the_rule_of_an_answer():
    f = jax.jit(jax.vmap(lambda x: lax.rev(x, [0])))
    as_it_is = lambda args, dims, **params: (args[0], dims[0])
    rows = [f(MATRIX)[0, 0], with_rules(batching_rules, {lax.rev_p: as_it_is}, f, MATRIX)[0, 0], f(MATRIX)[0, 0]]
    assert rows == [2, 0, 2]


COUNTDOWN = lambda x: lax.while_loop(lambda x: x > 0, lambda x: x - 1, x)


def test_a_rule_for_while_is_asked_for_loops_of_batches_only():
    asked = []
    rules = {lax.while_p: rule_of_while(lambda cond, body, init: asked.append(1) or init)}
    f = lambda xs: COUNTDOWN(3) + jax.vmap(lambda x: COUNTDOWN(3) + COUNTDOWN(x))(xs)
    assert with_rules(batching_rules, rules, numbers, f, jnp.array([1, 2])) == [1, 2]
    assert asked == [1]


def test_a_loop_that_is_left_to_vmap_comes_back_to_the_answer():
    def evading(cond, body, init):
        return jax.vmap(lambda x: lax.while_loop(cond, body, x))(init)

    verdict = judge(EXERCISES["5.7"], evading)
    assert verdict.state == FAILED and verdict.got.kind == "RecursionError"


def test_a_rule_for_cond_is_asked_where_each_example_has_an_index():
    asked = []

    def first_branch(index, operands, branches):
        asked.append(index.shape)
        return branches[0](*operands)

    f = lambda p, x: lax.cond(p, lambda x: x + 1, lambda x: x - 1, x)
    run = lambda *axes: jax.vmap(f, in_axes=axes)
    rules, flags, x = {lax.cond_p: rule_of_cond(first_branch)}, jnp.array([True, True]), jnp.array([1, 2])
    assert with_rules(batching_rules, rules, numbers, run(None, 0), True, x) == [2, 3] and asked == []
    assert with_rules(batching_rules, rules, numbers, run(0, 0), flags, x) == [0, 1] and asked == [(2,)]
    assert with_rules(batching_rules, rules, numbers, run(0, None), flags, 5) == [4, 4]


# ---- what is at hand


def test_shapes_of_results_and_of_trees():
    assert shape_of(lambda x, y: x @ y, (2, 3), (3,)) == (2,)
    assert shapes_of({"a": jnp.ones((2, 3)), "b": (1.0, jax.ShapeDtypeStruct((4,), int))}) == {
        "a": (2, 3), "b": ((), (4,)),
    }  # fmt: skip


def test_a_refusal_is_the_class_and_the_message():
    assert refusal(lambda x: 1 / x, 0) == "ZeroDivisionError: division by zero"
    assert refusal(lambda x: 1 / x, 1) is None


def test_a_product_has_its_axis_in_front():
    a, b = jnp.ones((3, 4)), jnp.ones((2, 4, 5))
    assert product_by(((((1,), (1,)), ((), ())), 1), a, b).shape == (2, 3, 5)


def test_arms_that_are_run_tell_their_numbers():
    f = lambda x: lax.cond(x > 0, lambda x: x + 0 * tell(1), lambda x: x + 0 * tell(0), x)
    assert arms_told(f, 3) == (3, [1]) and arms_told(jax.vmap(f), jnp.array([3, 4])) == ([3, 4], [0, 1])


# ---- what is expected is right


def test_examples_are_taken_along_their_axes_and_joined_in_a_tree():
    f = lambda x, y: {"sum": x.sum(), "both": (x, y)}
    found = by_examples(f, (1, None), MATRIX, 7)
    assert found == {"sum": [3, 5, 7], "both": ([[0, 3], [1, 4], [2, 5]], [7, 7, 7])}
    assert found == numbers(jax.vmap(f, in_axes=(1, None)), MATRIX, 7)


def test_an_example_has_the_dtype_of_its_batch():
    seen = []
    by_examples(lambda x: seen.append(x.dtype) or x, 0, jnp.array([1, 2], jnp.int8))
    assert {*seen} == {np.dtype("int8")}


def test_weights_and_slopes_of_rows_leave_out_what_is_not_there():
    assert softmaxes_of_first([[1.0, np.nan], [5.0, 5.0]], [1, 2]) == [[1.0, 0.0], [0.5, 0.5]]
    assert softmaxes_of_first([[np.nan]], [0]) == [[0.0]]
    assert slopes_of_first(np.zeros((2, 3)), [2, 0]) == [[-0.25, 0.25, 0.0], [0.0, 0.0, 0.0]]
    x = jnp.array([0.5, -1.0, 2.0])
    slope = jax.grad(lambda x: jax.nn.softmax(x) @ jnp.arange(1.0, 4.0))
    assert slopes_of_first([x], [3]) == [rounded(slope, x)]


def test_the_error_for_sizes_that_differ_begins_as_that_of_the_package():
    own = refusal(lambda: jax.vmap(jnp.add)(jnp.zeros(3), jnp.zeros(2)))
    told = inconsistent((0, "args[0]", 3), (0, "args[1]", 2))
    assert told.splitlines()[0] == own.splitlines()[0]
    assert told.splitlines()[1:] == ["  * axis 0 of args[0] has size 3", "  * axis 0 of args[1] has size 2"]


def test_each_example_has_its_own_loop():
    init = {"x": jnp.array([[1, 2], [20, 1]]), "n": jnp.zeros(2, int)}
    body = lambda s: {"x": s["x"] * 2, "n": s["n"] + 1}
    found = while_by_example(lambda s: s["x"].sum() < 10, body, init)
    assert found == {"x": [[4, 8], [20, 1]], "n": [2, 0]}


@pytest.mark.parametrize("text, own, inputs", LANES)
def test_what_is_no_lanes_own_is_the_same_in_all_lanes(text, own, inputs):
    for variables in inputs:
        found = by_lanes(text, " ".join(variables), **variables)
        assert all(len({*found[name]}) == 1 for name in variables if name not in own.split())
        assert {name for name, x in variables.items() if isinstance(x, list)} <= {*own.split()}


def test_the_longest_lane_decides_how_many_rounds_there_are():
    run, text = solution_of("5.9"), "while x > 0.0:\n    x = tell(x) - 1.0"
    _, told = heard(run, text, x=jnp.array([1.0, 4.0, 2.0]))
    assert len(told) == 4


def test_a_test_that_is_the_same_for_all_lanes_stays_a_branch():
    text = "if a > 0.0:\n    x = 2.0 * x\nwhile a > 0.0:\n    a = a - 1.0"
    program = jax.make_jaxpr(lambda x: solution_of("5.9")(text, x=x, a=3.0))(jnp.ones(2))
    assert operations(program).count("cond") == 1 and "select_n" not in operations(program)
