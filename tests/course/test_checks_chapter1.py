"""`check` judges the exercises of chapter 1 rightly: solutions, stubs, known mistakes, and answers that misbehave."""

import sys
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from wrong_chapter1 import BROKEN, REPLACED, WRITTEN

import exercises
from minijax.course import Mistake, check, hint
from minijax.course.judge import FAILED, PASSED, explains, judge, observe
from minijax.course.learner import EXERCISES, report
from minijax.layer1_core.trace import EVAL, current_trace

ROOT = Path(__file__).parents[2]
SOLUTIONS = nbformat.read(ROOT / "solutions" / "01_avals_and_tracers.ipynb", as_version=4)
CHAPTER = {id: exercise for id, exercise in EXERCISES.items() if id.startswith("1.")}
MISTAKES = [(id, mistake.name) for id, exercise in CHAPTER.items() for mistake in exercise.mistakes]


def names_after(notebook, *replacements):
    """The names that stand after the notebook's definitions, with pieces of the answers replaced."""
    names = {}
    for cell in notebook.cells:
        role = cell.metadata.get("minijax", {}).get("role")
        given = cell.id.endswith(("-imports", "-given"))
        if cell.cell_type == "code" and (role == "answer" or given):
            exec(replaced(cell.source, replacements) if role == "answer" else cell.source, names)
    return names


def replaced(source, replacements):
    for old, new in replacements:
        source = source.replace(old, new)
    return source


def answer_with(id, *replacements):
    """The solution of one exercise with pieces of its text replaced; the pieces must be there."""
    cell = next(c for c in SOLUTIONS.cells if c.id == f"ex-{id.replace('.', '-')}-answer")
    for old, _ in replacements:
        assert old in cell.source
    return names_after(SOLUTIONS, *replacements)[CHAPTER[id].answer]


@pytest.fixture(scope="module")
def solutions():
    return names_after(SOLUTIONS)


@pytest.fixture(scope="module")
def stubs():
    return names_after(exercises.cleared(SOLUTIONS))


# ---- the data


def test_there_are_nine_exercises_each_with_three_hints_and_two_to_four_mistakes():
    assert list(CHAPTER) == [f"1.{i}" for i in range(1, 10)]
    assert all(len(set(e.hints)) == 3 and 2 <= len(e.mistakes) <= 4 for e in CHAPTER.values())


def test_the_notebook_says_the_title_the_stars_and_the_minutes_of_the_data():
    texts = "\n".join(cell.source for cell in SOLUTIONS.cells)
    for exercise in CHAPTER.values():
        assert f"{exercise.id} " in texts
        assert f"`{'*' * exercise.stars}`\n\n*{exercise.minutes} minutes." in texts.split(f"## {exercise.id} ")[1]


@pytest.mark.parametrize("id", CHAPTER)
def test_the_cases_are_the_same_each_time_and_each_is_there_once(id):
    cases = list(CHAPTER[id].cases())
    assert cases == list(CHAPTER[id].cases())
    assert len(set(cases)) == len(cases)


@pytest.mark.parametrize("id", CHAPTER)
def test_an_expected_value_raises_only_where_the_case_says_so(id, solutions):
    exercise = CHAPTER[id]
    for case in exercise.cases():
        expected = observe(exercise, case.setup, case.expected, solutions[exercise.answer])
        if type(expected).__name__ == "Raised":
            assert not expected.early and expected.kind in ("TypeError", "UnexpectedTracerError"), case


@pytest.mark.parametrize("id", CHAPTER)
def test_the_call_of_a_case_can_be_copied_into_the_notebook(id, solutions):
    exercise = CHAPTER[id]
    for case in exercise.cases():
        names = dict(solutions)
        got = observe(exercise, case.setup, case.call, solutions[exercise.answer])
        if type(got).__name__ != "Raised":
            exec(case.setup, names)
            eval(case.call, names)


# ---- verdicts


@pytest.mark.parametrize("id", CHAPTER)
def test_a_solution_passes_its_check(id, solutions):
    verdict = judge(CHAPTER[id], solutions[CHAPTER[id].answer])
    assert verdict.state == PASSED, report(CHAPTER[id], verdict)


@pytest.mark.parametrize("id", CHAPTER)
def test_a_stub_is_not_written_yet(id, stubs, capsys):
    check(id, stubs[CHAPTER[id].answer])
    assert capsys.readouterr().out == f'{id} not written yet. Where to begin? hint("{id}")\n'


@pytest.mark.parametrize("id, name", MISTAKES)
def test_a_known_mistake_is_recognised(id, name):
    answer = WRITTEN.get((id, name)) or answer_with(id, *REPLACED[id, name])
    verdict = judge(CHAPTER[id], answer)
    assert verdict.state == FAILED
    assert verdict.mistake and verdict.mistake.name == name
    assert explains(verdict.mistake, verdict.case)
    assert name in report(CHAPTER[id], verdict)


@pytest.mark.parametrize("id, change", [(id, change) for id, changes in BROKEN.items() for change in changes])
def test_a_solution_that_is_broken_on_purpose_fails(id, change):
    assert judge(CHAPTER[id], answer_with(id, change)).state == FAILED


@pytest.mark.parametrize("id", CHAPTER)
def test_a_mistake_explains_cases_that_are_there(id):
    cases = list(CHAPTER[id].cases())
    for mistake in CHAPTER[id].mistakes:
        for piece in mistake.explains:
            assert any(piece in f"{case.setup}\n{case.call}" for case in cases), (mistake.name, piece)


def test_a_mistake_is_shown_with_a_case_that_it_explains_and_no_other():
    verdict = judge(CHAPTER["1.3"], WRITTEN["1.3", "NumPy's rule for ranks"])
    assert verdict.case.call == 'broadcast_shape("add", [(3,), (2, 3)])'
    verdict = judge(CHAPTER["1.1"], WRITTEN["1.1", "only the first of several ways up"])
    assert verdict.case.call == "join_two(('bool', False), ('float16', False))"


def test_a_mistake_whose_cases_all_pass_is_not_shown_even_if_its_sign_is_true():
    hasty = Mistake("hasty", "", "True", explains=("[(3,), (2, 3)]",))
    verdict = judge(replace(CHAPTER["1.3"], mistakes=(hasty,)), WRITTEN["1.3", "the larger size wins"])
    assert verdict.mistake is None and verdict.case.call == 'broadcast_shape("add", [(1,), (0,)])'


def test_outvars_that_are_assigned_to_change_the_given_program(capsys):
    check("1.6", answer_with("1.6", ("kept.append(eqn.replace(outvars=outvars))",
                                     "eqn.outvars = outvars; kept.append(eqn)")))  # fmt: skip
    said = capsys.readouterr().out
    assert "A known mistake: the given program was changed." in said
    assert "expected:\n    { lambda" in said and "got:\n    { lambda" in said


def test_an_error_in_an_answer_is_said_with_its_line(capsys):
    def adds(jaxpr):
        needed = set()
        needed |= set(jaxpr.outvars + [Hostile()])
        return jaxpr

    check("1.6", adds)
    said = capsys.readouterr().out
    line = adds.__code__.co_firstlineno + 2
    assert "got:      raises TypeError: unhashable type: 'Hostile'\n" in said
    assert f"          in line {line}: `needed |= set(jaxpr.outvars + [Hostile()])`\n" in said


def test_a_failing_check_says_the_case_what_was_expected_and_which_mistake_it_is(capsys):
    check("1.3", WRITTEN["1.3", "the larger size wins"])
    assert capsys.readouterr().out == (
        "1.3 is not right yet. A case that fails:\n\n"
        '    broadcast_shape("add", [(1,), (0,)])\n\n'
        "expected: (0,)\ngot:      (1,)\n\n"
        "A known mistake: the larger size wins. 1 goes with every size, and 0 is a size like others: (0,)\n"
        "with (1,) is (0,). And 2 does not go with 3.\n"
    )


def test_a_primitive_that_is_half_written_says_so(capsys):
    half = names_after(SOLUTIONS, ("return np.add(np.multiply(x, y), z)", exercises.STUB))
    check("1.4", half["mul_add"])
    assert capsys.readouterr().out == "1.4 is written in part: after 1 case, a piece is not written yet.\n"


# ---- answers that misbehave


class Hostile:
    """A result that can neither be compared nor shown."""

    def __eq__(self, other):
        raise RuntimeError("no")

    __hash__ = None

    def __repr__(self):
        raise RuntimeError("no")


def raises_without_a_text(*args):
    class Nameless(Exception):
        def __str__(self):
            raise RuntimeError("no")

    raise Nameless


def leaves(*args):
    sys.exit(3)


def recurses(*args):
    return recurses(*args)


def empties(name, shapes):
    shapes.clear()
    return ()


ODD = [
    lambda *args: None, lambda *args: Hostile(), lambda: 0, lambda *args: 1 / 0, print, leaves, recurses, empties,
    raises_without_a_text, lambda *args: "x" * 10000, lambda *args: [1, [2]], type, lambda *args: float("nan"),
]  # fmt: skip


@pytest.mark.parametrize("id", CHAPTER)
@pytest.mark.parametrize("answer", ODD)
def test_an_odd_answer_is_told_in_words_and_does_not_raise(id, answer, capsys):
    check(id, answer)
    said = capsys.readouterr().out
    assert said.startswith(f"{id} is not right yet.") and "Traceback" not in said
    assert max(map(len, said.splitlines())) < 1000


def test_what_an_answer_prints_is_shown_with_the_case_that_fails_only(capsys):
    def talks(a, b):
        print("looking at", a, b)
        return a

    check("1.1", talks)
    said = capsys.readouterr().out
    assert said.count("looking at") == 1 and "your code printed: looking at" in said


def test_a_trace_that_an_answer_leaves_current_ends_with_its_case():
    judge(CHAPTER["1.9"], answer_with("1.9", *REPLACED["1.9", "the trace stays current after an error"]))
    assert current_trace.get() is EVAL


@pytest.mark.parametrize("value, shown", [(None, "None"), ((2,), "(2,)"), ("text", "'text'")])
def test_what_is_no_function_is_refused_in_words(value, shown, capsys):
    check("1.3", value)
    assert capsys.readouterr().out == (
        f'1.3: this is {shown}. Give check the function itself: check("1.3", broadcast_shape)\n'
    )


@pytest.mark.parametrize("command", [lambda: check("9.9", print), lambda: hint("9.9")])
def test_an_exercise_that_does_not_exist_is_refused_in_words(command, capsys):
    command()
    assert capsys.readouterr().out.startswith("There is no exercise '9.9'. There are 1.1, 1.2, ")


def test_an_id_without_quotes_is_understood(capsys, solutions):
    check(1.3, solutions["broadcast_shape"])
    hint(1.3)
    said = capsys.readouterr().out
    assert "1.3 passed" in said and "Hint 1 of 3 for 1.3: " in said


@pytest.mark.parametrize(
    "command, said",
    [
        (lambda: check("1.6"), '1.6: give check the function too: check("1.6", drop_dead)\n'),
        (lambda: check(), 'Which exercise? For example check("1.1", join_two). There are 1.1, '),
        (lambda: check(print), 'Which exercise? For example check("1.1", join_two). There are 1.1, '),
        (lambda: hint(), 'Which exercise? For example hint("1.1"). There are 1.1, '),
    ],
)
def test_what_is_missing_in_a_call_is_said(command, said, capsys):
    command()
    assert capsys.readouterr().out.startswith(said)


# ---- hints


def test_hint_gives_one_after_the_other_and_then_the_last_again(capsys):
    for _ in range(4):
        hint("1.6")
    said = capsys.readouterr().out
    assert [said.count(f"Hint {i} of 3 for 1.6: ") for i in (1, 2, 3)] == [1, 1, 2]


def test_what_is_shown_of_an_answer_holds_no_addresses(capsys):
    check("1.8", answer_with("1.8", *REPLACED["1.8", "the constants of a called program are lost"]))
    check("1.1", lambda a, b: lambda: 0)
    said = capsys.readouterr().out
    assert "Variable 'Var:float32[2]' not defined" in said and "0x" not in said
