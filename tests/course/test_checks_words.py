"""`check`, `hint`, `solution` and `progress` answer in words, whatever they are asked."""

import os
from dataclasses import replace

import numpy as np
import pytest
from answers import answer_with, solution_of, source_of, stub_of

import minijax as jax
import minijax.numpy as jnp
from minijax.course import check, hint, learner, progress, solution
from minijax.course.catalogue import EXERCISES, TITLES
from minijax.course.difference import difference
from minijax.course.exercise import Raised
from minijax.course.judge import same
from minijax.course.logbook import Entry, _in_this_process


@pytest.fixture(autouse=True)
def _nothing_was_tried():
    """What this process remembers of the learner, empty before each test."""
    _in_this_process.clear()
    yield
    _in_this_process.clear()


def said_by(do, capsys):
    do()
    return capsys.readouterr().out


# ---- which exercise, which answer


@pytest.mark.parametrize("value, shown", [(None, "None"), ((2,), "(2,)"), ("text", "'text'")])
def test_what_is_no_function_is_refused_in_words(value, shown, capsys):
    check("1.3", value)
    assert capsys.readouterr().out == f"1.3: broadcast_shape must be a function, and this is {shown}.\n"


@pytest.mark.parametrize("command", [check, hint, solution])
@pytest.mark.parametrize("id", ["9.9", "", "one", 9, 9.5, float("nan"), True])
def test_an_exercise_that_does_not_exist_is_refused_in_words(command, id, capsys):
    command(id)
    said = capsys.readouterr().out
    assert said.startswith((f"There is no exercise {str(id)!r}. There are 1.1, ", "Which exercise? For example "))


@pytest.mark.parametrize("command", [check, hint, solution])
@pytest.mark.parametrize("wrong", [None, print, [], b"1.1", {"id": "1.1"}])
def test_what_is_no_id_is_refused_in_words(command, wrong, capsys):
    command(wrong)
    example = f'Which exercise? For example {command.__name__}("1.1"). There are 1.1, '
    assert capsys.readouterr().out.startswith(example)


@pytest.mark.parametrize("command", [check, hint, solution])
def test_a_number_in_place_of_an_id_is_refused_with_what_to_write(command, capsys):
    command(1.3)
    assert capsys.readouterr().out == f'The name of an exercise is a text: write {command.__name__}("1.3").\n'
    command(3.10)
    assert capsys.readouterr().out == (
        f'The name of an exercise is a text: write {command.__name__}("3.1") or {command.__name__}("3.10"). '
        "3.1 and 3.10 are the same number.\n"
    )


def test_an_answer_is_found_by_its_name_where_check_is_called(capsys):
    names = {"check": check}
    exec('check("1.3")', names)
    assert capsys.readouterr().out == "1.3 not written yet: define `broadcast_shape`, and run that cell.\n"
    exec(source_of("1.3") + '\ncheck("1.3")', names)
    assert capsys.readouterr().out.startswith("1.3 passed")


def test_an_answer_is_found_in_the_notebook_before_the_caller(monkeypatch, capsys):
    class Shell:
        user_ns = {"broadcast_shape": solution_of("1.3")}  # noqa: RUF012 - as IPython has it

    monkeypatch.setattr(learner, "get_ipython", Shell)
    check("1.3")
    assert capsys.readouterr().out.startswith("1.3 passed")


def test_a_part_of_an_answer_that_is_not_there_is_named(capsys):
    names = {"check": check, "mul_add": print, "mul_add_p": None}
    exec('check("1.4")', names)
    assert capsys.readouterr().out == "1.4 not written yet: define `mul_add_impl`, and run that cell.\n"


# ---- hints, solutions, the table


def test_hint_gives_those_that_were_read_and_one_more(capsys):
    for read in ([1], [1, 2], [1, 2, 3], [1, 2, 3]):
        said = said_by(lambda: hint("1.6"), capsys)
        assert [i for i in (1, 2, 3) if f"Hint {i} of 3 for 1.6: " in said] == read


def test_a_hint_that_is_asked_for_by_its_number_comes_alone_and_counts_as_read(capsys):
    for number in (2, 1):
        assert said_by(lambda number=number: hint("1.6", number), capsys).count("Hint ") == 1
    assert _in_this_process["1.6"].hints == 2


@pytest.mark.parametrize("number", [0, 4, -1, "1", 1.5, [], np.arange(2)])
def test_a_hint_that_there_is_not_is_refused_in_words(number, capsys):
    assert said_by(lambda: hint("1.6", number), capsys).startswith("1.6 has the hints 1 to 3, and no hint ")


def test_a_solution_is_shown_when_it_is_asked_for_twice_or_after_a_try(capsys):
    answer = solution_of("1.3")
    assert "You have not tried 1.3 yet" in said_by(lambda: solution("1.3"), capsys)
    assert "@@" in said_by(lambda: solution("1.3"), capsys)
    check("1.1", stub_of("1.1"))
    assert "You have not tried 1.1 yet" in said_by(lambda: solution("1.1"), capsys)
    check("1.2", answer)
    assert "@@" in said_by(lambda: solution("1.2"), capsys)


def test_a_solution_is_a_diff_from_the_last_cell_that_defined_the_answer(monkeypatch, capsys):
    class History:
        input_hist_parsed = ("", "def broadcast_shape(name):\n    return 1", "x =", "broadcast_shape(1)")

    class Shell:
        user_ns = {}  # noqa: RUF012 - as IPython has it
        history_manager = History

    monkeypatch.setattr("minijax.course.attempt.get_ipython", Shell)
    solution("1.3"), capsys.readouterr()
    solution("1.3")
    said = capsys.readouterr().out.splitlines()
    assert said[:2] == ["--- your broadcast_shape", "+++ the solution"]
    assert "-    return 1" in said and "-x =" not in said
    assert not any("SOLUTION" in line for line in said)


def test_below_the_diff_stands_the_whole_solution_to_copy():
    told = learner.compared(EXERCISES["1.3"], "def broadcast_shape(name, shapes): ...")
    assert told.endswith(f"\n\nThe whole solution:\n\n{learner.solution_source(EXERCISES['1.3'])}")


def test_an_answer_that_is_the_solution_is_told_so(capsys):
    text = learner.compared(EXERCISES["1.3"], learner.solution_source(EXERCISES["1.3"]) + "\n\n")
    assert text == "Your answer to 1.3 is the solution, line for line."


@pytest.mark.parametrize("id", EXERCISES)
def test_calls_of_the_course_in_the_cell_of_an_answer_are_no_part_of_it(id):
    answer = learner.solution_source(EXERCISES[id])
    told = f"Your answer to {id} is the solution, line for line."
    calls = f'hint("{id}")\ncheck(\n    "{id}")\nprint(1); progress()\n'
    assert learner.compared(EXERCISES[id], f"{answer}\n\n{calls}") == told
    assert '-check = "no call"' in learner.compared(EXERCISES[id], f'{answer}\n\ncheck = "no call"\n')


def test_a_cell_that_python_cannot_read_is_compared_as_it_is():
    told = learner.compared(EXERCISES["1.3"], 'def broadcast_shape(:\ncheck("1.3")')
    assert '-check("1.3")' in told


def test_without_the_solutions_this_is_said(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("minijax.course.workbook.ROOT", tmp_path)
    solution("1.3"), capsys.readouterr()
    solution("1.3")
    assert capsys.readouterr().out == "There is no notebook with the exercises of chapter 1 in exercises/.\n"


def test_progress_counts_tries_and_shows_what_passed(capsys):
    check("1.1", lambda a, b: a)
    check("1.1", lambda a, b: b)
    check("1.2", stub_of("1.2"))
    check("1.3", solution_of("1.3"))
    check("1.3", print)
    hint("1.4")
    lines = repr(progress(1)).splitlines()
    assert lines[0] == "Chapter 1, avals and tracers: 1 of 9 passed"
    states = {line.split()[0]: line for line in lines[3:]}
    assert states["1.1"].endswith("tried 2 times")
    assert states["1.2"].endswith("not written")
    assert states["1.3"].endswith("passed")
    assert states["1.4"].split()[-5:] == ["not", "tried", "1", "of", "3"]


def test_the_table_is_html_in_a_notebook_with_the_same_words():
    html = progress()._repr_html_()
    assert html.count("<tr>") == len(TITLES) + len(EXERCISES) and html.count("<caption") == len(TITLES)
    assert all(exercise.title in html for exercise in EXERCISES.values())


def test_states_in_words():
    states = [Entry(), Entry(unwritten=True), Entry(tries=1), Entry(tries=2, passed=True)]
    assert [entry.state for entry in states] == ["not tried", "not written", "tried 1 time", "passed"]


# ---- the first difference

LONG = list(range(30))


@pytest.mark.parametrize(
    "expected, got, words",
    [
        ((0,), (1,), ""),
        ((2, 3), [2, 3], "The type tuple is expected, and this is list."),
        (True, np.True_, "The type bool is expected, and this is bool."),
        ([(1, 2.0)], [(1, 2)], "The type float is expected at [0][1], and this is int."),
        (LONG, LONG[:-1], "The length 30 is expected, and this has the length 29."),
        (LONG, [*LONG[:7], 0, *LONG[8:]], "They differ first at [7]: 7 is expected, and this is 0."),
        ({"a": {"b": LONG}}, {"a": {"b": [9, *LONG[1:]]}}, "at ['a']['b'][0]: 0 is expected, and this is 9."),
        ({"a": 1, "b": 2}, {"a": 1, "c": 2}, "Missing keys: ['b']. Keys too many: ['c']."),
        (np.zeros((2, 3)), np.eye(2, 3), "They differ first at [0, 0]: 0.0 is expected, and this is 1.0."),
        (np.zeros((2, 3)), np.zeros(6), "float64[2, 3] is expected, and this is float64[6]."),
        (np.zeros(3), np.zeros(3, np.float32), "float64[3] is expected, and this is float32[3]."),
        (jnp.arange(20.0), jnp.arange(20.0).at[3].set(0.0), "at [3]: 3.0 is expected, and this is 0.0."),
        (Raised("TypeError", "a" * 50), Raised("TypeError", "a" * 49 + "b"), " " * 49 + "^"),
        ("x\ny\nz", "x\nw\nz", "in line 2:\n\n    expected: y\n    got:      w\n              ^"),
        ("x\ny", "x", "in line 2:\n\n    expected: y\n    got:      \n              ^"),
        ("-" * 200 + "a", "-" * 200 + "b", "expected: " + "-" * 40 + "a\n"),
        ([1], None, ""),
        (1, Raised("TypeError"), ""),
    ],
)
def test_the_first_difference_is_said_where_one_does_not_see_it_at_once(expected, got, words):
    told = difference(expected, got)
    assert words in told and bool(words) == bool(told)


@pytest.mark.parametrize("x", [1, "a", [1, (2.0, None)], {"a": np.arange(3)}, np.float32(1), jnp.ones(2), Raised("E")])
def test_a_value_is_the_same_as_itself_and_then_there_is_no_difference(x):
    assert same(x, x) and difference(x, x) == ""


@pytest.mark.parametrize("one, other", [(1, True), (1, 1.0), ((), []), (np.float32(1), 1.0), (jnp.ones(2), np.ones(2))])
def test_values_of_different_types_are_not_the_same(one, other):
    assert not same(one, other) and not same(other, one)


def test_a_tracer_is_no_array_that_can_be_compared():
    seen = []
    jax.make_jaxpr(lambda x: seen.append((same(x, x), difference(np.ones(2), x))) or x)(jnp.ones(2))
    assert seen[0][0] in (True, False)


def test_what_differs_is_shown_by_check_too(capsys):
    check("1.5", answer_with("1.5", ('params = " ".join', 'params = ", ".join')))
    assert "They differ first at [0]. The texts differ first here:" in capsys.readouterr().out


def test_no_exercise_writes_a_file_outside_of_work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    hint("1.1"), check("1.1", print)
    assert os.listdir(tmp_path) == [] and replace(_in_this_process["1.1"], passed=False) == Entry(tries=1, hints=1)
