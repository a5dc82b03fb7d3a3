"""What holds for every exercise: solutions pass, stubs are not written yet, wrong answers are told what is wrong."""

import importlib
import os
import signal
import subprocess
import sys

import pytest
from answers import ROOT, answer_of, answer_with, solution_of, solutions, source_of, stub_of, wrong_answers
from mutants import mutants

from minijax.course import check
from minijax.course.catalogue import EXERCISES, TITLES, stem
from minijax.course.exercise import Raised
from minijax.course.isolation import apart
from minijax.course.judge import FAILED, NO_VERDICT, PASSED, explains, judge, observe, parts_of
from minijax.course.report import report
from minijax.course.verdict import outcome

MISTAKES = [(id, mistake.name) for id, exercise in EXERCISES.items() for mistake in exercise.mistakes]
WRONG = wrong_answers()
BROKEN = [
    (id, change)
    for chapter in TITLES
    for id, changes in importlib.import_module(f"wrong_chapter{chapter}").BROKEN.items()
    for change in changes
]
MUTANTS = 850  # that all are found out; the rule of mutants.py makes a few more
PATIENCE = 0.6  # seconds for a mutant: one that does not end by then is found out, too

of_each = pytest.mark.parametrize("id", EXERCISES)


@pytest.fixture(autouse=True)
def _the_package_stays(the_package_as_it_was):
    """Cases are tried in this process here: they put answers into the package."""
    yield
    the_package_as_it_was.restore()


# ---- the data


@of_each
def test_an_exercise_has_hints_and_mistakes_and_says_what_the_notebook_says(id):
    exercise = EXERCISES[id]
    assert len(set(exercise.hints)) == 3 and 2 <= len(exercise.mistakes) <= 5
    text = next(cell.source for cell in solutions(exercise.chapter).cells if cell.id == stem(exercise))
    assert text.startswith(f"## {id} ")
    assert f"`{'*' * exercise.stars}`\n\n*{exercise.minutes} minutes." in text


@of_each
def test_the_cases_are_the_same_each_time_and_each_is_there_once(id):
    cases = list(EXERCISES[id].cases())
    assert cases == list(EXERCISES[id].cases())
    assert len(set(cases)) == len(cases)


@of_each
def test_an_expected_value_raises_only_where_the_case_says_so(id):
    answer = solution_of(id)
    for case in EXERCISES[id].cases():
        expected = observe(EXERCISES[id], case.setup, case.expected, answer)
        if isinstance(expected, Raised):
            assert not expected.early and expected.kind in ("TypeError", "UnexpectedTracerError"), case


@of_each
def test_what_is_shown_of_a_failing_case_can_be_evaluated(id):
    answer = solution_of(id)
    for case in EXERCISES[id].cases():
        if case.look:
            assert not isinstance(observe(EXERCISES[id], case.setup, case.look, answer), Raised), case


@of_each
def test_the_call_of_a_case_can_be_copied_into_the_notebook(id):
    answer = solution_of(id)
    for case in EXERCISES[id].cases():
        names = dict(answer.__globals__)
        if not isinstance(observe(EXERCISES[id], case.setup, case.call, answer), Raised):
            exec(case.setup, names)
            eval(case.call, names)


@of_each
def test_a_mistake_explains_cases_that_are_there(id):
    cases = list(EXERCISES[id].cases())
    for mistake in EXERCISES[id].mistakes:
        for piece in mistake.explains:
            assert any(piece in f"{case.setup}\n{case.call}" for case in cases), (mistake.name, piece)


@of_each
def test_the_parts_of_an_answer_are_in_its_cell_and_are_plugged_in(id):
    exercise, answer = EXERCISES[id], solution_of(id)
    assert all(name in source_of(id) for name in exercise.parts)
    assert set(parts_of(exercise, answer)) == set(exercise.parts)
    assert bool(exercise.parts) == bool(exercise.plug)


# ---- the gates


@of_each
def test_a_solution_passes_its_check(id):
    found = outcome(EXERCISES[id], solution_of(id))
    assert found.state == PASSED, found.text


@of_each
def test_a_stub_among_solutions_is_not_written_yet(id, capsys):
    check(id, stub_of(id))
    assert capsys.readouterr().out == f'{id} not written yet. Where to begin? hint("{id}")\n'


def test_there_is_a_wrong_answer_for_every_known_mistake_and_no_other():
    assert sorted(WRONG) == sorted(MISTAKES)


@pytest.mark.parametrize("id, name", MISTAKES)
def test_a_known_mistake_is_recognised(id, name):
    verdict = judge(EXERCISES[id], WRONG[id, name]())
    assert verdict.state == FAILED
    assert verdict.mistake and verdict.mistake.name == name
    assert explains(verdict.mistake, verdict.case)
    assert name in report(EXERCISES[id], verdict)


@pytest.mark.parametrize("id, change", BROKEN)
def test_a_solution_that_is_broken_on_purpose_fails(id, change):
    assert judge(EXERCISES[id], answer_with(id, change)).state == FAILED


def test_every_solution_with_one_small_error_is_not_right_yet(the_package_as_it_was):
    tried = [(id, line, text) for id in EXERCISES for line, text in mutants(source_of(id))]
    states = _states([(id, text) for id, _, text in tried], the_package_as_it_was)
    assert [mutant for mutant, state in zip(tried, states, strict=True) if state != FAILED] == []
    assert len(states) >= MUTANTS


def _states(answers, snapshot):
    """How each answer is judged. One process tries them one after the other, since a fork takes longer than a judge."""
    found = []

    def judge_the_rest(say):
        for number, (id, text) in enumerate(answers[len(found) :], start=len(found)):
            signal.setitimer(signal.ITIMER_REAL, PATIENCE)  # it ends the process
            say(str(number), judge(EXERCISES[id], answer_of(id, text)).state)
            snapshot.restore()

    while len(found) < len(answers):
        ending = apart(judge_the_rest, seconds=600)
        found += [state for topic, state in ending.heard.items() if topic.isdecimal()]
        if len(found) < len(answers):  # the next one did not end, or ended the process
            found.append(NO_VERDICT if "broken" in ending.heard else FAILED)
    return found


# ---- the same words each time

REPORTS = """
from answers import wrong_answers
from minijax.course.catalogue import EXERCISES
from minijax.course.verdict import outcome
first_of_each = {id: answer for (id, name), answer in reversed(wrong_answers().items())}
for id, answer in first_of_each.items():
    print(outcome(EXERCISES[id], answer()).text)
"""


def test_a_wrong_answer_is_told_the_same_in_every_process_whatever_the_hash_seed():
    path = os.pathsep.join(map(str, (ROOT / "tests/course", ROOT / "tools")))

    def start(seed):
        env = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed}
        return subprocess.Popen([sys.executable, "-c", REPORTS], env=env, stdout=subprocess.PIPE, text=True)

    first, second = (process.communicate()[0] for process in list(map(start, "01")))
    assert first.count("A known mistake") == len(EXERCISES)
    assert second == first
