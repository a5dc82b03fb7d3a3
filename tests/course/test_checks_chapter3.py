"""What the checks of chapter 3 say about single wrong answers, and that what they expect is found in another way."""

import ast

import numpy as np
import pytest
from answers import answer_with, cell, solution_of, source_of
from wrong_chapter3 import REPLACED

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.course import check
from minijax.course.catalogue import EXERCISES
from minijax.course.chapter3_cases import RUNS, SAME
from minijax.course.chapter3_expected import looks, needed_carry, run_by_python, steps_to_one
from minijax.course.chapter3_given import (
    common,
    count,
    counted,
    heard,
    lengths,
    numbers,
    rerun,
    retraced,
    scan_equation,
    tell,
    value_of,
    without_dead_carries,
)
from minijax.course.judge import observe
from minijax.layer2_jit.lowering import lowering_rules

# ---- what is shown


def test_there_are_eleven_exercises():
    assert [id for id in EXERCISES if id.startswith("3.")] == [f"3.{i}" for i in range(1, 12)]


def test_a_failing_check_shows_the_program_and_names_the_mistake(capsys):
    check("3.4", answer_with("3.4", *REPLACED["3.4", "the ys lie in the order of the steps"]))
    said = capsys.readouterr().out
    assert said.startswith(
        "3.4 is not right yet. The smallest case that fails:\n\n"
        "    f = lambda xs: lax.scan(lambda c, x: (c * 2.0 + x, c), 1.0, xs, reverse=True)\n"
        "    args = [jnp.arange(2.0)]\n"
        "    program = jax.make_jaxpr(f)(*args)\n"
        "    numbers(rerun, program, args, {'scan': scan_by_steps})\n\n"
        "expected: [6.0, [3.0, 1.0]]\ngot:      [6.0, [1.0, 3.0]]\n\n"
        "A look at it, retraced(program, {'scan': scan_by_steps}):\n\n"
    )
    assert "k:f32[2] = stack[axis=0] 1.0:f32[] f" in said
    assert said.endswith(
        "A known mistake: the ys lie in the order of the steps. y[i] belongs to x[i]. In a reverse scan\n"
        "the first step makes the last y.\n"
    )


def test_a_loop_that_does_not_end_is_stopped_with_the_case_that_it_was_busy_with(capsys):
    check("3.3", answer_with("3.3", ("jnp.where(is_it, i, i + 1), is_it", "i, is_it")))
    said = capsys.readouterr().out
    assert "It was stopped after 5 seconds" in said
    assert "heard(first_where, lambda x: tell(x) > 0, jnp.array([0], int))" in said


def test_an_answer_with_its_second_half_unwritten_says_so(capsys):
    text = source_of("3.11")
    half = text.replace("known = loop(test, body, known)", 'raise NotImplementedError("not written yet")')
    check("3.11", answer_with("3.11", (text, half)))
    assert "3.11 is written in part: after 30 cases" in capsys.readouterr().out


@pytest.mark.parametrize("id", [id for id in EXERCISES if id.startswith("3.")])
def test_a_check_shows_no_addresses_and_no_paths(id, capsys):
    check(id, lambda *args, **kwargs: object())
    said = capsys.readouterr().out
    assert "0x" not in said and ".py" not in said


# ---- an answer is at work in the package


def test_the_notebook_shows_the_programs_whose_runs_are_counted():
    shown = {ast.unparse(node) for node in ast.walk(ast.parse(cell("ex-3-1-given")))}
    assert {ast.unparse(ast.parse(f"lambda f: {text}").body[0].value) for text in RUNS.values()} <= shown
    assert ast.unparse(ast.parse(SAME)).partition("\n")[2] in "\n".join(shown)


def test_the_lowering_rule_of_the_new_primitive_is_that_of_the_answer_while_a_case_is_tried():
    exercise, answer = EXERCISES["3.10"], solution_of("3.10")
    assert observe(exercise, "", "lowering_rules[collatz_p].kernel is collatz_kernel", answer) is True
    assert lowering_rules[answer.__globals__["collatz_p"]].kernel is answer.__globals__["collatz_kernel"]


# ---- what is at hand


def test_python_runs_a_function_once_for_each_type_and_for_each_place_in_which_it_stands():
    assert counted(lambda f: lax.scan(lambda c, x: (f(c), None), 0.0, jnp.arange(7.0))) == 1
    assert counted(lambda f: f(f(1.0))) == 2


def test_what_is_told_is_told_to_the_innermost_listener_each_time_the_program_runs():
    inner = lambda: heard(lambda x: tell(x) + 1, 2)
    result, told = heard(lambda: (tell(1), [inner()], tell(3))[1])
    assert result == [(3, [2])] and told == [1, 3]
    assert heard(lax.fori_loop, 0, 3, lambda i, x: x + tell(i), 0) == (3, [0, 1, 2])


def test_a_program_that_is_run_again_without_rules_is_the_same_program_with_calls_in_place():
    program = jax.make_jaxpr(lambda x: jax.jit(lambda x: jnp.sin(x) * 2.0)(x) + x)(1.0)
    assert [eqn.primitive.name for eqn in retraced(program, {}).eqns] == ["sin", "mul", "add"]
    assert numbers(rerun, program, [1.0], {}) == numbers(jax.core.eval_jaxpr, program, [], 1.0)


def test_a_rule_takes_the_place_of_its_primitive():
    program = jax.make_jaxpr(lambda x: jnp.sin(x) * 2.0)(1.0)
    assert rerun(program, [1.0], {"sin": lambda eqn, x: [x + 10.0]}) == [22.0]


def test_equations_are_counted_in_programs_that_are_carried_too():
    loop = lambda x: lax.scan(lambda c, _: (jnp.sin(c), c), x, length=3)[0]
    program = jax.make_jaxpr(lambda x: lax.cond(x > 0.0, loop, jnp.sin, x))(1.0)
    assert (count("sin", program), lengths(program)) == (2, [3])


def test_a_weak_type_gives_way():
    assert common(0, 1.5) == np.float32 and common(0.5, np.int32(1)) == np.float32
    assert common(1.5, jnp.bfloat16(1)) == jnp.bfloat16 and common(jax.typeof(1), np.int8(1)) == np.int8


def test_an_expression_sees_the_variables_and_no_others():
    expression = ast.parse("x + jnp.sin(0.0)").body[0].value
    assert value_of(expression, {"x": 2}) == 2.0
    with pytest.raises(NameError, match="x"):
        value_of(expression, {})


def test_a_scan_carries_what_is_said_and_stacks_what_is_read():
    fun = lambda xs: lax.scan(lambda c, x: ((c[0] + x, c[1] * x), (c[0], c[1])), (0.0, 1.0), xs)
    program = jax.make_jaxpr(lambda xs: (fun(xs)[0][0], fun(xs)[1][0]))(jnp.arange(3.0))
    smaller = without_dead_carries(program, lambda eqn, is_read: [True, False])
    assert all(eqn.params["ft_in"].sizes[1] == 1 and len(eqn.invars) == 2 for eqn in smaller.eqns)
    xs = jnp.arange(3.0)
    assert numbers(jax.core.eval_jaxpr, smaller, [], xs) == numbers(jax.core.eval_jaxpr, program, [], xs)


# ---- what is expected is right


def test_a_part_of_the_carry_is_needed_where_something_that_is_read_depends_on_it_in_any_step():
    chain = scan_equation(lambda c, x: ((c[1], c[2], x), None), (0.0, 0.0, 0.0))
    assert needed_carry(chain, [True, False, False]) == [True, True, True]
    assert needed_carry(chain, [False, True, False]) == [False, True, True]
    assert needed_carry(chain, [False, False, True]) == [False, False, True]
    told = scan_equation(lambda c, x: ((c[0] + x, (tell(c[1]), c[1] + x)[1]), c[0] * 2.0), (0.0, 0.0))
    assert needed_carry(told, [False, False, False]) == [False, True]
    assert needed_carry(told, [False, False, True]) == [True, True]


def test_looks_end_with_the_first_positive_number():
    assert looks([0, 2, 3]) == (1, [0, 2]) and looks([0, -1]) == (2, [0, -1]) and looks([]) == (0, [])


def test_steps_to_one_are_counted_as_in_the_exercise():
    assert steps_to_one(np.array([[6, 1], [27, 0]])) == [[8, 0], [111, 0]]
    assert steps_to_one(6) == 8


def test_a_text_is_run_by_python_and_tells_what_it_tells():
    text = "while x > 1:\n    tell(x)\n    x = x - 1"
    assert heard(run_by_python, text, ["x"], x=3) == ({"x": 1}, [3, 2])
