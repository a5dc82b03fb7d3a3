"""What the checks of chapter 1 say about single wrong answers."""

from dataclasses import replace

import pytest
from answers import answer_with, wrong_answers
from wrong_chapter1 import REPLACED, WRITTEN

import exercises
from minijax.course import Mistake, check
from minijax.course.catalogue import EXERCISES
from minijax.course.chapter1_cases import SMALL_LATTICE
from minijax.course.judge import PASSED, judge, observe
from minijax.course.verdict import outcome
from minijax.layer1_core.trace import EVAL, current_trace

WRONG = wrong_answers()


def test_there_are_nine_exercises():
    assert [id for id in EXERCISES if id.startswith("1.")] == [f"1.{i}" for i in range(1, 10)]


def test_a_failing_check_says_the_case_what_was_expected_and_which_mistake_it_is(capsys):
    check("1.3", WRITTEN["1.3", "the larger size wins"])
    assert capsys.readouterr().out == (
        "1.3 is not right yet. The smallest case that fails:\n\n"
        '    broadcast_shape("add", [(1,), (0,)])\n\n'
        "expected: (0,)\ngot:      (1,)\n\n"
        "A known mistake: the larger size wins. 1 goes with every size, and 0 is a size like others: (0,)\n"
        "with (1,) is (0,). And 2 does not go with 3.\n"
    )


def test_a_mistake_is_shown_with_the_smallest_case_that_fails():
    verdict = judge(EXERCISES["1.3"], WRITTEN["1.3", "NumPy's rule for ranks"])
    assert verdict.case.call == 'broadcast_shape("add", [(1,), (1, 1)])'
    verdict = judge(EXERCISES["1.1"], WRITTEN["1.1", "only the first of several ways up"])
    assert verdict.case.call == "join_two(('bool', False), ('float16', False))"


def walks_up_from_the_first(a, b):
    above = {t: SMALL_LATTICE[i + 1] for i, t in enumerate(SMALL_LATTICE[:-1])}
    while a != b and a in above:
        a = above[a]
    return a


def test_an_answer_that_looks_at_one_operand_only_is_not_told_that_weak_types_are_the_fault():
    exercise = EXERCISES["1.1"]
    assert not observe(exercise, "", exercise.mistakes[0].sign, walks_up_from_the_first)
    verdict = judge(exercise, walks_up_from_the_first)
    assert verdict.mistake is None and verdict.case.call == "join_two(('int32', True), ('bool', False))"


def test_a_small_mistake_is_told_before_one_that_shows_in_a_larger_case_only():
    both = answer_with("1.6", *REPLACED["1.6", "the order is reversed"],
                       *REPLACED["1.6", "equations with effects are dropped"])  # fmt: skip
    verdict = judge(EXERCISES["1.6"], both)
    assert verdict.mistake.name == "the order is reversed" and "integer_pow" in verdict.case.code


def test_a_mistake_that_does_not_explain_the_smallest_failure_is_not_shown_even_if_its_sign_is_true():
    hasty = Mistake("hasty", "", "True", explains=("[(3,), (2, 3)]",))
    verdict = judge(replace(EXERCISES["1.3"], mistakes=(hasty,)), WRITTEN["1.3", "the larger size wins"])
    assert verdict.mistake is None and verdict.case.call == 'broadcast_shape("add", [(1,), (0,)])'


def test_the_rule_of_an_answer_is_used_by_the_package_itself():
    exercise = EXERCISES["1.3"]
    in_the_package = [case for case in exercise.cases() if "mock.patch" in case.setup]
    assert len(in_the_package) == 2
    for case in in_the_package:
        assert observe(exercise, case.setup, case.call, lambda name, shapes: (7, 7)).endswith("[7,7]")


def test_outvars_that_are_assigned_to_change_the_given_program(capsys):
    check("1.6", answer_with("1.6", ("kept.append(eqn.replace(outvars=outvars))",
                                     "eqn.outvars = outvars; kept.append(eqn)")))  # fmt: skip
    said = capsys.readouterr().out
    assert "A known mistake: the given program was changed." in said
    assert "expected:\n    { lambda" in said and "got:\n    { lambda" in said


def test_a_primitive_that_is_half_written_says_so(capsys):
    check("1.4", answer_with("1.4", ("return np.add(np.multiply(x, y), z)", exercises.STUB)))
    assert capsys.readouterr().out == "1.4 is written in part: after 1 case, a piece is not written yet.\n"


def test_the_program_is_shown_where_the_values_say_little(capsys):
    check("1.4", WRONG["1.4", "mul_add computes with `*` and `+`"]())
    said = capsys.readouterr().out
    assert "A look at it, jax.make_jaxpr(mul_add)(1.0, 2.0, 3.0):\n\n    { lambda ; a:f32[] b:f32[]" in said
    assert "d:f32[] = mul a b" in said


def test_the_rules_of_a_primitive_are_those_of_the_notebook_whatever_the_table_holds():
    answer = answer_with("1.4")
    assert answer.__globals__["mul_add_p"] not in answer.__globals__["impl_rules"]
    assert outcome(EXERCISES["1.4"], answer).state == PASSED


def test_a_trace_that_an_answer_leaves_current_ends_with_its_case():
    judge(EXERCISES["1.9"], answer_with("1.9", *REPLACED["1.9", "the trace stays current after an error"]))
    assert current_trace.get() is EVAL


@pytest.mark.parametrize("id, name", [("1.8", "constants are lost")])
def test_what_is_shown_of_an_answer_holds_no_addresses(id, name, capsys):
    check(id, WRONG[id, name]())
    check("1.1", lambda a, b: lambda: 0)
    said = capsys.readouterr().out
    assert "Variable 'Var:float32[2]' not defined" in said and "0x" not in said
