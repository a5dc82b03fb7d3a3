"""What the checks of chapter 4 say about single wrong answers, and that what they expect is found in another way."""

import ast

import numpy as np
import pytest
from answers import answer_with, cell, solution_of, source_of
from wrong_chapter4 import REPLACED

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.course import check
from minijax.course.catalogue import EXERCISES
from minijax.course.chapter4_cases import KEPT
from minijax.course.chapter4_expected import (
    by_differences,
    by_differences_of_text,
    by_matrices,
    by_unit_vectors,
    by_unrolling,
    chain_in_segments,
    slope_where_safe,
    split_in_short,
    where_safe,
)
from minijax.course.chapter4_given import (
    Watched,
    implicit,
    in_short,
    inlined,
    operations,
    pulled,
    residuals,
    rounded,
    run_in_two,
    settled,
    watched_pullback,
    with_rules,
)
from minijax.course.judge import observe
from minijax.extend.core import JaxprTypeError
from minijax.layer4_grad.jvp import jvp_rules

# ---- what is shown


def test_there_are_ten_exercises():
    assert [id for id in EXERCISES if id.startswith("4.")] == [f"4.{i}" for i in range(1, 11)]


def test_a_failing_rule_is_shown_with_the_program_that_it_makes(capsys):
    check("4.3", answer_with("4.3", *REPLACED["4.3", "a Zero becomes an array"]))
    said = capsys.readouterr().out
    assert said.startswith(
        "4.3 is not right yet. The smallest case that fails:\n\n"
        "    f = lambda x: lax.div(x, 2.0)\n"
        "    record = jax.make_jaxpr(lambda xs, ts: jax.jvp(f, xs, ts))\n"
        "    program = with_rules(jvp_rules, RULES, record, (1.0,), (1.0,))\n"
        "    operations(program)\n\n"
        "expected: ['div', 'div']\ngot:      ['div', 'div', 'div', 'neg', 'mul', 'add_any']\n"
    )
    assert "g:f32[] = mul f 0.0:f32[]" in said
    assert "A known mistake: a Zero becomes an array." in said


def test_an_answer_whose_second_rule_is_unwritten_says_so(capsys):
    body = source_of("4.3").split("### BEGIN SOLUTION")[2].split("### END SOLUTION")[0]
    check("4.3", answer_with("4.3", (body, '\n    raise NotImplementedError("not written yet")\n    ')))
    assert "4.3 is written in part: after " in capsys.readouterr().out


@pytest.mark.parametrize("id", [id for id in EXERCISES if id.startswith("4.")])
def test_a_check_shows_no_addresses_and_no_paths(id, capsys):
    check(id, lambda *args, **kwargs: object())
    said = capsys.readouterr().out
    assert "0x" not in said and ".py" not in said


# ---- an answer is at work in the package


def test_the_notebook_shows_the_functions_whose_residuals_are_counted():
    (table,) = (node for node in ast.walk(ast.parse(cell("ex-4-1-given"))) if isinstance(node, ast.Dict))
    shown = {ast.literal_eval(key): ast.unparse(value) for key, value in zip(table.keys, table.values, strict=True)}
    assert shown == KEPT


def test_the_rules_of_the_answer_are_those_of_the_package_while_a_case_is_tried():
    exercise, answer = EXERCISES["4.3"], solution_of("4.3")
    mine = "with_rules(jvp_rules, RULES, lambda: jvp_rules[lax.div_p] is div_jvp)"
    assert observe(exercise, "", mine, answer) is True
    assert jvp_rules[lax.div_p] is not answer


def test_a_rule_is_put_back_even_if_it_raises():
    before = jvp_rules[lax.tanh_p]
    with pytest.raises(ZeroDivisionError):
        with_rules(jvp_rules, {lax.tanh_p: lambda *args, **params: 1 / 0}, jax.jvp, lax.tanh, (1.0,), (1.0,))
    assert jvp_rules[lax.tanh_p] is before


def test_a_jitted_function_does_not_remember_the_rule_of_an_answer():
    f = jax.jit(lambda x: lax.tanh(x))
    rule = lambda primals, tangents, **params: (lax.tanh(*primals), lax.mul(tangents[0], 7.0))
    slopes = [jax.grad(f)(0.0), with_rules(jvp_rules, {lax.tanh_p: rule}, jax.grad(f), 0.0), jax.grad(f)(0.0)]
    assert slopes == [1.0, 7.0, 1.0]


# ---- what is at hand


def test_numbers_are_rounded_to_four_digits():
    assert rounded(lambda: {"a": jnp.array([1 / 3, 2]), "b": 1}) == {"a": [0.3333, 2.0], "b": 1.0}


def test_residuals_are_the_numbers_that_a_linear_program_holds():
    assert residuals(lambda x: x + 1.0, jnp.ones(3)) == 0 and residuals(jnp.sin, jnp.ones(3)) == 3


def test_a_watched_chain_tells_what_is_run_kept_and_pulled_back():
    chain = Watched(2)
    _, pull = jax.vjp(lambda x: chain.steps[1](chain.steps[0](x)), jnp.float32(2.0))
    assert chain.most_kept() == 2 and pull(jnp.float32(1.0)) == (4.0 * 8.0,)
    chain.steps[0](jnp.float32(2.0))
    assert chain.events == [("keep", 0), ("keep", 1), ("drop", 1), ("drop", 0), ("run", 0)]


def test_the_programs_of_jit_are_in_place():
    assert operations(inlined(lambda x: jax.jit(jnp.sin)(x) * 2.0, 1.0)) == ["sin", "mul"]


def test_a_program_in_two_gives_what_the_whole_gives():
    program = inlined(lambda t, x: (jnp.cos(x) * t, 4.0, jnp.sin(x), x), 2.0, 1.0)
    parts = solution_of("4.10")(program, [True, False], lambda eqn: True)
    found = rounded(run_in_two, parts, program, [True, False], [2.0, 1.0])
    assert found == [round(2 * float(np.cos(1.0)), 4), 4.0, round(float(np.sin(1.0)), 4), 1.0]
    assert in_short(parts, [True, False]) == dict(known=["cos", "sin"], between=["~float32[]"], rest=["mul"])


def test_a_part_that_reads_what_is_not_there_is_no_program():
    program = inlined(lambda x, t: jnp.sin(x) * t, 1.0, 2.0)
    known, rest = solution_of("4.10")(program, [False, True], lambda eqn: False)
    with pytest.raises(JaxprTypeError):
        run_in_two((known, rest.replace(invars=rest.invars[1:])), program, [False, True], [1.0, 2.0])


def test_a_fixed_point_has_the_rule_that_it_is_given():
    double = implicit(lambda a, x: 0.5 * x + a, 0.0, lambda f, a, x, ct: ct * 7.0)
    assert rounded(double, 1.0) == 2.0 and rounded(jax.grad(double), 1.0) == 7.0


# ---- what is expected is right


def test_differences_find_values_and_slopes_along_directions():
    assert by_differences(lambda x, y: x * y, (2.0, 3.0), (1.0, 10.0)) == (6.0, 23.0)


def test_a_safe_choice_is_made_for_each_element():
    x, is_safe = np.array([0.0, 2.0]), lambda x: x != 0
    assert where_safe(lambda x: 1 / x, is_safe, 7.0, x) == [7.0, 0.5]
    assert slope_where_safe(lambda x: 1 / x, is_safe, x) == [0.0, -0.25]


def test_unit_vectors_find_the_transpose_of_a_matrix():
    matrix, ct = np.arange(6.0).reshape(2, 3), np.array([1.0, 10.0])
    assert by_unit_vectors(lambda x: matrix @ x, (np.zeros(3),), ct) == ((ct @ matrix).tolist(),)
    f = lambda x, v: lax.pad(x, v, [(1, 1, 0)])
    xs = np.zeros(2, np.float32), np.float32(0)
    assert by_unit_vectors(f, xs, np.float32([1, 2, 3, 4])) == rounded(pulled, f, xs, jnp.arange(1.0, 5.0))


def test_a_product_of_matrices_is_that_of_gauss_and_newton():
    x, v = jnp.array([1.0, 2.0]), jnp.array([1.0, 1.0])
    assert by_matrices(lambda x: 3.0 * x, lambda y: (y**2).sum(), x, v) == [18.0, 18.0]
    assert by_matrices(lambda x: x**2, lambda y: y.sum(), x, v) == [0.0, 0.0]


def test_rounds_that_are_differentiated_lead_to_the_slope_of_the_fixed_point():
    newton = lambda a, x: 0.5 * (x + a / x)
    assert rounded(by_unrolling, newton, 4.0, 1.0, 1.0) == 0.25 and rounded(settled, newton, 4.0, 1.0) == 2.0


def test_differences_of_a_text_are_by_the_variables_that_it_begins_with():
    found = by_differences_of_text("x = x * y\nz = jnp.exp(0.0 * x)", {"x": 2.0, "y": 3.0}, {"x": 10.0, "z": 1.0})
    assert found == {"x": 30.0, "y": 20.0}


def test_a_chain_in_segments_keeps_their_inputs_and_the_residuals_of_one():
    found = chain_in_segments(5, 2)
    assert (found["kept"], found["most"], found["runs"]) == (3, 2, 10)
    steps = [lambda x, k=k: x * x + k / 8 for k in range(5)]
    slope = jax.grad(lambda x: steps[4](steps[3](steps[2](steps[1](steps[0](x))))))(0.5)
    assert found["cotangent"] == round(float(slope), 4)
    assert found == watched_pullback(solution_of("4.9"), 5, 2)
    assert chain_in_segments(2, 5)["most"] == 2


@pytest.mark.parametrize(
    "saved, known, between, rest",
    [
        ((), ["exp", "sin"], 1, ["cos", "exp", "mul", "mul"]),
        (("cos",), ["cos", "exp", "sin"], 2, ["exp", "mul", "mul"]),
        (("exp",), ["exp", "sin"], 1, ["cos", "mul", "mul"]),
        (("cos", "exp"), ["cos", "exp", "sin"], 2, ["mul", "mul"]),
    ],
)
def test_what_is_saved_decides_what_is_done_again(saved, known, between, rest):
    program = inlined(lambda x, t: jax.jvp(lambda x: jnp.sin(jnp.exp(x)), (x,), (t,)), 1.0, 1.0)
    found = split_in_short(program, [False, True], lambda eqn: eqn.primitive.name in saved)
    assert found == dict(known=known, between=["~float32[]"] * between, rest=rest)


def test_what_nobody_reads_is_not_done_and_needs_nothing():
    program = inlined(lambda x, t: (jnp.exp(x) * t, x + 1.0)[1], 1.0, 2.0)
    assert split_in_short(program, [False, True], lambda eqn: True) == dict(known=["add"], between=[], rest=[])
